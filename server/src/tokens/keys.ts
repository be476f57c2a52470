// Signing keys: published before they sign, kept until the last token they signed is past, sealed at rest.
import { createPrivateKey, createPublicKey, generateKeyPairSync, type webcrypto } from 'node:crypto';
import { addSeconds, type Clock, type Instant } from '../foundation/clock.ts';
import type { Occurrence } from '../foundation/events.ts';
import type { Random } from '../foundation/random.ts';
import type { Secrets } from '../foundation/secrets.ts';
import type { Database, Tx } from '../storage/database.ts';
import { keyActions } from './events.ts';
import type { Revocations } from './revocations.ts';
import { MAX_TOKEN_LIFETIME_SECONDS } from './settings.ts';
import type { KeyStore, StoredKey } from './store.ts';
import { headerOf, type SigningKey, type TokenKey } from './token.ts';

const TOPIC = 'keys';

/** The label under which private keys are sealed. */
const SEAL_LABEL = 'signing-key';

/** A new key is published this long before it signs, so that verifiers which cache the key set know it by then. */
const PUBLISH_AHEAD_SECONDS = 600;

/** A key signs this long before housekeeping makes the next. */
const MAX_KEY_AGE_SECONDS = 90 * 86_400;

export interface KeyRing {
  /** Reads all keys, now and after each rotation on any node; makes the first one. */
  load(): Promise<void>;
  /** The key that signs now. */
  signingKey(): SigningKey;
  /** The key whose tokens begin with this header. */
  find(header: string): TokenKey | undefined;
  /** The public keys as a JSON Web Key Set (RFC 7517). */
  publicKeys(): { keys: webcrypto.JsonWebKey[] };
  /**
   * Makes the next key. It signs after {@link PUBLISH_AHEAD_SECONDS}, and nobody is signed out; `compromised` makes it
   * sign at once and drops all older keys, which ends every token they signed.
   * @returns the new key's id.
   */
  rotate(options: { compromised: boolean }): Promise<string>;
  /** Housekeeping: rotates by age, and drops keys whose last token is past. */
  maintain(): Promise<void>;
  /** How long the key that signs now has done so, in seconds. */
  signingSeconds(): number;
  /** Called after each change of the keys. */
  onChange(listener: () => void): void;
}

export function createKeyRing(deps: {
  database: Database;
  store: KeyStore;
  revocations: Revocations;
  record: (tx: Tx, occurrence: Occurrence) => Promise<void>;
  secrets: Secrets;
  clock: Clock;
  random: Random;
}): KeyRing {
  const { database, store, revocations, record, secrets, clock, random } = deps;
  const listeners: (() => void)[] = [];
  let keys: (SigningKey & StoredKey)[] = [];
  let byHeader = new Map<string, SigningKey & StoredKey>();

  async function reload() {
    const stored = await store.readAll(database.sql);
    keys = stored.map((key) => byHeader.get(headerOf(key.kid)) ?? openKey(key, secrets));
    byHeader = new Map(keys.map((key) => [key.header, key]));
    for (const listener of listeners) listener();
  }

  /**
   * Adds the next key if `isDue`, given the newest there is. Announcing takes the lock under which nodes take turns: of
   * rotations at the same time none is lost, as a compromised key's would be when another had used its number.
   * @returns the new key's id, or nothing when none was due.
   */
  async function addNext(
    { activeFrom, compromised = false }: { activeFrom: Instant; compromised?: boolean },
    isDue: (newest: StoredKey | undefined) => boolean,
  ): Promise<string | undefined> {
    return database.transaction(async (tx) => {
      await tx.announce(TOPIC);
      const stored = await store.readAll(tx.sql);
      const newest = stored.at(-1);
      if (!isDue(newest)) return undefined;
      const key = makeKey((newest?.number ?? 0) + 1, activeFrom, { secrets, clock, random });
      await store.add(tx.sql, key);
      if (compromised) {
        await store.deleteBelow(tx.sql, key.number);
        const dropped = stored.map(({ kid }) => ({ kind: 'key', kid }) as const);
        await revocations.record(tx, dropped);
      }
      await record(tx, { action: keyActions.rotated, outcome: 'success', details: { kid: key.kid, compromised } });
      return key.kid;
    });
  }

  const isOutOfAge = (key: StoredKey | undefined, now: Instant) =>
    key !== undefined && addSeconds(key.activeFrom, MAX_KEY_AGE_SECONDS) <= now;

  function signingKey() {
    const now = clock.now();
    const key = keys.findLast(({ activeFrom }) => activeFrom <= now) ?? keys[0];
    if (!key) throw new Error('No signing key: load() has not been called.');
    return key;
  }

  return {
    async load() {
      if ((await store.readAll(database.sql)).length === 0) {
        await addNext({ activeFrom: clock.now() }, (newest) => newest === undefined);
      }
      await database.watch(TOPIC, reload);
    },
    signingKey,
    signingSeconds: () => (clock.now() - signingKey().activeFrom) / 1000,
    find: (header) => byHeader.get(header),
    publicKeys: () => ({ keys: keys.map(({ publicJwk }) => JSON.parse(publicJwk)) }),
    async rotate({ compromised }) {
      const activeFrom = compromised ? clock.now() : addSeconds(clock.now(), PUBLISH_AHEAD_SECONDS);
      return (await addNext({ activeFrom, compromised }, () => true)) as string;
    },
    async maintain() {
      const now = clock.now();
      if (isOutOfAge(keys.at(-1), now)) {
        await addNext({ activeFrom: addSeconds(now, PUBLISH_AHEAD_SECONDS) }, (newest) => isOutOfAge(newest, now));
      }
      const current = keys.findLast(({ activeFrom }) => addSeconds(activeFrom, MAX_TOKEN_LIFETIME_SECONDS) <= now);
      if (!current || current === keys[0]) return;
      await database.transaction(async (tx) => {
        await tx.announce(TOPIC);
        await store.deleteBelow(tx.sql, current.number);
      });
    },
    onChange: (listener) => void listeners.push(listener),
  };
}

function makeKey(
  number: number,
  activeFrom: Instant,
  { secrets, clock, random }: { secrets: Secrets; clock: Clock; random: Random },
): StoredKey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const kid = random.bytes(9).toString('base64url');
  return {
    number,
    kid,
    publicJwk: JSON.stringify({ ...publicKey.export({ format: 'jwk' }), kid, alg: 'ES256', use: 'sig' }),
    sealedPrivateKey: secrets.seal(SEAL_LABEL, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()),
    createdAt: clock.now(),
    activeFrom,
  };
}

/** @throws Error when the key was sealed with another secret: the service must not start with it. */
export function openKey(stored: StoredKey, secrets: Secrets): SigningKey & StoredKey {
  const publicKey = createPublicKey({ key: JSON.parse(stored.publicJwk), format: 'jwk' });
  try {
    const privateKey = createPrivateKey(secrets.unseal(SEAL_LABEL, stored.sealedPrivateKey));
    return { ...stored, header: headerOf(stored.kid), publicKey, privateKey };
  } catch (cause) {
    throw new SecretMismatch(
      'LATCHKEY_SECRET is not the one that the signing keys in this database were sealed with.',
      {
        cause,
      },
    );
  }
}

/** The server's secret does not fit the database. */
export class SecretMismatch extends Error {}
