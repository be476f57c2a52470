// The tables of sessions, signing keys, pins, reset tokens and unfinished sign-ins.
import type { Generated } from 'kysely';
import type { Instant } from '../foundation/clock.ts';
import type { Flag } from './flag.ts';

export type SessionTable = {
  id: string;
  account_id: number;
  /** The `jti` of the current token. Every other token of the session is revoked. */
  current_jti: string;
  front_end: string;
  /** The `amr` of its tokens, separated by spaces: the values of the methods, and `mfa` after two factors. */
  amr: string;
  /** 1 until the account owner has changed a password that must be changed. */
  must_change_password: Flag;
  /** 1 while a required second factor is not enrolled. */
  must_enroll: Flag;
  /** When the caller last authenticated in this session. Null: at its sign-in. */
  authenticated_at: Instant | null;
  /** When the caller last used a passkey in this session. */
  passkey_used_at: Instant | null;
  /** When the caller last proved a second factor in this session. */
  factor_used_at: Instant | null;
  /** The passkey that opened the session. */
  passkey_id: string | null;
  ip_address: string | null;
  user_agent: string | null;
  signed_in_at: Instant;
  last_refreshed_at: Instant | null;
  /** The session's absolute end. No refresh extends it. */
  expires_at: Instant;
  ended_at: Instant | null;
  /** How often the session's token was exchanged. The claim `gen` of its current token. */
  generation: Generated<number>;
  /** When the last of its tokens expires. Null in sessions from before this column: not after `expires_at`. */
  tokens_expire_at: Instant | null;
  /** The application whose grant has this session of its own. Null for all others. */
  application_id: string | null;
};

/** Tokens that verifiers refuse before they expire. A session has one row, which names its latest revocation. */
export type RevocationTable = {
  /** Orders the rows of a transaction. */
  number: number;
  /** The transaction that wrote the row: its id in PostgreSQL. SQLite counts the rows. 0: before all transactions. */
  transaction_id: number;
  at: Instant;
  session_id: string | null;
  /** Tokens of the session with a lower generation are revoked. */
  generation: number | null;
  /** The signing key whose tokens are revoked. */
  key_id: string | null;
  /** All tokens issued before this instant are revoked. */
  issued_before: Instant | null;
  /** When the last token that the row revokes expires. */
  expires_at: Instant;
};

/** One row, with the id 1. Positions in the revocations hold for one epoch. */
export type RevocationEpochTable = { id: number; epoch: string };

export type SigningKeyTable = {
  /** Counts the rotations. It is unique, so that one of two nodes that rotate at the same time wins. */
  number: number;
  kid: string;
  public_jwk: string;
  /** PKCS #8, sealed with the server's secret. */
  sealed_private_key: string;
  created_at: Instant;
  /** The key signs from this instant, until the next key is active. */
  active_from: Instant;
};

export type ServiceKeyTable = {
  /** Keyed hash of the key. */
  mac: string;
  /** Unique. */
  name: string;
  /** Separated by spaces. */
  permissions: string;
  created_at: Instant;
  last_used_at: Instant | null;
};

export type PinTable = {
  operation_id: string;
  purpose: 'sign-in' | 'verify-email' | 'verify-mobile' | 'reset-password';
  /** The subject that the pin is for. Each purpose and subject has one unredeemed row: a newer pin replaces it. */
  subject: string;
  /** Keyed hash of operation, purpose and pin. '' if no pin exists: then every try fails. */
  mac: string;
  account_id: number | null;
  /** The address that the pin was sent to, as the account or the request spells it. */
  address: string;
  /** Tries so far, the successful one included. */
  tries: number;
  created_at: Instant;
  expires_at: Instant;
  /** When a caller gave the right pin. */
  redeemed_at: Instant | null;
};

export type PinBudgetTable = {
  kind: 'asked' | 'sent' | 'tried' | 'changed' | 'tested';
  subject: string;
  /** When the counted day began. */
  started_at: Instant;
  used: number;
  last_used_at: Instant;
};

export type ResetTokenTable = {
  /** Keyed hash of the token. */
  mac: string;
  kind: 'link' | 'token';
  /** The journey's number of the method that the link is for, or that yielded the token. */
  method: number;
  /** Null for an unknown name: the row is stored so that the request takes the same time. */
  account_id: number | null;
  /** The account's `password_version` at issue. The token is invalid after that has changed. */
  password_version: number;
  expires_at: Instant;
};

export type LoginFlowTable = {
  /** Keyed hash of the challenge token. */
  mac: string;
  account_id: number;
  front_end: string;
  /** Names of the completed methods, separated by spaces. */
  completed: string;
  password_version: number;
  /** The subject whose failures are reset when the sign-in is complete. */
  lockout_subject: string;
  expires_at: Instant;
};
