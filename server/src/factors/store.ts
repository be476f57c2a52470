// The ports of second factors.
import type { Instant } from '../foundation/clock.ts';
import type { Statements } from '../storage/database.ts';

export type Authenticator = { sealedSecret: string; enrolledAt: Instant; lastUsedAt: Instant | null };

export interface AuthenticatorStore {
  find(on: Statements, accountId: number): Promise<Authenticator | undefined>;
  /** Returns those of the accounts that have one. */
  findOwners(on: Statements, accountIds: readonly number[]): Promise<number[]>;
  /**
   * Enrolls an authenticator with the step of its first code, in place of a former one.
   * @returns `false` if the account has used this step or a later one.
   */
  enroll(on: Statements, accountId: number, sealedSecret: string, step: number, now: Instant): Promise<boolean>;
  /** Uses up a step. @returns `true` to one of several parallel calls, `false` if this or a later step is used. */
  useStep(on: Statements, accountId: number, step: number, now: Instant): Promise<boolean>;
  /** @returns whether there was one. */
  remove(on: Statements, accountId: number): Promise<boolean>;
}

/** What an operation is for. The content of one purpose is never accepted for another. */
export type FactorPurpose = 'enroll-authenticator' | 'register-passkey';

export type FactorOperation = {
  mac: string;
  purpose: FactorPurpose;
  accountId: number;
  content: string;
  expiresAt: Instant;
};

export interface FactorOperationStore {
  add(on: Statements, operation: FactorOperation): Promise<void>;
  /** Returns an operation that has not expired. */
  find(mac: string, now: Instant): Promise<FactorOperation | undefined>;
  /** Deletes an operation that has not expired. @returns it to one of several parallel calls. */
  take(on: Statements, mac: string, now: Instant): Promise<FactorOperation | undefined>;
  deleteOfAccount(on: Statements, accountId: number, purpose?: FactorPurpose): Promise<void>;
  deleteAll(on: Statements): Promise<void>;
  /** Deletes up to `limit` operations that expired before `before`. */
  deleteExpired(before: Instant, limit: number): Promise<void>;
}

export interface RecoveryCodeStore {
  count(on: Statements, accountId: number): Promise<number>;
  add(on: Statements, accountId: number, macs: readonly string[]): Promise<void>;
  /** Deletes a code, whose MAC is bound to its account. @returns `true` to one of several parallel calls. */
  take(on: Statements, mac: string): Promise<boolean>;
  removeAll(on: Statements, accountId: number): Promise<void>;
}

export type StoredDevice = {
  id: string;
  mac: string;
  accountId: number;
  frontEnd: string;
  name: string;
  createdAt: Instant;
  lastUsedAt: Instant;
  expiresAt: Instant;
};

export interface TrustedDeviceStore {
  /**
   * Adds a device, and removes the account's oldest ones until `most` are left. The transaction has locked the account, so
   * that parallel calls do not exceed it.
   */
  add(on: Statements, device: StoredDevice, most: number): Promise<void>;
  /** Records the use of a device that has not expired, and is trusted since then or later. @returns whether there is one. */
  use(
    on: Statements,
    use: { accountId: number; mac: string; frontEnd: string; trustedSince: Instant; now: Instant },
  ): Promise<boolean>;
  /** Returns the devices that have not expired, last used first. */
  list(on: Statements, accountId: number, now: Instant): Promise<StoredDevice[]>;
  remove(on: Statements, accountId: number, id: string): Promise<boolean>;
  removeOfAccount(on: Statements, accountId: number): Promise<void>;
  removeAll(on: Statements): Promise<void>;
  /** Deletes up to `limit` devices that expired before `before`. */
  deleteExpired(before: Instant, limit: number): Promise<void>;
}

/** A passkey as its owner sees it. */
export type Passkey = {
  id: string;
  name: string;
  createdAt: Instant;
  lastUsedAt: Instant | null;
  /** Whether the provider of the passkey has copied it, so that the loss of one device does not lose it. */
  isBackedUp: boolean;
};

export type StoredPasskey = Passkey & {
  accountId: number;
  /** base64url. Unique. */
  credentialId: string;
  /** COSE key, base64url. */
  publicKey: string;
  /** The signature counter of the last assertion. 0: the authenticator does not count. */
  signCount: number;
  transports: readonly string[];
  /** The domain that the passkey is bound to. */
  rpId: string;
};

/** What an assertion tells of its passkey. */
export type PasskeyUse = { id: string; signCount: number; isBackedUp: boolean; now: Instant };

export interface PasskeyStore {
  /** Returns the account's passkeys, oldest first. */
  list(on: Statements, accountId: number): Promise<StoredPasskey[]>;
  /** Returns those of the accounts that have any. */
  findOwners(on: Statements, accountIds: readonly number[]): Promise<number[]>;
  findByCredential(on: Statements, credentialId: string): Promise<StoredPasskey | undefined>;
  /** @returns `false` if this credential is registered already, for any account. */
  add(on: Statements, passkey: StoredPasskey): Promise<boolean>;
  rename(on: Statements, accountId: number, id: string, name: string): Promise<boolean>;
  /** @returns whether the account had this passkey. */
  remove(on: Statements, accountId: number, id: string): Promise<boolean>;
  /** @returns whether there were any. */
  removeAll(on: Statements, accountId: number): Promise<boolean>;
  /** Records a use. @returns `false` if the passkey is gone, or its counter has not risen (WebAuthn, 6.1.1). */
  recordUse(on: Statements, use: PasskeyUse): Promise<boolean>;
  /** Records that an assertion operation is used up. @returns `true` to one of several parallel calls. */
  useOperation(on: Statements, mac: string, expiresAt: Instant): Promise<boolean>;
  /** Deletes up to `limit` used assertion operations that expired before `before`. */
  deleteExpired(before: Instant, limit: number): Promise<void>;
}
