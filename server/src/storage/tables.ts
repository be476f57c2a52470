// The tables of the database, as the migrations create them.
import type { Generated } from 'kysely';
import type { Instant } from '../foundation/clock.ts';

/** A boolean, as both engines store it. */
export type Flag = 0 | 1;

export type AccountTable = {
  id: Generated<number>;
  person_id: string;
  user_name: string;
  /** The user name under NFKC and case folding. Unique. */
  user_name_key: string;
  name: string;
  surname: string;
  email: string | null;
  email_key: string | null;
  /** E.164. */
  mobile: string | null;
  is_email_confirmed: Flag;
  is_mobile_confirmed: Flag;
  is_active: Flag;
  must_change_password: Flag;
  password_hash: string | null;
  /**
   * Incremented with each new password (not with a stronger hash of the same one), so that a verification of the old
   * password cannot win a race. Also incremented when an address changes and when the account is activated or
   * deactivated, so that no pending reset survives that.
   */
  password_version: number;
  password_changed_at: Instant | null;
  /** JSON array of role names. */
  roles: string;
  last_sign_in_at: Instant | null;
  created_at: Instant;
  /** When an account that registered itself reported that all extra information is filled in. */
  registration_completed_at: Instant | null;
};

export type RoleTable = {
  id: Generated<number>;
  name: string;
  /** Name under NFKC case folding: unique. */
  name_key: string;
  display_name: string;
  description: string;
  /** JSON array of permission names. */
  permissions: string;
  created_at: Instant;
};

export type SessionTable = {
  id: string;
  account_id: number;
  /** The `jti` of the current token. Every other token of the session is revoked. */
  current_jti: string;
  front_end: string;
  /** The `amr` of the sign-in, separated by spaces: `pwd`, `otp`, `ext`. */
  amr: string;
  /** 1 until the account owner has changed a password that must be changed. */
  must_change_password: Flag;
  ip_address: string | null;
  user_agent: string | null;
  signed_in_at: Instant;
  last_refreshed_at: Instant | null;
  /** The session's absolute end. No refresh extends it. */
  expires_at: Instant;
  ended_at: Instant | null;
};

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

export type LockoutTable = {
  subject: string;
  /** Failures since the last success or lock. */
  failures: number;
  /** Consecutive failures, those before a lock included. */
  streak: number;
  /** Reserved attempts that are not settled: a JSON array of `{ id, reservedAt }`. */
  reservations: string;
  locked_until: Instant | null;
  /** When an attempt was last reserved or settled. */
  touched_at: Instant;
};

export type SettingValueTable = {
  name: string;
  /** The front end's key, or '' for a general setting. */
  app_key: string;
  /** JSON. */
  value: string;
  changed_at: Instant;
  changed_by: string | null;
};

export type SettingChangeTable = {
  id: Generated<number>;
  name: string;
  app_key: string;
  old_value: string | null;
  new_value: string | null;
  changed_at: Instant;
  changed_by: string | null;
};

export type FrontEndTable = {
  id: string;
  app_key: string;
  name: string;
  description: string;
  created_at: Instant;
};

export type AuditTable = {
  id: Generated<number>;
  at: Instant;
  action: string;
  outcome: 'success' | 'refused';
  reason: string | null;
  user_id: number | null;
  user_name: string | null;
  ip_address: string | null;
  front_end: string | null;
  user_agent: string | null;
  /** JSON object. */
  details: string | null;
};

export type RateWindowTable = {
  policy: string;
  address: string;
  started_at: Instant;
  requests: number;
  refused_at: Instant | null;
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
  kind: 'asked' | 'sent' | 'tried';
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
  /** How the token was obtained: by a mailed link (2), a pin in a text message (4), or security questions (8). */
  method: 2 | 4 | 8;
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

export type SecurityAnswerTable = {
  account_id: number;
  question_id: string;
  /** The normalized answer, hashed like a password. */
  answer_hash: string;
  answered_at: Instant;
};

export type ExternalLoginTable = {
  /** The provider's registered name. Name and key together are the external identity. */
  provider: string;
  provider_key: string;
  id: string;
  account_id: number;
  linked_at: Instant;
};

export type MessageTable = {
  id: string;
  means: 'email' | 'sms';
  /** The setting that holds the template. */
  template: string;
  recipient: string;
  account_id: number | null;
  /** The text, sealed with the server's secret because it holds pins. Null after a real channel has settled the message. */
  sealed_content: string | null;
  state: 'queued' | 'sent' | 'failed' | 'dropped';
  /** The channel that sent the message or gave up. */
  channel: string | null;
  created_at: Instant;
  /** The service never sends the message after this instant. */
  expires_at: Instant;
  /** When a queued message is next tried. A node postpones it when it claims the message. */
  due_at: Instant;
  settled_at: Instant | null;
  tries: number;
  /** Tries whose outcome is unknown: the message may have arrived. */
  doubtful_tries: number;
};

/** Counts the announced changes of data that nodes keep in memory: settings, front ends, keys. */
export type VersionTable = { topic: string; number: number };

export type Tables = {
  account: AccountTable;
  role: RoleTable;
  session: SessionTable;
  signing_key: SigningKeyTable;
  lockout: LockoutTable;
  setting_value: SettingValueTable;
  setting_change: SettingChangeTable;
  front_end: FrontEndTable;
  audit: AuditTable;
  rate_window: RateWindowTable;
  pin: PinTable;
  pin_budget: PinBudgetTable;
  message: MessageTable;
  reset_token: ResetTokenTable;
  login_flow: LoginFlowTable;
  security_answer: SecurityAnswerTable;
  external_login: ExternalLoginTable;
  version: VersionTable;
};
