// The tables of the database, as the migrations make them.
import type { Generated } from 'kysely';
import type { Instant } from '../foundation/clock.ts';

/** A yes or no as both engines keep it. */
export type Flag = 0 | 1;

export type AccountTable = {
  id: Generated<number>;
  person_id: string;
  user_name: string;
  /** User name under NFKC case folding: unique. */
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
   * Grows with each new password (not with a stronger hash of the same), so that a check of the old one cannot win a race;
   * also with a new address and when the account is activated or deactivated, so that nothing that recovers it outlives that.
   */
  password_version: number;
  password_changed_at: Instant | null;
  /** JSON array of role names. */
  roles: string;
  last_sign_in_at: Instant | null;
  created_at: Instant;
  /** Of an account that registered itself: when it said that all extra information is filled in. */
  registration_completed_at: Instant | null;
};

export type SessionTable = {
  id: string;
  account_id: number;
  /** The one token of this session that is valid; every other one is blacklisted. */
  current_jti: string;
  front_end: string;
  /** The `amr` of the sign-in, separated by spaces: `pwd`, `otp`, `ext`. */
  amr: string;
  /** 1 until a password that must be changed was changed. */
  must_change_password: Flag;
  ip_address: string | null;
  user_agent: string | null;
  signed_in_at: Instant;
  last_refreshed_at: Instant | null;
  /** The absolute end: no refresh beyond it. */
  expires_at: Instant;
  ended_at: Instant | null;
};

export type SigningKeyTable = {
  /** Counts the rotations: unique, so that of two nodes that rotate at once one wins. */
  number: number;
  kid: string;
  public_jwk: string;
  /** PKCS #8, sealed with the server's secret. */
  sealed_private_key: string;
  created_at: Instant;
  /** Signs from here on, until the next key does. */
  active_from: Instant;
};

export type LockoutTable = {
  subject: string;
  /** Failures since the last success or lock. */
  failures: number;
  /** Failures in a row, locks included. */
  streak: number;
  /** Attempts that were reserved and have no verdict yet: JSON, a list of `{ id, reservedAt }`. */
  reservations: string;
  locked_until: Instant | null;
  /** Of the last reservation or verdict. */
  touched_at: Instant;
};

export type SettingValueTable = {
  name: string;
  /** The front end's key, or '' for what applies everywhere. */
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
  outcome: string;
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
  purpose: string;
  /** Whom the pin is about: one row for each purpose and subject that was not redeemed, so that a newer pin takes its place. */
  subject: string;
  /** Keyed hash of operation, purpose and pin; '' when no pin was made, and no try can be right. */
  mac: string;
  account_id: number | null;
  /** To which the pin went, as the account or the request spells it. */
  address: string;
  /** Tries so far, a right one included. */
  tries: number;
  created_at: Instant;
  expires_at: Instant;
  /** When the right pin was given. */
  redeemed_at: Instant | null;
};

export type PinBudgetTable = {
  /** `asked`, `sent` or `tried`. */
  kind: string;
  subject: string;
  /** Of the day that is counted. */
  started_at: Instant;
  used: number;
  last_used_at: Instant;
};

export type ResetTokenTable = {
  /** Keyed hash of the token. */
  mac: string;
  /** `link` or `token`. */
  kind: string;
  /** 2, 4 or 8: by which way it came to be. */
  method: number;
  /** Null: made for nobody, in the time that making one takes. */
  account_id: number | null;
  /** The account's when it was made: dead once that has grown. */
  password_version: number;
  expires_at: Instant;
};

export type LoginFlowTable = {
  /** Keyed hash of the challenge token. */
  mac: string;
  account_id: number;
  front_end: string;
  /** Names of the methods that were right, separated by spaces. */
  completed: string;
  password_version: number;
  /** The subject whose failures are cleared when the sign-in is complete. */
  lockout_subject: string;
  expires_at: Instant;
};

export type SecurityAnswerTable = {
  account_id: number;
  question_id: string;
  /** Of the normalized answer, hashed like a password. */
  answer_hash: string;
  answered_at: Instant;
};

export type ExternalLoginTable = {
  /** The registered name; with the key, the identity. */
  provider: string;
  provider_key: string;
  id: string;
  account_id: number;
  linked_at: Instant;
};

export type MessageTable = {
  id: string;
  /** `email` or `sms`. */
  means: string;
  /** The setting that holds its template. */
  template: string;
  recipient: string;
  account_id: number | null;
  /** Its words, sealed with the server's secret: they hold pins. Null once it is settled by a real channel. */
  sealed_content: string | null;
  /** `queued`, `sent`, `failed` or `dropped`. */
  state: string;
  /** The channel that sent it or gave it up. */
  channel: string | null;
  created_at: Instant;
  /** It is never sent after this. */
  expires_at: Instant;
  /** While it is queued: when it is tried next; whoever tries it puts this off. */
  due_at: Instant;
  settled_at: Instant | null;
  tries: number;
  /** Tries after which nobody knows whether it arrived. */
  doubtful_tries: number;
};

/** Counts the announced changes of what nodes keep in memory: settings, front ends, keys. */
export type VersionTable = { topic: string; number: number };

export type Tables = {
  account: AccountTable;
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
