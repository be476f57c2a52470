// Personal data: what each table stores about a person, what an export has of it, and what erasing the person does to it.
import type { Tables } from '../storage/database.ts';

/** How an export writes a value. A secret is only told to be present. */
type Kind = 'text' | 'number' | 'time' | 'flag' | 'json' | 'words' | 'secret';

/** A member of an export. */
export type Member = { readonly name: string; readonly kind: Kind };

/** What finds the rows of a person: a column, and the values of the person that it is compared with. */
export type Finder<Column> = {
  readonly column: Column;
  readonly has: 'accountId' | 'lockoutSubject' | 'pinSubject' | 'userName' | 'address';
  /** The column must be null: rows of other accounts are theirs, though they share an address or have had the user name. */
  readonly unless?: Column;
  /** A time that must not be before the account: another person may have had the user name before. */
  readonly since?: Column;
};

/** Personal data of a table. */
type Personal<Row> = {
  /** The member of the export that lists the rows. */
  readonly exported: string;
  /** Null: a value that says nothing of the person, or that the place of the row says. */
  readonly columns: { readonly [Column in keyof Row]-?: Member | null };
  /** A row is a person's if any of them finds it. */
  readonly rows: readonly Finder<keyof Row & string>[];
  /**
   * What happens to the rows. `later`: they are deleted minutes later, because attempts that are under way still need them;
   * `lastly`: a day and a half later, when deliveries are over. They hold no name and no address. Otherwise these columns become null, and the
   * rows stay.
   */
  readonly erased: 'deleted' | 'later' | 'lastly' | { readonly emptied: readonly (keyof Row & string)[] };
};

/** A table without rows about a person. */
type Impersonal<Row> = { readonly impersonal: string; readonly columns: readonly (keyof Row & string)[] };

const member = (kind: Kind) => (name: string) => ({ name, kind });
const [text, number, time, flag] = [member('text'), member('number'), member('time'), member('flag')];
const [json, words, secret] = [member('json'), member('words'), member('secret')];

const ofAccount = [{ column: 'account_id', has: 'accountId' }] as const;

/** A table that only an account has rows in. */
const owned = { rows: ofAccount, erased: 'deleted' } as const;

/** A table of changes. Rows of a version before migration 37 may have the user name of the account only. */
const changedBy = {
  rows: [
    { column: 'changed_by_id', has: 'accountId' },
    { column: 'changed_by', has: 'userName', unless: 'changed_by_id', since: 'changed_at' },
  ],
  erased: { emptied: ['changed_by', 'changed_by_id'] },
} as const;

const NO_PERSON = 'It describes the service.';

/**
 * All tables and columns. The types fail for one that is missing here, and a test compares the list with both databases.
 * The members of `account` are those of `User/Get`.
 */
export const personalData: {
  readonly [Name in keyof Tables]: Personal<Tables[Name]> | Impersonal<Tables[Name]>;
} = {
  account: {
    exported: 'account',
    rows: [{ column: 'id', has: 'accountId' }],
    erased: 'deleted',
    columns: {
      id: number('id'),
      person_id: text('personId'),
      user_name: text('userName'),
      user_name_key: null,
      name: text('name'),
      surname: text('surname'),
      email: text('emailAddress'),
      email_key: null,
      mobile: text('mobileNumber'),
      is_email_confirmed: flag('isEmailConfirmed'),
      is_mobile_confirmed: flag('isMobileConfirmed'),
      had_owner: flag('hadOwner'),
      is_active: flag('isActive'),
      must_change_password: flag('requireChangePassword'),
      password_hash: secret('password'),
      password_version: number('passwordVersion'),
      password_changed_at: time('passwordChangedAt'),
      roles: json('roleNames'),
      last_sign_in_at: time('lastLoginTime'),
      created_at: time('creationTime'),
      updated_at: time('updatedAt'),
      registration_completed_at: time('registrationCompletedAt'),
      imported_password: secret('importedPassword'),
    },
  },
  session: {
    exported: 'sessions',
    ...owned,
    columns: {
      id: text('id'),
      account_id: null,
      current_jti: secret('token'),
      front_end: text('frontEnd'),
      amr: words('methods'),
      must_change_password: flag('mustChangePassword'),
      must_enroll: flag('mustEnroll'),
      authenticated_at: time('authenticatedAt'),
      passkey_used_at: time('passkeyUsedAt'),
      factor_used_at: time('factorUsedAt'),
      passkey_id: text('passkeyId'),
      ip_address: text('ipAddress'),
      user_agent: text('userAgent'),
      signed_in_at: time('signedInAt'),
      last_refreshed_at: time('lastRefreshedAt'),
      expires_at: time('expiresAt'),
      ended_at: time('endedAt'),
      generation: number('refreshes'),
      tokens_expire_at: time('tokensExpireAt'),
      application_id: text('applicationId'),
    },
  },
  application_grant: {
    exported: 'applicationGrants',
    ...owned,
    columns: {
      id: text('id'),
      application_id: text('applicationId'),
      account_id: null,
      session_id: text('sessionId'),
      approved_session_id: text('approvedSessionId'),
      scopes: words('scopes'),
      audience: text('audience'),
      nonce: null,
      amr: words('methods'),
      authenticated_at: time('authenticatedAt'),
      code_mac: null,
      code_expires_at: null,
      code_challenge: null,
      redirect_uri: text('redirectUri'),
      redeemed_at: time('redeemedAt'),
      refresh_mac: secret('refreshToken'),
      former_refresh_mac: null,
      refreshed_at: time('refreshedAt'),
      generation: number('refreshes'),
      tokens_expire_at: time('tokensExpireAt'),
      created_at: time('createdAt'),
      expires_at: time('expiresAt'),
      ended_at: time('endedAt'),
    },
  },
  application_consent: {
    exported: 'applicationConsents',
    ...owned,
    columns: {
      id: text('id'),
      account_id: null,
      application_id: text('applicationId'),
      scopes: words('scopes'),
      at: time('at'),
    },
  },
  sign_out: {
    exported: 'signOuts',
    rows: ofAccount,
    erased: 'lastly',
    columns: {
      id: null,
      grant_id: text('grantId'),
      session_id: text('sessionId'),
      account_id: null,
      application_id: text('applicationId'),
      application_name: text('applicationName'),
      state: text('state'),
      ended_at: time('endedAt'),
      tokens_end_at: time('tokensEndAt'),
      settled_at: time('settledAt'),
      due_at: null,
      tries: number('tries'),
      failures: null,
    },
  },
  external_login: {
    exported: 'externalLogins',
    ...owned,
    columns: {
      provider: text('provider'),
      provider_key: text('providerKey'),
      id: text('id'),
      account_id: null,
      linked_at: time('linkedAt'),
    },
  },
  authenticator: {
    exported: 'authenticatorApps',
    ...owned,
    columns: {
      account_id: null,
      sealed_secret: secret('secret'),
      last_step: number('lastTimeStep'),
      enrolled_at: time('enrolledAt'),
      last_used_at: time('lastUsedAt'),
    },
  },
  passkey: {
    exported: 'passkeys',
    ...owned,
    columns: {
      id: text('id'),
      account_id: null,
      credential_id: text('credentialId'),
      public_key: secret('publicKey'),
      sign_count: number('signCount'),
      transports: words('transports'),
      rp_id: text('domain'),
      user_handle: text('userHandle'),
      name: text('name'),
      is_backed_up: flag('isBackedUp'),
      created_at: time('createdAt'),
      last_used_at: time('lastUsedAt'),
    },
  },
  recovery_code: { exported: 'recoveryCodes', ...owned, columns: { mac: secret('code'), account_id: null } },
  trusted_device: {
    exported: 'trustedDevices',
    ...owned,
    columns: {
      id: text('id'),
      mac: secret('token'),
      account_id: null,
      front_end: text('frontEnd'),
      name: text('name'),
      created_at: time('createdAt'),
      last_used_at: time('lastUsedAt'),
      expires_at: time('expiresAt'),
    },
  },
  factor_operation: {
    exported: 'factorOperations',
    ...owned,
    columns: {
      mac: null,
      purpose: text('purpose'),
      account_id: null,
      content: secret('content'),
      expires_at: time('expiresAt'),
    },
  },
  security_answer: {
    exported: 'securityAnswers',
    ...owned,
    columns: {
      account_id: null,
      question_id: text('questionId'),
      answer_hash: secret('answer'),
      answered_at: time('answeredAt'),
    },
  },
  login_flow: {
    exported: 'unfinishedSignIns',
    ...owned,
    columns: {
      mac: null,
      account_id: null,
      front_end: text('frontEnd'),
      completed: words('completedMethods'),
      password_version: null,
      lockout_subject: null,
      expires_at: time('expiresAt'),
    },
  },
  reset_token: {
    exported: 'passwordResets',
    ...owned,
    columns: {
      mac: secret('token'),
      kind: text('kind'),
      method: number('method'),
      account_id: null,
      password_version: null,
      expires_at: time('expiresAt'),
    },
  },
  pin: {
    exported: 'pins',
    rows: [
      ...ofAccount,
      { column: 'address', has: 'address', unless: 'account_id' },
      { column: 'subject', has: 'pinSubject' },
    ],
    erased: 'deleted',
    columns: {
      operation_id: null,
      purpose: text('purpose'),
      subject: null,
      mac: secret('pin'),
      account_id: null,
      address: text('address'),
      tries: number('tries'),
      created_at: time('createdAt'),
      expires_at: time('expiresAt'),
      redeemed_at: time('redeemedAt'),
    },
  },
  pin_budget: {
    exported: 'dailyCounts',
    rows: [
      { column: 'subject', has: 'lockoutSubject' },
      { column: 'subject', has: 'pinSubject' },
    ],
    erased: 'deleted',
    columns: {
      kind: text('kind'),
      subject: null,
      started_at: time('startedAt'),
      used: number('used'),
      last_used_at: time('lastUsedAt'),
    },
  },
  lockout: {
    exported: 'failedAttempts',
    rows: [{ column: 'subject', has: 'lockoutSubject' }],
    erased: 'later',
    columns: {
      subject: text('subject'),
      failures: number('failures'),
      streak: number('consecutiveFailures'),
      reservations: null,
      locked_until: time('lockedUntil'),
      touched_at: time('lastAttemptAt'),
    },
  },
  message: {
    exported: 'messages',
    rows: [...ofAccount, { column: 'recipient', has: 'address', unless: 'account_id' }],
    erased: 'deleted',
    columns: {
      id: text('id'),
      means: text('means'),
      template: text('template'),
      recipient: text('recipient'),
      account_id: null,
      sealed_content: secret('content'),
      state: text('state'),
      channel: text('channel'),
      created_at: time('createdAt'),
      expires_at: time('expiresAt'),
      due_at: null,
      settled_at: time('settledAt'),
      tries: number('tries'),
      doubtful_tries: null,
    },
  },
  owner_notice: {
    exported: 'waitingNotices',
    ...owned,
    columns: {
      account_id: null,
      recipient: text('recipient'),
      means: text('means'),
      waiting: json('changes'),
      front_end: text('frontEnd'),
      due_at: time('dueAt'),
    },
  },
  setting_value: {
    exported: 'settings',
    ...changedBy,
    columns: {
      name: text('name'),
      app_key: text('frontEnd'),
      value: null,
      changed_at: time('changedAt'),
      changed_by: text('changedBy'),
      changed_by_id: null,
    },
  },
  setting_change: {
    exported: 'settingChanges',
    ...changedBy,
    columns: {
      id: null,
      name: text('name'),
      app_key: text('frontEnd'),
      old_value: null,
      new_value: null,
      changed_at: time('changedAt'),
      changed_by: text('changedBy'),
      changed_by_id: null,
    },
  },
  external_provider_change: {
    exported: 'externalProviderChanges',
    ...changedBy,
    columns: {
      provider_id: text('providerId'),
      number: null,
      changes: null,
      changed_at: time('changedAt'),
      changed_by: text('changedBy'),
      changed_by_id: null,
    },
  },
  audit: {
    exported: 'auditEntries',
    rows: [{ column: 'user_id', has: 'accountId' }],
    erased: { emptied: ['user_name', 'ip_address', 'user_agent', 'details'] },
    columns: {
      id: number('id'),
      at: time('at'),
      action: text('action'),
      outcome: text('outcome'),
      reason: text('reason'),
      user_id: null,
      user_name: text('userName'),
      ip_address: text('ipAddress'),
      front_end: text('frontEnd'),
      user_agent: text('userAgent'),
      details: json('details'),
      sequence: number('sequence'),
      hash: text('hash'),
      commitment: null,
      by_commitment: null,
      erased_for: null,
      erased_by_for: null,
    },
  },
  audit_key: { exported: 'auditKeys', ...owned, columns: { account_id: null, key: secret('key') } },
  revocation: {
    impersonal: 'It names ended sessions by their ids, until their tokens expire.',
    columns: ['transaction_id', 'number', 'at', 'session_id', 'generation', 'key_id', 'issued_before', 'expires_at'],
  },
  audit_chain: {
    impersonal: 'It describes the ends of the audit trail.',
    columns: ['id', 'base_sequence', 'base_hash', 'head_sequence', 'head_hash', 'head_at', 'told_at'],
  },
  deleted_account: {
    impersonal: 'It keeps the numbers of deleted accounts, so that no other person gets them.',
    columns: ['id'],
  },
  audit_erasure: {
    impersonal: 'It names erased accounts by their numbers, while their erasure goes on.',
    columns: ['account_id', 'entry_id', 'erased_at', 'step'],
  },
  rate_window: {
    impersonal: 'It counts the requests of a network address, and names no account. It is deleted within minutes.',
    columns: ['policy', 'address', 'started_at', 'requests', 'refused_at'],
  },
  used_assertion: {
    impersonal: 'It names operations by keyed hashes, until they expire.',
    columns: ['mac', 'expires_at'],
  },
  authorization_request: {
    impersonal: 'It names a provider, and no account, until the request expires.',
    columns: ['mac', 'provider', 'redirect_uri', 'expires_at'],
  },
  external_provider: {
    impersonal: NO_PERSON,
    columns: [
      'id',
      'type',
      'name',
      'name_key',
      'settings',
      'is_enabled',
      'client_id',
      'sealed_secret',
      'sealed_private_key',
      'secret_expires_at',
      'untrusted_since',
      'created_at',
    ],
  },
  webhook_delivery: {
    impersonal: 'It names audit entries by their numbers.',
    columns: [
      'id',
      'webhook_id',
      'event_id',
      'type',
      'audit_id',
      'state',
      'created_at',
      'due_at',
      'tries',
      'failures',
      'last_status',
      'last_duration_ms',
      'last_error',
    ],
  },
  hourly_count: { impersonal: 'It only counts.', columns: ['hour', 'figure', 'part', 'count'] },
  role: {
    impersonal: NO_PERSON,
    columns: ['id', 'name', 'name_key', 'display_name', 'description', 'permissions', 'created_at'],
  },
  revocation_epoch: { impersonal: NO_PERSON, columns: ['id', 'epoch'] },
  service_key: { impersonal: NO_PERSON, columns: ['mac', 'name', 'permissions', 'created_at', 'last_used_at'] },
  signing_key: {
    impersonal: NO_PERSON,
    columns: ['number', 'kid', 'public_jwk', 'sealed_private_key', 'created_at', 'active_from'],
  },
  front_end: { impersonal: NO_PERSON, columns: ['id', 'app_key', 'name', 'description', 'created_at'] },
  front_end_former_key: { impersonal: NO_PERSON, columns: ['app_key', 'front_end_id'] },
  logo: { impersonal: NO_PERSON, columns: ['file_name', 'content', 'used_at'] },
  webhook: {
    impersonal: NO_PERSON,
    columns: [
      'id',
      'url',
      'actions',
      'description',
      'is_enabled',
      'disabled_because',
      'sealed_secret',
      'sealed_former_secret',
      'former_until',
      'failing_since',
      'full_since',
      'created_at',
    ],
  },
  application: {
    impersonal: NO_PERSON,
    columns: [
      'id',
      'client_id',
      'name',
      'kind',
      'settings',
      'front_end',
      'is_enabled',
      'secret_mac',
      'former_secret_mac',
      'former_until',
      'untrusted_since',
      'created_at',
    ],
  },
  application_request: {
    impersonal:
      'It names no account, and lasts for minutes. Its application may have sent a name to prefill the sign-in page.',
    columns: ['id', 'kind', 'cookie_mac', 'application_id', 'parameters', 'device_mac', 'created_at', 'expires_at'],
  },
  device_authorization: {
    impersonal: 'It names no account, and lasts for minutes.',
    columns: [
      'mac',
      'user_code_mac',
      'application_id',
      'scopes',
      'audience',
      'state',
      'grant_id',
      'ip_address',
      'interval_seconds',
      'polled_at',
      'expires_at',
    ],
  },
  used_client_assertion: { impersonal: NO_PERSON, columns: ['mac', 'expires_at'] },
  browser_session: {
    impersonal: 'It names a session, and is deleted when that has ended.',
    columns: ['mac', 'session_id', 'expires_at'],
  },
  id_token_key: {
    impersonal: NO_PERSON,
    columns: ['number', 'kid', 'public_jwk', 'sealed_private_key', 'created_at', 'active_from'],
  },
  version: { impersonal: NO_PERSON, columns: ['topic', 'number'] },
};

/** A table with rows about persons. */
export type PersonalTable = {
  readonly name: keyof Tables;
  readonly exported: string;
  readonly columns: Readonly<Record<string, Member | null>>;
  readonly rows: readonly Finder<string>[];
  readonly erased: 'deleted' | 'later' | 'lastly' | { readonly emptied: readonly string[] };
};

/** The tables with rows about persons, in the order of an export. */
export const personalTables: readonly PersonalTable[] = Object.entries(personalData).flatMap(([name, table]) =>
  'impersonal' in table ? [] : [{ ...table, name: name as keyof Tables }],
);
