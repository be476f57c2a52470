// Signing keys: published before they sign, kept until the last token that they signed has expired, sealed at rest.
import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject, type webcrypto } from 'node:crypto';
import { promisify } from 'node:util';
import { addSeconds, type Clock, type Instant } from '../foundation/clock.ts';
import type { Occurrence } from '../foundation/events.ts';
import type { Random } from '../foundation/random.ts';
import type { Secrets } from '../foundation/secrets.ts';
import type { Database, Tx } from '../storage/database.ts';
import { keyActions } from './declarations.ts';
import { findRotation, type KeyRotation } from './key-age.ts';
import type { Revocations } from './revocations.ts';
import { MAX_TOKEN_LIFETIME_SECONDS } from './settings.ts';
import type { KeyStore, StoredKey } from './store.keys.sql.ts';
import { type Algorithm, type HeaderType, headerOf, type SigningKey, type TokenKey } from './token.ts';

const makePair = promisify(generateKeyPair);

/** About 128 bits of strength. Keys that were made before 27 November 2026 have 2,048, and stay until they are rotated. */
const RSA_BITS = 3072;

/** The topic that announces changes of the keys of an algorithm, and what makes a key pair, on the threads of Node's pool. */
const kinds = {
  ES256: { topic: 'keys', makePair: () => makePair('ec', { namedCurve: 'P-256' }) },
  RS256: { topic: 'id-token-keys', makePair: () => makePair('rsa', { modulusLength: RSA_BITS }) },
} as const;

/** The label under which private keys are sealed. */
const SEAL_LABEL = 'signing-key';

/** The service publishes a new key this long before it signs, so that verifiers with a cached key set know it by then. */
const PUBLISH_AHEAD_SECONDS = 600;

/** All nodes know a new key within this time. */
const NODES_KNOW_SECONDS = 5;

/** @property compromised whether the older keys may be known to others. */
export type Rotation = { readonly compromised: boolean };

export interface KeyRing {
  /** Reads all keys, now and after each rotation on any node. Makes the first ES256 key if there is none. */
  load(): Promise<void>;
  /** Makes the first key if there is none. It signs at once. */
  ensure(): Promise<void>;
  /**
   * Makes the next key if the newest key has another header type than the setting. The key signs as soon as all nodes know
   * it. The older keys and their tokens keep their type. The service calls this once, when it starts.
   */
  applyHeaderType(): Promise<void>;
  /** Returns the key that signs now. */
  signingKey(): SigningKey;
  /** Returns the key whose access tokens begin with this header. */
  find(header: string): TokenKey | undefined;
  /** Returns all keys, oldest first. */
  all(): readonly TokenKey[];
  /** Returns the public keys as a JSON Web Key Set (RFC 7517). */
  publicKeys(): { keys: webcrypto.JsonWebKey[] };
  /**
   * Makes the next key. It signs after {@link PUBLISH_AHEAD_SECONDS}, and all sessions stay open. With `compromised` it
   * signs at once, and the older keys are deleted, which revokes every token that they signed.
   * @returns the new key's id.
   */
  rotate(options: Rotation): Promise<string>;
  /** Makes the pair of the next key. @returns what does the rest of {@link rotate} in a transaction. */
  prepareRotation(options: Rotation): Promise<(tx: Tx) => Promise<string>>;
  /** Cleanup job: rotates an old key, and deletes keys whose last token has expired. */
  maintain(): Promise<void>;
  /** Returns how long the current key has signed, in seconds. */
  signingSeconds(): number;
  /** Returns when the newest key is due to be replaced. */
  rotation(): KeyRotation;
  /** Calls `listener` after each change of the keys. */
  onChange(listener: () => void): void;
}

export type KeyRingDeps = {
  database: Database;
  store: KeyStore;
  revocations: Revocations;
  record: (tx: Tx, occurrence: Occurrence) => Promise<void>;
  secrets: Secrets;
  clock: Clock;
  random: Random;
  /** Returns the header type that the next key gets. Default: `at+jwt`. */
  readHeaderType?: () => HeaderType;
  /** Default: ES256, whose first key `load` makes. The first RSA key is made when `ensure` asks for it. */
  algorithm?: Algorithm;
};

export function createKeyRing(deps: KeyRingDeps): KeyRing {
  const { database, store, revocations, record, secrets, clock } = deps;
  const { readHeaderType = () => 'at+jwt', algorithm = 'ES256' } = deps;
  const { topic, makePair } = kinds[algorithm];
  const listeners: (() => void)[] = [];
  let keys: (SigningKey & StoredKey)[] = [];
  let byHeader = new Map<string, SigningKey & StoredKey>();

  async function reload() {
    const stored = await store.readAll(database.sql);
    keys = stored.map((key) => byHeader.get(headerOfStored(key)) ?? openKey(key, secrets));
    byHeader = new Map(keys.map((key) => [key.header, key]));
    for (const listener of listeners) listener();
  }

  type AddNext = (options: { afterSeconds?: number; compromised?: boolean }) => Promise<string>;

  type Change<Result> = (stored: StoredKey[], addNext: AddNext) => Promise<Result>;

  /**
   * Makes the pair of the next key: before the transaction, which an RSA pair would hold up.
   * @returns a function that runs `work` with all stored keys, and with a function that adds the next key, which signs `afterSeconds`
   *   later, and returns its id. To announce a change takes the lock of its topic, so that no concurrent rotation is lost: two
   *   rotations cannot use the same number.
   */
  async function prepareChange<Result>(work: Change<Result>) {
    const pair = await makePair();
    return async (tx: Tx): Promise<Result> => {
      await tx.announce(topic);
      const stored = await store.readAll(tx.sql);
      return work(stored, async ({ afterSeconds = 0, compromised = false }) => {
        const number = (stored.at(-1)?.number ?? 0) + 1;
        const activeFrom = addSeconds(clock.now(), afterSeconds);
        const key = sealKey(pair, { number, activeFrom, alg: algorithm, typ: readHeaderType() }, deps);
        await store.add(tx.sql, key);
        if (compromised) {
          await store.deleteBelow(tx.sql, key.number);
          const revoked = stored.map(({ kid }) => ({ kind: 'key', kid }) as const);
          await revocations.record(tx, revoked);
        }
        await record(tx, { action: keyActions.rotated, outcome: 'success', details: { kid: key.kid, compromised } });
        return key.kid;
      });
    };
  }

  const changeKeys = async (work: Change<void>) => database.transaction(await prepareChange(work));

  const prepareRotation = ({ compromised }: Rotation) =>
    prepareChange((_stored, addNext) =>
      addNext({ afterSeconds: compromised ? 0 : PUBLISH_AHEAD_SECONDS, compromised }),
    );

  const makeFirst = () =>
    changeKeys(async (stored, addNext) => {
      if (stored.length === 0) await addNext({});
    });

  const hasOtherType = (key: StoredKey | undefined) => key !== undefined && headerTypeOf(key) !== readHeaderType();

  const isTooOld = (key: StoredKey | undefined, now: Instant) =>
    key !== undefined && findRotation(key.activeFrom, now).dueAt <= now;

  function signingKey() {
    const now = clock.now();
    const key = keys.findLast(({ activeFrom }) => activeFrom <= now) ?? keys[0];
    if (!key) throw new Error('No signing key: load() has not been called.');
    return key;
  }

  let making: Promise<void> | undefined;

  return {
    async load() {
      if (algorithm === 'ES256' && (await store.readAll(database.sql)).length === 0) await makeFirst();
      await database.watch(topic, reload);
    },
    async ensure() {
      if (keys.length > 0) return;
      making ??= makeFirst().finally(() => {
        making = undefined;
      });
      await making;
    },
    async applyHeaderType() {
      if (!hasOtherType(keys.at(-1))) return;
      const afterSeconds = database.engine === 'sqlite' ? 0 : NODES_KNOW_SECONDS;
      await changeKeys(async (stored, addNext) => {
        if (hasOtherType(stored.at(-1))) await addNext({ afterSeconds });
      });
    },
    signingKey,
    signingSeconds: () => (clock.now() - signingKey().activeFrom) / 1000,
    rotation: () => findRotation((keys.at(-1) ?? signingKey()).activeFrom, clock.now()),
    find: (header) => byHeader.get(header),
    all: () => keys,
    publicKeys: () => ({ keys: keys.map((key) => readJwk(key).jwk) }),
    rotate: async (options) => database.transaction(await prepareRotation(options)),
    prepareRotation,
    async maintain() {
      const now = clock.now();
      if (isTooOld(keys.at(-1), now)) {
        await changeKeys(async (stored, addNext) => {
          if (isTooOld(stored.at(-1), now)) await addNext({ afterSeconds: PUBLISH_AHEAD_SECONDS });
        });
      }
      const current = keys.findLast(({ activeFrom }) => addSeconds(activeFrom, MAX_TOKEN_LIFETIME_SECONDS) <= now);
      if (!current || current === keys[0]) return;
      await database.transaction(async (tx) => {
        await tx.announce(topic);
        await store.deleteBelow(tx.sql, current.number);
      });
    },
    onChange: (listener) => void listeners.push(listener),
  };
}

type KeyPair = { readonly publicKey: KeyObject; readonly privateKey: KeyObject };

function sealKey(
  { publicKey, privateKey }: KeyPair,
  { number, activeFrom, alg, typ }: { number: number; activeFrom: Instant; alg: Algorithm; typ: HeaderType },
  { secrets, clock, random }: { secrets: Secrets; clock: Clock; random: Random },
): StoredKey {
  const kid = random.bytes(9).toString('base64url');
  return {
    number,
    kid,
    publicJwk: JSON.stringify({ ...publicKey.export({ format: 'jwk' }), kid, alg, use: 'sig', typ }),
    sealedPrivateKey: secrets.seal(SEAL_LABEL, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()),
    createdAt: clock.now(),
    activeFrom,
  };
}

/**
 * Reads the published key of a stored one, and the type of its tokens: the member `typ`, which is stored and not published.
 * Keys from before this member sign `at+jwt`.
 */
function readJwk({ publicJwk }: StoredKey): { jwk: webcrypto.JsonWebKey; headerType: HeaderType } {
  const { typ = 'at+jwt', ...jwk } = JSON.parse(publicJwk);
  return { jwk, headerType: typ };
}

const headerTypeOf = (key: StoredKey) => readJwk(key).headerType;

function headerOfStored(key: StoredKey): string {
  const { jwk, headerType } = readJwk(key);
  return headerOf(key.kid, headerType, jwk.alg);
}

/**
 * Reads a stored key and unseals its private key.
 * @throws SecretMismatch when the key was sealed with another secret. The service must not start then.
 */
export function openKey(stored: StoredKey, secrets: Secrets): SigningKey & StoredKey {
  const { jwk } = readJwk(stored);
  const publicKey = createPublicKey({ key: jwk, format: 'jwk' });
  try {
    const privateKey = createPrivateKey(secrets.unseal(SEAL_LABEL, stored.sealedPrivateKey));
    return { ...stored, header: headerOfStored(stored), publicKey, privateKey };
  } catch (cause) {
    throw new SecretMismatch('LATCHKEY_SECRET is not the secret that sealed the signing keys in this database.', {
      cause,
    });
  }
}

/** The server's secret is not the one that sealed the signing keys. */
export class SecretMismatch extends Error {}
