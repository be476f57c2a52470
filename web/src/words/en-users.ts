// The texts of lists of users, of actions on several of them, of import, export and invitations in English.

const count = (number: number) => number.toLocaleString('en');
const users = (number: number) => (number === 1 ? '1 user' : `${count(number)} users`);
/** The first five names, and how many more there are. */
const firstOf = (names: readonly string[]) =>
  [...names.slice(0, 5), ...(names.length > 5 ? [`and ${count(names.length - 5)} more`] : [])].join(', ');

export const userLists = {
  total: users,
  columns: {
    userName: 'User name',
    name: 'Name',
    emailAddress: 'E-mail address',
    mobileNumber: 'Mobile number',
    roles: 'Roles',
    lastLogin: 'Last sign‑in',
    created: 'Created',
    status: 'Status',
  },
  status: {
    inactive: 'Deactivated',
    locked: 'Locked',
    factorLocked: 'Second factors locked',
    mustChange: 'Must change password',
  },
  idOf: (id: number) => `id ${id}`,
  sessions: {
    title: 'Sessions',
    none: 'There is no open session.',
    signedIn: (at: string) => `Signed in ${at}`,
    used: (at: string) => `refreshed ${at}`,
    end: 'End',
    endOne: (browser: string) => `End the session ${browser}`,
    endTitle: (name: string) => `End this session of ${name}?`,
    endText: (browser: string) => `${browser} is signed out at once. Other sessions stay open.`,
    ended: 'The session has ended.',
  },
  activity: {
    title: 'Activity',
    none: 'The audit trail has no entries about this user.',
    by: (name: string) => `by ${name}`,
    from: (ip: string) => `from ${ip}`,
    all: 'Everything in the audit trail',
    refusals: 'Refusals only',
  },
  resetLink: {
    open: 'Send a reset link',
    title: (name: string) => `Send ${name} a reset link`,
    about: (address: string, minutes: string) =>
      `The link to set a new password goes to ${address}. It is valid for ${minutes} and works once. The password stays until then.`,
    noAddress: 'The user has no e-mail address that a link could go to.',
    unverified: (address: string) =>
      `${address} is not verified, so that no link can go to it. If you know that the address belongs to the user, you can mark it as verified.`,
    inactive: 'The user is deactivated. Activate it first.',
    noMail: 'Links cannot be sent: e-mail is turned off on this service (LATCHKEY_SMTP_URL).',
    notAllowed: 'Links to reset a password are turned off. Turn them on in the Security Settings first.',
    send: 'Send the link',
    sent: (name: string) => `A link to ${name} is on its way.`,
  },
  more: 'More',
};

export const userFilters = {
  filter: 'Filter',
  filterButton: 'Filter and sort',
  labels: {
    state: 'State',
    role: 'Role',
    factor: 'Second factor',
    since: 'Not signed in since',
    from: 'Created from',
    to: 'Created to',
  },
  states: { all: 'All', active: 'Active', inactive: 'Deactivated' },
  anyRole: 'Any',
  factorStates: { any: 'With or without', with: 'With', without: 'Without' },
  flags: {
    signedIn: 'With an open session',
    locked: 'Locked',
    mustChange: 'Must change password',
    never: 'Never signed in',
    unverified: 'Address not verified',
  },
  chips: {
    title: 'Filters',
    remove: (label: string) => `Remove the filter "${label}"`,
    clear: 'Remove all',
    role: (name: string) => `Role: ${name}`,
    factor: { any: '', with: 'With second factor', without: 'Without second factor' },
    since: (day: string) => `Not signed in since ${day}`,
    from: (day: string) => `Created from ${day}`,
    to: (day: string) => `Created to ${day}`,
  },
};

export const bulk = {
  title: 'Actions on the selected users',
  selected: (number: number) => `${users(number)} selected`,
  elsewhere: (number: number) => `(${count(number)} on other pages)`,
  selectAll: (number: number) => `Select all ${users(number)} found`,
  selectFirst: (number: number) => `Select the first ${users(number)} found`,
  /** After an action on a part of what was found. */
  selectNext: (number: number) =>
    number === 1 ? 'Select the last user found' : `Select the next ${users(number)} found`,
  clear: 'Clear the selection',
  choose: 'Choose an action',
  actions: {
    activate: {
      label: 'Activate',
      title: (number: number) => `Activate ${users(number)}?`,
      text: 'They can sign in again.',
      yes: 'Activate',
      done: (number: number) => `${users(number)} activated.`,
      unchanged: 'was active already',
    },
    deactivate: {
      label: 'Deactivate',
      title: (number: number) => `Deactivate ${users(number)}?`,
      text: 'All of their sessions end at once. They cannot sign in until you activate them again.',
      yes: 'Deactivate',
      done: (number: number) => `${users(number)} deactivated.`,
      unchanged: 'was deactivated already',
    },
    signOut: {
      label: 'Sign out everywhere',
      title: (number: number) => `Sign ${users(number)} out everywhere?`,
      text: 'All of their sessions end at once. They can sign in again.',
      yes: 'Sign out everywhere',
      done: (number: number) => `${users(number)} signed out.`,
      unchanged: '',
    },
    unlock: {
      label: 'Unlock',
      title: (number: number) => `Unlock ${users(number)}?`,
      text: 'Locks after too many failed attempts end, and failed attempts no longer count.',
      yes: 'Unlock',
      done: (number: number) => `${users(number)} unlocked.`,
      unchanged: '',
    },
    requireChange: {
      label: 'Require password change',
      title: (number: number) => `Require ${users(number)} to change the password?`,
      text: 'They must set a new password before they do anything else. Open sessions stay, but can only change the password.',
      yes: 'Require password change',
      done: (number: number) => `${users(number)} must change the password.`,
      unchanged: 'had to change the password already',
    },
    invite: {
      label: 'Send invitation',
      title: (number: number) => `Invite ${users(number)}?`,
      text: 'Users who have a password or an open invitation get no e-mail.',
      yes: 'Send invitation',
      done: (number: number) => `${users(number)} invited.`,
      unchanged: 'has a password or an open invitation already',
    },
  },
  accounts: 'Selected users',
  others: (number: number) => `and ${count(number)} more`,
  yourself: 'Your own account is selected. It comes last.',
  progress: (done: number, all: number) => `${count(done)} of ${count(all)}`,
  stop: 'Stop',
  stopped: (number: number) => `Stopped. ${users(number)} left as they were.`,
  refused: (number: number) => `${users(number)} refused.`,
  results: 'Result for each user',
  done: 'done',
  retry: (number: number) => `Try ${users(number)} again`,
  undo: 'Undo',
  undone: (number: number) => `Undone for ${users(number)}.`,
};

export const exports = {
  open: 'Export',
  csv: 'As CSV, for spreadsheets',
  jsonl: 'As JSON lines, for programs',
  title: 'Export users',
  running: (done: number, all: number) => `${count(done)} of ${users(all)}`,
  done: (number: number) => `${users(number)} exported.`,
  failed: 'The export has failed, or your session has ended. No file was saved. Please try again.',
  cancelled: 'The export was cancelled.',
};

export const imports = {
  open: 'Import',
  title: 'Import users',
  about:
    'Create many users from a file: CSV with a row of column names, JSON lines, or a JSON array. The next step checks the file and changes nothing.',
  limits: (megabytes: number) => `At most ${megabytes} MB.`,
  file: 'File',
  choose: 'Choose a file',
  faults: {
    tooLarge: (megabytes: number) =>
      `The file is larger than ${megabytes} MB. Split it, or use "latchkey import users" on the server.`,
    notReadable:
      'The file has no rows, or cannot be read. Use CSV with a row of column names, JSON lines, or a JSON array.',
    noUserName: 'Choose the column with the user names. Without one, the e-mail address becomes the user name.',
    twice: (label: string) => `Two columns are chosen for "${label}". Choose one.`,
    repeated: (columns: readonly string[]) =>
      `More than one column has the name ${columns.map((column) => `"${column}"`).join(', ')}. Rename or remove all but one of them.`,
  },
  /** Why a row cannot be read. */
  unreadable: {
    notObject: 'This is not a JSON object.',
    tooLong: 'The row is longer than 1 MB.',
    damaged: 'The row has characters that are no UTF-8, or that a conversion has lost.',
    repeated: (names: readonly string[]) => `The row has two members with the name ${names.join(', ')}.`,
    tooManyCells: 'The row has more cells than the row of column names.',
    quotes: 'The row has a quotation mark that is not closed, or not doubled. What follows may be part of it.',
    cutOff: 'The file is cut off here.',
    unreadable: 'The file is not well-formed from here on. What follows was not read.',
    noUser: (title: string) => `The row is no user of ${title}.`,
  },
  mapping: {
    system: (title: string) =>
      `This is an export of ${title}. Ids, external logins and second factors come along only with "latchkey import users" on the server.`,
    title: 'Columns',
    about: (rows: number) =>
      `${rows === 1 ? '1 row' : `${count(rows)} rows`} found. Choose what each column means. The import ignores columns that you leave out.`,
    column: 'Column in the file',
    sample: 'First values',
    member: 'Becomes',
    memberOf: (column: string) => `What "${column}" becomes`,
    leaveOut: 'Leave out',
    rolesHint: 'Separate several roles in one cell by ; or by commas.',
    tenantHint: 'Rows of a tenant are skipped. To import them as well, leave the column out.',
    hashHint:
      'Password hashes need the permission to change settings, because the service cannot check them against the password rules.',
  },
  members: {
    userName: 'User name',
    name: 'First name',
    surname: 'Last name',
    emailAddress: 'E-mail address',
    isEmailConfirmed: 'E-mail address is verified',
    mobileNumber: 'Mobile number',
    isMobileConfirmed: 'Mobile number is verified',
    isActive: 'Is active',
    bannedUntil: 'Is banned until',
    requireChangePassword: 'Must change password',
    roleNames: 'Roles',
    passwordHash: 'Password hash',
    isDeleted: 'Is deleted: skip the row',
    tenantId: 'Tenant: skip rows of a tenant',
  },
  morePages:
    'This file is one page of several: the other system has more users. Import the files of the other pages too.',
  check: 'Check the file',
  another: 'Choose another file',
  checking: 'Checking the file',
  importing: 'Importing',
  progress: (done: number, all: number) => `${count(done)} of ${count(all)} rows`,
  stop: 'Stop',
  resume: 'Continue',
  stopped: 'Stopped. Users who were created so far stay.',
  checked: 'The file is checked. Nothing was changed.',
  finished: 'The import is finished.',
  counts: {
    wouldAdd: (number: number) => `${users(number)} can be created.`,
    added: (number: number) => `${users(number)} created.`,
    skipped: (number: number) => (number === 1 ? '1 row skipped.' : `${count(number)} rows skipped.`),
    refused: (number: number) => (number === 1 ? '1 row refused.' : `${count(number)} rows refused.`),
  },
  start: (number: number) => `Create ${users(number)}`,
  change: 'Change the columns',
  problems: 'Rows that are skipped or refused',
  row: 'Row',
  user: 'User',
  reason: 'Why',
  outcome: 'Result',
  outcomes: { added: 'created', skipped: 'skipped', refused: 'refused' },
  /** In the report of a check, which has created nothing. */
  addable: 'can be created',
  shown: (shown: number, all: number) => `The first ${count(shown)} of ${count(all)}. The report has all.`,
  report: 'Download the report',
  repeated: (row: number) => `Row ${row} has the same user name, e-mail address or mobile number.`,
  skippedWhy: {
    'a service account': 'The row is a service account.',
    anonymous: 'The row is an anonymous user.',
    deleted: 'The row is marked as deleted.',
    empty: 'The row is empty.',
    'of a tenant': 'The row belongs to a tenant.',
  },
  brought: {
    title: 'What else the file brings',
    newRoles: (names: readonly string[]) => `Add new roles: ${firstOf(names)}`,
    newRolesHint: 'New roles grant nothing. Without them, the service refuses their users.',
    administrators: (names: readonly string[]) =>
      `Create ${names.length === 1 ? '1 administrator' : `${count(names.length)} administrators`}: ${firstOf(names)}`,
    administratorsHint:
      'The roles of these users grant permissions of this service. If you do not allow it, the service refuses them.',
  },
  show: 'Show the users',
};

export const invitation = {
  how: 'First sign-in',
  invite: 'Send a link to set a password',
  password: 'Set a password now',
  later: 'Create the user without a password',
  laterHint: 'You can send an invitation or set a password later, on the page of the user.',
  about: (minutes: string) =>
    `The e-mail has a link to set a password. It is valid for ${minutes}, works once, and verifies the address.`,
  notAllowed:
    'Invitations cannot be sent: links to reset a password are turned off. Turn them on in the Security Settings first.',
  noMail: 'Invitations cannot be sent: e-mail is turned off on this service (LATCHKEY_SMTP_URL).',
  outbox: 'No mail server is configured. E-mails go to the outbox, and users do not receive them.',
  language: 'Language of the e-mail',
  languages: { en: 'English', de: 'German', fr: 'French' },
  needsAddress: 'Give the address that the link goes to.',
  createAndSend: 'Create and send the link',
  createdAndSent: (name: string) => `${name} was created, and the link is on its way.`,
  /** What a notification says of an e-mail that no mail server sends. */
  inOutbox: (name: string) => `No mail server is configured. The e-mail to ${name} is in the outbox.`,
  send: 'Send invitation',
  again: 'Send again',
  title: (name: string) => `Invite ${name}`,
  to: (address: string) => `The e-mail goes to ${address}.`,
  sent: (name: string) => `An invitation to ${name} is on its way.`,
  notSent: (name: string) => `${name} was created, but no link was sent.`,
  noPassword: 'The user has no password. Send an invitation, or set a password.',
  open: (until: string) => `The user has no password yet. A link to set one is valid until ${until}.`,
};
