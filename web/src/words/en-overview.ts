// The texts of the overview in English.

type Means = 'email' | 'sms';

const number = (count: number) => new Intl.NumberFormat('en').format(count);

const list = (names: readonly string[]) => new Intl.ListFormat('en').format(names);

const messages = (count: number, means: Means) => {
  const name = { email: 'e-mail', sms: 'text message' }[means];
  return `${number(count)} ${name}${count === 1 ? '' : 's'}`;
};

/** What the service tells of a weak setting is in English. Other languages translate it by the setting and its member. */
const weak: Readonly<Record<string, { readonly title: string; readonly text: string } | undefined>> = {};

/** The names of the parts of each figure. */
const parts: Readonly<Record<string, string>> = {
  password: 'Password',
  pin: 'One-time pin',
  external: 'External provider',
  authenticator: 'With authenticator app',
  passkey: 'Passkey',
  recoveryCode: 'With recovery code',
  account: 'Users',
  unknownName: 'Names without a user',
  address: 'By own registration',
  provider: 'Through a provider',
  email: 'E-mail',
  sms: 'Text message',
  other: 'Other',
  'signIn.invalidCredentials': 'Wrong name or password',
  'signIn.lockedOut': 'Locked',
  'signIn.notActive': 'Deactivated user',
  'pin.invalid': 'Wrong or expired code',
  'pin.cooldown': 'Code requested too soon',
  'pin.dailyLimit': 'Too many codes in a day',
  'factor.invalid': 'Wrong second factor',
  'factor.challengeInvalid': 'Second factor too late',
  'factor.enrollmentRequired': 'Second factor not set up',
  'password.incorrect': 'Wrong current password',
  'password.policy': 'Password against the rules',
  'reset.invalidToken': 'Wrong code, link or answers',
  'external.couldNotValidate': 'Not confirmed by the provider',
  'external.unavailable': 'No usable answer from a provider',
  'external.emailInUse': 'Provider’s address in use',
  'rateLimit.exceeded': 'Too many requests',
  'token.expired': 'Expired token',
  'token.revoked': 'Revoked token',
  'token.invalid': 'Invalid token',
  'permission.denied': 'No permission',
};

export const overview = {
  title: 'Overview',
  range: { label: 'Range', '24h': '24 hours', '7d': '7 days', '30d': '30 days' },
  during: { '24h': 'in the last 24 hours', '7d': 'in the last 7 days', '30d': 'in the last 30 days' },
  figures: {
    title: 'Figures',
    signIns: 'Sign-ins',
    refusals: 'Refusals',
    lockouts: 'Lockouts',
    registrations: 'Registrations',
    messagesSent: 'Messages sent',
    messagesFailed: 'Messages not sent',
    /** A number as a link to what it counts, for a screen reader. */
    listOf: (figure: string, total: string) => `${figure}: ${total}`,
  },
  /** The change against the period before, such as "+12%". */
  change: (change: string, previous: string) => `${change} · ${previous} before`,
  same: 'As many as before',
  noneBefore: 'None before',
  parts,
  /** What became of messages: a means without a gateway has the outbox. */
  messages: { sent: 'Sent', outbox: 'In the outbox', either: 'Sent or in the outbox', failed: 'Not sent' },
  charts: {
    signIns: 'Sign-ins by method',
    applications: 'Sign-ins to applications',
    refusals: 'Refusals by reason',
    messages: 'Messages',
    lockouts: 'Lockouts',
    registrations: 'Registrations',
    /** What a screen reader says of a chart. */
    summary: (title: string, total: string, peak: string | undefined) =>
      `${title}: ${total}.${peak ? ` Most at ${peak}.` : ''} The table below has the numbers.`,
    table: 'Show the numbers',
    total: 'Number',
    when: 'From',
    parts: 'Of which',
    nothing: 'None in this range.',
    trail: 'Audit trail',
    trailOf: (title: string) => `Audit trail: ${title}`,
  },
  started: {
    title: 'Get started',
    done: (done: number, all: number) => `${number(done)} of ${number(all)} done`,
    dismiss: 'Dismiss',
    dismissed: '“Get started” is hidden in this browser.',
    isDoneLabel: 'Done',
    steps: {
      address: {
        title: 'Give yourself an e-mail address',
        text: 'A verified address resets a forgotten password. Verifying it also shows whether e-mail arrives.',
        action: 'My account',
      },
      email: {
        title: 'Send e-mail',
        text: 'Codes and links stay in the outbox until a mail server is configured.',
        action: 'How to',
      },
      sms: {
        title: 'Send text messages',
        text: 'Codes for mobile numbers stay in the outbox until a gateway is configured, or SMS is turned off.',
        action: 'How to',
      },
      factorKinds: {
        title: 'Turn on second factors',
        text: 'Passkeys or the authenticator app. Until then, a password alone opens every account, also yours.',
        action: 'Settings',
      },
      factor: {
        title: 'Protect your account with a second factor',
        text: 'An authenticator app or a passkey: your account may change everything.',
        action: 'My account',
      },
      connect: {
        title: 'Connect the first application',
        text: 'An application that people sign in to, or a front end of your own.',
        action: 'Create',
      },
      user: {
        title: 'Create the first user',
        text: 'The user gets a link to set a password.',
        action: 'Create',
      },
    },
  },
  empty: 'Nothing has been counted in this range yet. Sign-ins, refusals and messages appear here as they happen.',
  since: (day: string) => `The service has been counting since ${day}. There are no figures from before.`,
  now: {
    title: 'Right now',
    openSessions: 'Open sessions of users',
    users: 'Users',
    active: 'Active',
    inactive: 'Deactivated',
    locked: 'Locked',
    mustChangePassword: 'Must change the password',
    /** A number that the service did not count to its end. */
    orMore: (count: string) => `${count} or more`,
  },
  attention: {
    title: 'Needs attention',
    nothing: 'Nothing needs your attention.',
    conformance: 'What the service holds of OWASP ASVS and NIST',
    all: (count: number) => `Show all ${count}`,
    messagesWaiting: (count: number, means: Means, time: string) => ({
      title: `${messages(count, means)} ${count === 1 ? 'waits' : 'wait'} to be sent`,
      text: `The oldest has waited for ${time}. The gateway does not accept it. The log of the service says why.`,
    }),
    messagesFailed: (failed: number, all: number, means: Means) => ({
      title: `${number(failed)} of ${messages(all, means)} could not be sent in the last 24 hours`,
      text: 'Check the gateway. The log of the service says why each message failed.',
    }),
    webhooksDisabled: (names: readonly string[], count: number) => ({
      title: count === 1 ? 'The service has disabled a webhook' : `The service has disabled ${number(count)} webhooks`,
      text: `The receiver wants no more events, or has failed for five days. Correct it, then enable the webhook: ${list(names)}${count > names.length ? ' …' : ''}`,
    }),
    webhooksFull: (names: readonly string[], count: number) => ({
      title: count === 1 ? 'A webhook gets no new events' : `${number(count)} webhooks get no new events`,
      text: `100,000 events wait already. Correct the receiver, or delete the webhook: ${list(names)}${count > names.length ? ' …' : ''}`,
    }),
    providerSecretsExpire: (names: readonly string[], count: number, date: string, isOver: boolean) => ({
      title:
        count === 1
          ? `The client secret of an external provider ${isOver ? 'expired' : 'expires'} on ${date}`
          : `Client secrets of ${number(count)} external providers ${isOver ? 'have expired or expire soon' : 'expire'}, the first on ${date}`,
      text: `With an expired secret nobody can sign in. Make a new one at the provider and enter it here, with the day on which it expires: ${list(names)}${count > names.length ? ' …' : ''}`,
    }),
    chainStandsStill: (time: string) => ({
      title: 'New entries of the audit trail are not chained',
      text: `The oldest has waited for ${time}. Until it is chained, nobody can tell whether it was changed. The log of the service says why.`,
    }),
    keyOverdue: (date: string) => ({
      title: `The signing key was due to be replaced on ${date}`,
      text: 'The service does this itself, but has not. Look for errors in its log, or run: latchkey keys rotate',
    }),
    keyRotatesSoon: (date: string) => ({
      title: `The service replaces its signing key on ${date}`,
      text: 'Sessions stay open. Services that fetch the key set need no change.',
    }),
    badSettings: (count: number) => ({
      title: count === 1 ? 'A stored setting is out of bounds' : `${number(count)} stored settings are out of bounds`,
      text: 'The last good value stays in force. The log of the service names the setting: save it again.',
    }),
    secondFactorUnmet: (frontEnds: readonly string[]) => ({
      title: `A second factor is required at ${list(frontEnds)}, but no kind is turned on`,
      text: 'The service therefore asks no user for one. Turn on passkeys or the authenticator app.',
    }),
    weakSetting: (title: string, text: string, frontEnds: readonly string[]) => ({
      title: frontEnds.length === 0 ? `Weak setting: ${title}` : `Weak setting at ${list(frontEnds)}: ${title}`,
      text,
    }),
    weak,
    serviceKeysUnused: (names: readonly string[], count: number) => ({
      title:
        count === 1
          ? 'A service key has not been used for 90 days'
          : `${number(count)} service keys have not been used for 90 days`,
      text: `Withdraw the keys that no service needs: ${list(names)}${count > names.length ? ' …' : ''}`,
    }),
    noGateway: (means: Means) => ({
      title: means === 'email' ? 'E-mails are not sent' : 'Text messages are not sent',
      text: 'No gateway is configured. The messages appear in the outbox instead.',
    }),
    actions: {
      trail: 'Show failed messages',
      setting: 'Change the setting',
      settings: 'Open the settings',
      serviceKeys: 'Open the service keys',
      webhooks: 'Open the webhooks',
      outbox: 'Open the outbox',
    },
  },
};
