// The tables of the database, as the migrations create them.
import type { ColumnType, Generated } from 'kysely';
import type { Instant } from '../foundation/clock.ts';
import type {
  ApplicationConsentTable,
  ApplicationGrantTable,
  ApplicationRequestTable,
  ApplicationTable,
  BrowserSessionTable,
  DeviceAuthorizationTable,
  SignOutTable,
  UsedClientAssertionTable,
} from './application-tables.ts';
import type {
  AuthenticatorTable,
  FactorOperationTable,
  PasskeyTable,
  RecoveryCodeTable,
  TrustedDeviceTable,
  UsedAssertionTable,
} from './factor-tables.ts';
import type { Flag } from './flag.ts';
import type {
  LoginFlowTable,
  PinBudgetTable,
  PinTable,
  ResetTokenTable,
  RevocationEpochTable,
  RevocationTable,
  ServiceKeyTable,
  SessionTable,
  SigningKeyTable,
} from './token-tables.ts';

export type * from './application-tables.ts';
export type * from './factor-tables.ts';
export type * from './token-tables.ts';

/** The ids of deleted accounts, which nobody gets again. */
export type DeletedAccountTable = { id: number };

export type AccountTable = {
  id: Generated<number>;
  /** Unique. */
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
  /** Whether the account has had an owner: an address that was verified before its last change, or an external login that was removed. */
  had_owner: Generated<Flag>;
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
  /** When a name, address or number last changed, or was verified. Null: not since the account was created. */
  updated_at: Instant | null;
  /** When an account that registered itself reported that all extra information is filled in. */
  registration_completed_at: Instant | null;
  /** Null unless the account was imported: what became of the password that the import set (`accounts/imported-password.ts`). */
  imported_password: string | null;
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

export type LockoutTable = {
  subject: string;
  /** Failures since the last success or lock. */
  failures: number;
  /** Consecutive failures, those before a lock included. */
  streak: number;
  /** Reserved attempts that are not settled: a JSON array of `{ id, reservedAt, seconds? }`. */
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
  /** The account that changed it, or 0: an operator or a service key. Null: a version before migration 37, or the person was erased. */
  changed_by_id: number | null;
};

export type SettingChangeTable = {
  id: Generated<number>;
  name: string;
  app_key: string;
  old_value: string | null;
  new_value: string | null;
  changed_at: Instant;
  changed_by: string | null;
  changed_by_id: number | null;
};

export type FrontEndTable = {
  id: string;
  app_key: string;
  name: string;
  description: string;
  created_at: Instant;
};

/** The keys that front ends had before they were renamed. */
export type FrontEndFormerKeyTable = { app_key: string; front_end_id: string };

export type LogoTable = {
  /** The SHA-256 of the picture in hexadecimal, and `.png` or `.svg`. */
  file_name: string;
  /** Base64. */
  content: string;
  /** When it was uploaded, or last named by a brand. */
  used_at: Instant;
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
  /** The place in the chain, from 1 without gaps. The service gives it soon after the commit. */
  sequence: ColumnType<number | null, never, number>;
  /** Base64url. */
  hash: ColumnType<string | null, never, string>;
  /** Stands for the personal data in the hash. Null without personal data. */
  commitment: ColumnType<string | null, never, string | null>;
  /** Stands for the name of the administrator who acted. */
  by_commitment: ColumnType<string | null, never, string | null>;
  /** The erased account whose personal data the entry had. */
  erased_for: ColumnType<number | null, never, number>;
  /** The erased account of the administrator who acted. */
  erased_by_for: ColumnType<number | null, never, number>;
};

/** The key of an account's commitments. Account 0 stands for entries without one. */
export type AuditKeyTable = { account_id: number; key: string };

/** The chain over the audit trail: one row. */
export type AuditChainTable = {
  id: number;
  /** The last entry that retention has deleted. */
  base_sequence: number;
  base_hash: string;
  /** The newest chained entry, and when it was chained. */
  head_sequence: number;
  head_hash: string;
  head_at: Instant;
  /** When webhooks were told the head. */
  told_at: Instant;
};

/** An erased account, while the trail still has personal data of it. */
export type AuditErasureTable = {
  account_id: number;
  /** The entry that tells of the erasure. */
  entry_id: number;
  erased_at: Instant;
  /** How far the erasure has come: see `ErasureStep`. */
  step: 0 | 1 | 2 | 3;
};

/** How often something happened in an hour. The row of the figure `start` tells since when the service counts. */
export type HourlyCountTable = {
  /** The start of the hour. */
  hour: Instant;
  figure: string;
  /** The part of the figure, such as the method of a sign-in. */
  part: string;
  count: number;
};

export type RateWindowTable = {
  policy: string;
  address: string;
  started_at: Instant;
  requests: number;
  refused_at: Instant | null;
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

/** A provider that an administrator has registered. */
export type ExternalProviderTable = {
  id: string;
  type: string;
  /** The `provider` of its external logins. */
  name: string;
  /** Name under NFKC case folding: unique. */
  name_key: string;
  /** JSON of the members that have no column. */
  settings: string;
  is_enabled: Flag;
  client_id: string;
  sealed_secret: string | null;
  sealed_private_key: string | null;
  secret_expires_at: Instant | null;
  /** As that of an application. */
  untrusted_since: Instant | null;
  created_at: Instant;
};

export type ExternalProviderChangeTable = {
  provider_id: string;
  /** 1 for the first change of the provider. */
  number: number;
  /** JSON: what has changed, without secrets. */
  changes: string;
  changed_at: Instant;
  /** The user name of the administrator. Null: a role was deleted, or the person was erased. */
  changed_by: string | null;
  changed_by_id: number | null;
};

export type AuthorizationRequestTable = {
  /** Keyed hash of the secret that the browser holds. */
  mac: string;
  /** The provider's registered name. */
  provider: string;
  redirect_uri: string;
  expires_at: Instant;
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

/** What an address of an account was not told so far. */
export type OwnerNoticeTable = {
  account_id: number;
  /** A verified address that the account has or had. */
  recipient: string;
  means: 'email' | 'sms';
  /** The changes that wait, as JSON: sentences, and how often each happened. */
  waiting: string;
  /** The front end whose brand the next notice shows. */
  front_end: string;
  /** When the next notice may go to this address. */
  due_at: Instant;
};

/** An address that receives events. */
export type WebhookTable = {
  id: string;
  url: string;
  /** Patterns of actions, with spaces between them. */
  actions: string;
  description: string;
  is_enabled: Flag;
  /** Why the service has disabled it. */
  disabled_because: 'gone' | 'failing' | null;
  sealed_secret: string;
  /** The secret before. It also signs until `former_until`. */
  sealed_former_secret: string | null;
  former_until: Instant | null;
  /** Since when every try has failed. */
  failing_since: Instant | null;
  /** Since when it gets no new events, because too many wait. */
  full_since: Instant | null;
  created_at: Instant;
};

export type WebhookDeliveryTable = {
  id: string;
  webhook_id: string;
  /** The same for all deliveries of the event. */
  event_id: string;
  /** The action, or the type of an event without an audit entry. */
  type: string;
  audit_id: number | null;
  state: 'queued' | 'sent' | 'failed';
  created_at: Instant;
  /** When a queued delivery is next tried. A node postpones it when it claims the delivery. */
  due_at: Instant;
  tries: number;
  /** Failed tries since it was queued, or queued again. */
  failures: number;
  /** The outcome of the last try: the HTTP status, or an error. */
  last_status: number | null;
  last_duration_ms: number | null;
  last_error: string | null;
};

/** Counts the announced changes of data that nodes keep in memory: settings, front ends, keys. */
export type VersionTable = { topic: string; number: number };

export type Tables = {
  account: AccountTable;
  role: RoleTable;
  revocation: RevocationTable;
  revocation_epoch: RevocationEpochTable;
  service_key: ServiceKeyTable;
  session: SessionTable;
  signing_key: SigningKeyTable;
  deleted_account: DeletedAccountTable;
  lockout: LockoutTable;
  setting_value: SettingValueTable;
  setting_change: SettingChangeTable;
  front_end: FrontEndTable;
  front_end_former_key: FrontEndFormerKeyTable;
  logo: LogoTable;
  audit: AuditTable;
  audit_key: AuditKeyTable;
  audit_chain: AuditChainTable;
  audit_erasure: AuditErasureTable;
  hourly_count: HourlyCountTable;
  rate_window: RateWindowTable;
  pin: PinTable;
  pin_budget: PinBudgetTable;
  message: MessageTable;
  owner_notice: OwnerNoticeTable;
  webhook: WebhookTable;
  webhook_delivery: WebhookDeliveryTable;
  reset_token: ResetTokenTable;
  login_flow: LoginFlowTable;
  security_answer: SecurityAnswerTable;
  external_login: ExternalLoginTable;
  external_provider: ExternalProviderTable;
  external_provider_change: ExternalProviderChangeTable;
  authorization_request: AuthorizationRequestTable;
  version: VersionTable;
  authenticator: AuthenticatorTable;
  passkey: PasskeyTable;
  used_assertion: UsedAssertionTable;
  recovery_code: RecoveryCodeTable;
  trusted_device: TrustedDeviceTable;
  factor_operation: FactorOperationTable;
  application: ApplicationTable;
  application_request: ApplicationRequestTable;
  application_grant: ApplicationGrantTable;
  application_consent: ApplicationConsentTable;
  device_authorization: DeviceAuthorizationTable;
  used_client_assertion: UsedClientAssertionTable;
  browser_session: BrowserSessionTable;
  sign_out: SignOutTable;
  /** RSA keys, which sign ID tokens. */
  id_token_key: SigningKeyTable;
};
