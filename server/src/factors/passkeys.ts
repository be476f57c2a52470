// Passkeys: registered for an account, and asserted to sign in, as second factor, or to authenticate again (WebAuthn Level 3).
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import type { Clock, Instant } from '../foundation/clock.ts';
import type { Random } from '../foundation/random.ts';
import type { Secrets } from '../foundation/secrets.ts';
import type { Database, Statements, Tx } from '../storage/database.ts';
import type { AssertionOperations, AssertionPurpose } from './assertion-operations.ts';
import type { FactorOperations } from './operations.ts';
import type { Passkey, PasskeyStore, StoredPasskey } from './store.passkeys.sql.ts';
import {
  type Assertion,
  type AssertionCredential,
  type NewCredential,
  type RegistrationCredential,
  readChallenge,
  type WebAuthn,
} from './webauthn.ts';

const REGISTRATION = 'register-passkey';
const CHALLENGE_BYTES = 32;

/** The most passkeys of an account. */
export const MAX_PASSKEYS = 20;

/** The answer of a passkey, and the operation that it belongs to. */
export type GivenAssertion = { purpose: AssertionPurpose; operationId: string; credential: AssertionCredential };

/** An answer with a right signature, and the operation to use up. */
export type VerifiedRegistration = NewCredential & { operationId: string };
export type VerifiedAssertion = Assertion & { operationId: string; expiresAt: Instant; passkey: StoredPasskey };

type BegunAssertion = { operationId: string; options: PublicKeyCredentialRequestOptionsJSON };

export type PasskeyOwner = { id: number; userName: string; fullName: string };

/** A registration that has begun, and the passkeys that the account has. */
export type BegunRegistration = { operationId: string; challenge: string; registered: readonly StoredPasskey[] };

export interface Passkeys {
  /** Returns the account's passkeys, oldest first. */
  list(on: Statements, accountId: number): Promise<StoredPasskey[]>;
  /** Returns the passkeys of the accounts as another service takes them over, oldest first. */
  reveal(on: Statements, accountIds: readonly number[]): Promise<RevealedPasskey[]>;
  /** Whether an authenticator can have made the public key: a COSE key in base64url. */
  isPublicKey(publicKey: string): Promise<boolean>;
  /** Returns those of the credentials that are registered, for any account. */
  findRegistered(on: Statements, credentialIds: readonly string[]): Promise<string[]>;
  /** Takes over passkeys of another service for accounts that have none. Leaves out credentials that are registered. */
  adopt(tx: Tx, passkeys: readonly (AdoptedPasskey & { accountId: number })[]): Promise<void>;
  /** Returns those of the accounts that have any. */
  findOwners(on: Statements, accountIds: readonly number[]): Promise<number[]>;
  /** Returns the passkey with this credential id. */
  find(credentialId: string): Promise<StoredPasskey | undefined>;
  /** Begins a registration, in place of a former one. @returns `undefined` if the account has as many as it can have. */
  beginRegistration(tx: Tx, accountId: number): Promise<BegunRegistration | undefined>;
  /** Returns the options for the browser. @param application the name that people know the service by. */
  creationOptions(
    begun: BegunRegistration,
    owner: PasskeyOwner,
    application: string,
  ): Promise<PublicKeyCredentialCreationOptionsJSON>;
  /**
   * @returns `wrong` for an answer to another operation too; `over`: the operation is of another account, used, superseded
   * or ended, or it has expired.
   */
  verifyRegistration(
    accountId: number,
    given: { operationId: string; credential: RegistrationCredential },
  ): Promise<VerifiedRegistration | 'wrong' | 'over'>;
  /**
   * Registers a verified passkey, once. The caller has locked the account.
   * @returns `over`: the operation is used, superseded or ended, or it has expired.
   */
  register(
    tx: Tx,
    accountId: number,
    verified: VerifiedRegistration,
    name: string,
  ): Promise<Passkey | 'over' | 'duplicate' | 'tooMany'>;
  /** @returns whether the account has this passkey. */
  rename(tx: Tx, accountId: number, id: string, name: string): Promise<boolean>;
  /** @returns whether the account had this passkey. */
  remove(tx: Tx, accountId: number, id: string): Promise<boolean>;
  /** @returns whether there were any. */
  removeAll(tx: Tx, accountId: number): Promise<boolean>;
  /** Begins a sign-in with any passkey that the browser has. */
  beginSignIn(): Promise<BegunAssertion>;
  /** Begins the assertion of one of the account's passkeys. @returns `undefined` if it has none. */
  beginAssertion(given: {
    purpose: Exclude<AssertionPurpose, 'sign-in'>;
    accountId: number;
  }): Promise<BegunAssertion | undefined>;
  /**
   * Verifies an answer, except for counter and operation, which {@link Passkeys.use} settles. Without a passkey it does the
   * same work. @param accountId the account that the operation is bound to.
   * @returns `undefined` for a wrong answer, and for one to another operation or account.
   */
  verifyAssertion(
    passkey: StoredPasskey | undefined,
    given: GivenAssertion,
    accountId: number | undefined,
  ): Promise<VerifiedAssertion | undefined>;
  /**
   * Uses up a verified assertion: its operation, and its place in the counter.
   * @returns `over`: the operation is used or has expired; `gone`: the passkey was removed meanwhile; `behind`: the counter
   * is not higher than before, so that the passkey may have been copied (WebAuthn, 6.1.1).
   */
  use(tx: Tx, verified: VerifiedAssertion): Promise<'used' | 'over' | 'gone' | 'behind'>;
}

/** What the authenticator calls the owner, base64url. `undefined`: the service that registered the passkey did not store it. */
type KnownHandle = { userHandle: string | undefined };

/** A passkey that another service has registered. */
export type AdoptedPasskey = Pick<
  StoredPasskey,
  | 'credentialId'
  | 'publicKey'
  | 'signCount'
  | 'transports'
  | 'rpId'
  | 'name'
  | 'isBackedUp'
  | 'createdAt'
  | 'lastUsedAt'
> &
  KnownHandle;

/** A passkey with what it calls its owner, so that it needs no secret of this service. */
export type RevealedPasskey = Omit<StoredPasskey, 'userHandle'> & KnownHandle;

/** The stored handle of a passkey whose own is not known. No authenticator has an empty one (WebAuthn, 5.4.3). */
const UNKNOWN_HANDLE = '';

/** A key without owner. Verifying with it takes as long as with a registered one. */
const NO_PASSKEY = {
  credentialId: '',
  publicKey: 'pQECAyYgASFYINq3oQhcKj7VkTdJCMq-USwtYSEs22UMGPvaIfUpU6o-IlggJoLh9dqi7QvzE63xEGK3H7cuqadMjg0xU2E2a3egIhM',
};

export function createPasskeys(deps: {
  database: Database;
  store: PasskeyStore;
  factorOperations: FactorOperations;
  assertionOperations: AssertionOperations;
  webAuthn: WebAuthn;
  /** The id of the relying party. */
  rpId: string;
  secrets: Secrets;
  clock: Clock;
  random: Random;
}): Passkeys {
  const { database, store, factorOperations, assertionOperations, webAuthn, rpId, secrets, clock, random } = deps;
  /** Tells no personal data (WebAuthn, 14.6.1), and need not be stored. */
  const userHandleOf = (accountId: number) => secrets.mac('passkey-user', String(accountId));
  const knownHandleOf = ({ userHandle, accountId }: StoredPasskey) =>
    userHandle === UNKNOWN_HANDLE ? undefined : (userHandle ?? userHandleOf(accountId));

  async function begin(
    purpose: AssertionPurpose,
    accountId: number | undefined,
    allow: readonly StoredPasskey[] | undefined,
  ): Promise<BegunAssertion> {
    const { operationId, challenge } = assertionOperations.begin(purpose, accountId);
    const mustVerifyUser = requiresUserVerification(purpose);
    return { operationId, options: await webAuthn.requestOptions({ challenge, mustVerifyUser, allow }) };
  }

  return {
    list: (on, accountId) => store.list(on, [accountId]),
    async reveal(on, accountIds) {
      const stored = await store.list(on, accountIds);
      return stored.map((passkey) => ({ ...passkey, userHandle: knownHandleOf(passkey) }));
    },
    isPublicKey: webAuthn.isPublicKey,
    findRegistered: (on, credentialIds) => store.findRegistered(on, credentialIds),
    async adopt(tx, adopted) {
      await store.addAll(
        tx.sql,
        adopted.map(({ userHandle = UNKNOWN_HANDLE, ...passkey }) => ({ ...passkey, userHandle, id: random.uuid() })),
      );
    },
    findOwners: (on, accountIds) => store.findOwners(on, accountIds),
    find: (credentialId) => store.findByCredential(database.sql, credentialId),

    async beginRegistration(tx, accountId) {
      const registered = await store.list(tx.sql, [accountId]);
      if (registered.length >= MAX_PASSKEYS) return undefined;
      await factorOperations.endOfAccount(tx, accountId, REGISTRATION);
      const challenge = random.bytes(CHALLENGE_BYTES).toString('base64url');
      return {
        operationId: await factorOperations.begin(tx, REGISTRATION, accountId, challenge),
        challenge,
        registered,
      };
    },

    creationOptions({ challenge, registered }, { id, userName, fullName }, application) {
      const user = { handle: userHandleOf(id), name: userName, displayName: fullName };
      const exclude = registered.filter((passkey) => passkey.rpId === rpId);
      return webAuthn.creationOptions({ challenge, application, user, exclude });
    },

    async verifyRegistration(accountId, { operationId, credential }) {
      const challenge = await factorOperations.find(operationId, REGISTRATION, accountId);
      if (challenge === undefined) return 'over';
      const isAnswer = readChallenge(credential.response.clientDataJSON) === challenge;
      const verified = isAnswer ? await webAuthn.verifyRegistration(credential) : undefined;
      return verified ? { ...verified, operationId } : 'wrong';
    },

    async register(tx, accountId, { operationId, ...credential }, name) {
      if ((await factorOperations.take(tx, operationId, REGISTRATION, accountId)) === undefined) return 'over';
      const { length } = await store.list(tx.sql, [accountId]);
      if (length >= MAX_PASSKEYS) return 'tooMany';
      const { isBackedUp } = credential;
      const passkey = { id: random.uuid(), name, createdAt: clock.now(), lastUsedAt: null, isBackedUp };
      const isNew = await store.add(tx.sql, { ...passkey, ...credential, accountId, rpId, userHandle: null });
      return isNew ? passkey : 'duplicate';
    },

    rename: (tx, accountId, id, name) => store.rename(tx.sql, accountId, id, name),
    remove: (tx, accountId, id) => store.remove(tx.sql, accountId, id),
    removeAll: (tx, accountId) => store.removeAll(tx.sql, accountId),

    beginSignIn: () => begin('sign-in', undefined, undefined),

    async beginAssertion({ purpose, accountId }) {
      const allow = (await store.list(database.sql, [accountId])).filter((passkey) => passkey.rpId === rpId);
      // With an empty list, a browser offers any passkey.
      return allow.length === 0 ? undefined : begin(purpose, accountId, allow);
    },

    async verifyAssertion(passkey, { purpose, operationId, credential }, accountId) {
      const challenge = readChallenge(credential.response.clientDataJSON) ?? '';
      const expiresAt = assertionOperations.findExpiry({ id: operationId, purpose, accountId }, challenge);
      const mustVerifyUser = requiresUserVerification(purpose);
      // Mutation: `passkey ?? NO_PASSKEY` becomes `passkey`. An unknown passkey is refused as well, without the work that a known one takes.
      const assertion = await webAuthn.verifyAssertion(credential, passkey ?? NO_PASSKEY, mustVerifyUser);
      if (passkey?.rpId !== rpId || !assertion || !expiresAt) return undefined;
      const { userHandle } = credential.response;
      // A sign-in finds the account by the passkey, so the authenticator must name the same one (WebAuthn, 7.2, step 6).
      const isOwner = userHandle ? userHandle === (knownHandleOf(passkey) ?? userHandle) : purpose !== 'sign-in';
      return isOwner ? { ...assertion, passkey, operationId, expiresAt } : undefined;
    },

    async use(tx, { passkey, operationId, expiresAt, signCount, isBackedUp }) {
      const { id, credentialId } = passkey;
      if (!(await assertionOperations.use(tx, operationId, expiresAt))) return 'over';
      if (await store.recordUse(tx.sql, { id, signCount, isBackedUp, now: clock.now() })) return 'used';
      const found = await store.findByCredential(tx.sql, credentialId);
      return found?.id === id ? 'behind' : 'gone';
    },
  };
}

/** Only as a second factor may a passkey prove possession alone. */
function requiresUserVerification(purpose: AssertionPurpose): boolean {
  return purpose !== 'second-factor';
}
