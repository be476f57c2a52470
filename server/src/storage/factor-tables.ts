// The tables of second factors.
import type { Instant } from '../foundation/clock.ts';
import type { Flag } from './flag.ts';

export type AuthenticatorTable = {
  account_id: number;
  /** Base32, sealed with the server's secret. Null after removal: the row stays, because steps count across enrolments. */
  sealed_secret: string | null;
  /** The newest time step of an accepted code (RFC 6238, 5.2). */
  last_step: number;
  enrolled_at: Instant;
  last_used_at: Instant | null;
};

export type PasskeyTable = {
  id: string;
  account_id: number;
  /** base64url. Unique. */
  credential_id: string;
  /** COSE key, base64url. */
  public_key: string;
  /** The signature counter of the last assertion. 0: the authenticator does not count. */
  sign_count: number;
  /** Separated by spaces. */
  transports: string;
  /** The domain that the passkey is bound to (WebAuthn, relying party id). */
  rp_id: string;
  /**
   * What the authenticator calls the owner, base64url. Null: what this service derives (`factors/passkeys.ts`). Empty, which no
   * authenticator has: an import did not bring it.
   */
  user_handle: string | null;
  name: string;
  is_backed_up: Flag;
  created_at: Instant;
  last_used_at: Instant | null;
};

export type UsedAssertionTable = {
  /** Keyed hash of the id of the operation that it answered. */
  mac: string;
  expires_at: Instant;
};

export type RecoveryCodeTable = {
  /** Keyed hash of account and code. */
  mac: string;
  account_id: number;
};

export type TrustedDeviceTable = {
  id: string;
  /** Keyed hash of the token that the device holds. Unique. */
  mac: string;
  account_id: number;
  front_end: string;
  name: string;
  created_at: Instant;
  last_used_at: Instant;
  expires_at: Instant;
};

export type FactorOperationTable = {
  /** Keyed hash of the operation's id. */
  mac: string;
  purpose: 'enroll-authenticator' | 'register-passkey';
  account_id: number;
  /** A sealed secret, or the challenge that a new passkey signs. */
  content: string;
  expires_at: Instant;
};
