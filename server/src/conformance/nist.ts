// NIST SP 800-63B-4: what of AAL1 and AAL2 concerns a service that verifies who people are.
import type { Requirement, Standard } from './requirement.ts';
import {
  anyFactorKind,
  autoLogOff,
  fewWrongPins,
  idleHour,
  lockout,
  noComposition,
  noQuestions,
  noTrustedDevices,
  passkeys,
  passwordsOf,
  secondFactor,
  sessionsOfDays,
} from './settings.ts';

const levels: readonly Requirement[] = [
  {
    id: '2.1.2',
    level: 'AAL1',
    text: 'People and the service talk over an authenticated, encrypted channel.',
    yours: 'Put TLS in front. With an https address the service tells browsers to stay with it.',
  },
  {
    id: '2.1.3',
    level: 'AAL1',
    text: 'A new sign-in is due after a fixed time, 30 days at most.',
    held: ['scenarios/tokens › expires tokens and sessions, each at their time'],
    settable: [sessionsOfDays(30)],
  },
  {
    id: '2.2.1',
    level: 'AAL2',
    text: 'A sign-in proves two different factors.',
    held: [
      'attacks/factor-gate › stands before every call that answers a token',
      'scenarios/factor-policy › restricts a session to enrolling until there is one',
    ],
    settable: [secondFactor, anyFactorKind, noTrustedDevices],
  },
  {
    id: '2.2.2',
    level: 'AAL2',
    text: 'One of the factors resists replay.',
    held: [
      'src/factors/factors › accept each time step of an authenticator once, and no step before it',
      'attacks/passkeys › accepts one of many parallel uses of an assertion, and no replay',
    ],
  },
  {
    id: '2.2.2',
    level: 'AAL2',
    text: 'One way to sign in resists phishing, and people may choose it.',
    held: ['scenarios/passkeys › sign in without a name, as two factors'],
    settable: [passkeys],
  },
  {
    id: '2.2.3',
    level: 'AAL2',
    text: 'A new sign-in is due after 24 hours at most.',
    held: ['scenarios/tokens › expires tokens and sessions, each at their time'],
    settable: [sessionsOfDays(1)],
  },
  {
    id: '2.2.3',
    level: 'AAL2',
    text: 'A new sign-in is due after an hour without activity at most.',
    held: [
      'e2e/tabs › are all signed off without activity, despite background requests, and the token is revoked',
      'scenarios/sign-in-to-applications › asks the sign-in page about a person who may have been inactive for longer than automatic log-off allows',
    ],
    settable: [autoLogOff, idleHour],
    notHeld: 'The page enforces the time. A copy of its token is valid until it expires or is revoked.',
  },
];

const passwords: readonly Requirement[] = [
  {
    id: '3.1.1.2',
    level: 'AAL1',
    text: 'A password that is the only factor has 15 characters.',
    held: ['src/passwords/password › length of a new password'],
    settable: [passwordsOf(15)],
  },
  {
    id: '3.1.1.2',
    level: 'AAL2',
    text: 'A password beside another factor has 8 characters.',
    held: ['src/passwords/password › length of a new password'],
    settable: [passwordsOf(8)],
  },
  {
    id: '3.1.1.2',
    level: 'AAL1',
    text: 'A password may have 64 characters, of all of Unicode, and each code point counts as one.',
    held: ['src/passwords/password › length of a new password', 'src/passwords/passwords › counts …'],
  },
  {
    id: '3.1.1.2',
    level: 'AAL1',
    text: 'No rule demands kinds of characters.',
    held: ['src/passwords/password › are required only where the policy requires them'],
    settable: noComposition,
  },
  {
    id: '3.1.1.2',
    level: 'AAL1',
    text: 'No password has to be changed because of its age.',
    held: ['scenarios/standards › takes a password of five years ago'],
  },
  {
    id: '3.1.1.2',
    level: 'AAL1',
    text: 'A compromised password has to be changed.',
    held: ['attacks/takeover › is restricted while an administrator requires a change of password'],
    yours: 'Demand the change on the page of the user, or by an import of users.',
  },
  {
    id: '3.1.1.2',
    level: 'AAL1',
    text: 'There are no hints, and no security questions.',
    held: ['scenarios/security-questions › are off until an administrator switches them on, and the setting says why'],
    settable: [noQuestions],
  },
  {
    id: '3.1.1.2',
    level: 'AAL1',
    text: 'The whole password is verified, after normalizing it.',
    held: [
      'src/passwords/passwords › accepts every spelling of one text, by NFC',
      'scenarios/typed-names › signs in by user name and address, with the password exactly as it is',
    ],
  },
  {
    id: '3.1.1.2',
    level: 'AAL1',
    text: 'A new password is compared as a whole with common, expected and compromised ones, and the refusal says why.',
    held: [
      'src/passwords/common-passwords › a common password is refused',
      'src/passwords/password › refuses …',
      'src/passwords/password › gets an entry for every rule it breaks, each with the member of the request',
    ],
    notHeld:
      'The set is about 49,000 common passwords, with usual additions. No larger set of breached passwords is asked.',
  },
  {
    id: '3.1.1.2',
    level: 'AAL1',
    text: 'People get help to choose a strong password.',
    held: ['e2e/sign-in › connects the password rules to their field, and announces the state when typing pauses'],
  },
  {
    id: '3.1.1.2',
    level: 'AAL1',
    text: 'Password managers, pasting and showing the password work.',
    held: [
      'e2e/password-fields › hide what is typed, take a pasted password, and name themselves to password managers',
      'e2e/sign-in › works by keyboard alone',
    ],
  },
  {
    id: '3.1.1.2',
    level: 'AAL1',
    text: 'Passwords are stored salted, by a slow function with a cost.',
    held: [
      'src/passwords/passwords › creates argon2id with 19456 KiB, two passes, one lane, and a new salt for each hash',
    ],
  },
  {
    id: '3.1.1.2',
    level: 'AAL1',
    text: 'A keyed hash with a secret apart from the hashes is added.',
    notHeld: 'It is a recommendation. Hashes of passwords are not keyed, so that they can be moved to another system.',
  },
];

const authenticators: readonly Requirement[] = [
  {
    id: '3.1.2',
    level: 'AAL2',
    text: 'Look-up secrets are random, work once, and guessing them is limited.',
    held: [
      'src/factors/factors › have ten recovery codes, each for one use, in any spelling that a person writes',
      'attacks/factor-guesses › complete one sign-in with …, over as many challenges',
    ],
  },
  {
    id: '3.1.2',
    level: 'AAL2',
    text: 'Look-up secrets of less than 112 bits are stored by a salted password hash.',
    held: ['src/factors/factors › have ten recovery codes, each for one use, in any spelling that a person writes'],
    notHeld:
      'Codes of ten characters, made before 27 November 2026, have 50 bits and stay valid until they are used or replaced. They are stored as keyed hashes, not slow ones.',
  },
  {
    id: '3.1.3.1',
    level: 'AAL1',
    text: 'E-mail is not used to authenticate.',
    notHeld:
      'Pins to sign in go by e-mail where an account has no verified number. They never count as a second factor.',
  },
  {
    id: '3.1.3.2',
    level: 'AAL1',
    text: 'A code by another channel lasts ten minutes at most, works once and has six digits.',
    held: [
      'scenarios/pin-sign-in › accepts a pin until its lifetime ends, and not at the end itself',
      'attacks/pins › open one session when the right pin is sent a hundred times',
      'src/proofs/pin › refuses settings with fewer than a million pins, or with a character twice',
    ],
  },
  {
    id: '3.1.3.2',
    level: 'AAL1',
    text: 'A new code does not give new tries.',
    held: [
      'src/proofs/pins › accepts no pin for the rest of the day after too many wrong tries, counted over all pins',
    ],
  },
  {
    id: '3.1.3.3',
    level: 'AAL1',
    text: 'SMS are restricted: another way is offered, and the risk is told.',
    held: ['e2e/words › say the risk of SMS where a person gives a number'],
    yours: 'Turn on passkeys or the authenticator app, and write your plan to do without SMS.',
    notHeld: 'The service does not ask whether a number has moved.',
  },
  {
    id: '3.1.4.2',
    level: 'AAL2',
    text: 'A code of an app counts once, within a defined time, and guessing is limited.',
    held: [
      'src/factors/totp › are right one step early and late, and tell their own step',
      'attacks/factor-guesses › lock after five wrong ones, whatever the settings allow, and the right password refills nothing',
    ],
  },
  {
    id: '3.1.4.2',
    level: 'AAL2',
    text: 'The secret of an app has 112 bits.',
    held: ['src/factors/totp › come from a secret of 160 bits, with everything in the address that an app needs'],
  },
  {
    id: '3.1.6.2',
    level: 'AAL2',
    text: 'Keys of 112 bits verify a challenge of 64 bits that does not come twice.',
    held: [
      'src/factors/credential-key › may be of P-256, Ed25519, or RSA with 2048 to 4096 bits',
      'src/factors/passkeys › are used once for an operation, within five minutes',
      'scenarios/standards › asks passkeys to sign challenges of 128 bits or more, each another one',
    ],
  },
  {
    id: '3.1.7.2',
    level: 'AAL2',
    text: 'A key whose user was not verified is one factor.',
    held: [
      'src/sign-in/passkey › proves possession alone, as a second factor without verification of the user',
      'attacks/passkeys › without verification of the user, or without user handle, as sign-in',
    ],
  },
];

const verifiers: readonly Requirement[] = [
  {
    id: '3.2.1',
    level: 'AAL1',
    text: 'A factor that is reported as lost is invalid at once.',
    held: [
      'scenarios/factor-administration › remove all factors with a reason, which the owner and the audit trail learn',
      'attacks/passkeys › refuses a deactivated account, a removed passkey and a deleted account',
    ],
  },
  {
    id: '3.2.2',
    level: 'AAL1',
    text: 'At most 100 failures in a row.',
    held: [
      'attacks/lockout › locks after 100 failures in a row for every front end',
      'attacks/lockout › counts up to 100 in a row across short locks, front ends and ways to sign in',
    ],
    settable: [lockout, fewWrongPins],
    notHeld:
      'The 100th failure locks the account for an hour, and each further one again. It does not ask for a new enrollment. A week without an attempt begins a new count, for an account as for a name without one. Wrong codes to reset a password are bounded by the day alone: 50 a day are more than 100 in a row on the third day.',
  },
  {
    id: '3.2.5',
    level: 'AAL2',
    text: 'Resistance to phishing comes from keys that are bound to the name of the service.',
    held: [
      'scenarios/passkey-addresses › work at each origin on their domain and in a listed Android app, and nowhere else',
    ],
  },
  {
    id: '3.2.7',
    level: 'AAL2',
    text: 'What was recorded of a sign-in completes no other one.',
    held: [
      'attacks/factor-guesses › are not replayed: within the step, for another purpose, and after a new enrollment',
    ],
  },
  {
    id: '3.2.12',
    level: 'AAL1',
    text: 'Random values come from an approved generator.',
    held: ['architecture/conventions › time and chance stand only in foundation/'],
  },
  {
    id: 'B.3',
    level: 'AAL2',
    text: 'The flags of a passkey are read: whether its user was verified, and whether it is synced.',
    held: [
      'src/factors/passkeys › are registered with what the authenticator says of them',
      'scenarios/passkeys › need not verify the user as second factor',
    ],
  },
];

const events: readonly Requirement[] = [
  {
    id: '4.1',
    level: 'AAL1',
    text: 'Each change of factors is recorded, with time and address.',
    held: ['scenarios/factor-administration › find each change of an owner in the audit trail, without a secret'],
  },
  {
    id: '4.1.2.1',
    level: 'AAL2',
    text: 'Binding another factor needs a sign-in of the level that the account has.',
    held: [
      'attacks/factor-changes › are refused to the password alone in a session …',
      'attacks/factor-changes › complete only in a session that has proven the factor',
    ],
  },
  {
    id: '4.1.2.1',
    level: 'AAL1',
    text: 'An account may have several factors, and its owner is told of each.',
    held: [
      'src/factors/passkeys › are registered once, for one account, up to 20',
      'src/account-factors/account-factors › end what was begun and remembered when they change, and the owner learns it',
    ],
  },
  {
    id: '4.2.1.1',
    level: 'AAL2',
    text: 'Saved recovery codes have 64 bits, work once, and are stored hashed.',
    held: [
      'src/factors/factors › have ten recovery codes, each for one use, in any spelling that a person writes',
      'scenarios/authenticator › is replaced by a recovery code, which works once',
    ],
    notHeld:
      'Codes of ten characters, made before 27 November 2026, have 50 bits and stay valid until they are used or replaced.',
  },
  {
    id: '4.2.1.2',
    level: 'AAL1',
    text: 'Codes for recovery have six digits, go to verified addresses, and last ten minutes by SMS and a day by e-mail.',
    held: [
      'scenarios/password-reset › keeps links and pins valid as long as the settings say, and tokens for ten minutes',
      'attacks/reset-options › list verified addresses only',
    ],
  },
  {
    id: '4.2.2.2',
    level: 'AAL2',
    text: 'Recovery at AAL2 takes two codes of different ways, or a code with a factor.',
    held: ['attacks/factor-gate › stands after a recovered password, which removes no factor and opens no session'],
    notHeld: 'A person who has lost all factors needs an administrator.',
  },
  {
    id: '4.2.3',
    level: 'AAL1',
    text: 'The owner is told of each recovery.',
    held: [
      'scenarios/password-reset › notifies the owner on every verified address, and sends nothing to others',
      'scenarios/my-factors › tell the owner when a recovery code was used, and how many are left',
    ],
  },
  {
    id: '4.5',
    level: 'AAL1',
    text: 'What a person authenticates with ends with the account, or when it is compromised.',
    held: [
      'attacks/passkeys › refuses a deactivated account, a removed passkey and a deleted account',
      'attacks/erasure › leaves nothing in any table, and nothing of others is lost',
    ],
  },
  {
    id: '4.6',
    level: 'AAL1',
    text: 'Notices go to all addresses of the account, of which it may have two.',
    held: ['scenarios/password-reset › notifies the owner on every verified address, and sends nothing to others'],
    yours: 'Built-in texts say what to do, but name no contact: add yours to the texts.',
    notHeld:
      'A change of the own password is told by e-mail alone: an account without a verified e-mail address gets no message.',
  },
];

const sessions: readonly Requirement[] = [
  {
    id: '5.1',
    level: 'AAL1',
    text: 'Session secrets are random, made by the sign-in, and end with the sign-out.',
    held: [
      'attacks/sessions › are verified on every call: a token is refused as soon as any call has ended its session',
      'attacks/tokens › are refused when they name an unknown session or token',
    ],
  },
  {
    id: '5.1',
    level: 'AAL1',
    text: 'Session secrets are not in storage that any script of the page can read.',
    notHeld:
      'It is a recommendation. The pages keep the token in sessionStorage, or in localStorage when a person stays signed in. A policy with a nonce keeps foreign scripts out.',
  },
  {
    id: '5.1',
    level: 'AAL2',
    text: 'A remembered browser does not replace a factor.',
    held: [
      'attacks/factor-endings › a shorter time in the settings applies at once, and no time at all ends every trusted device',
    ],
    settable: [noTrustedDevices],
  },
  {
    id: '5.1',
    level: 'AAL1',
    text: 'A session has the level of its sign-in, and no higher one.',
    held: [
      'attacks/factor-changes › end the other sessions with one factor when the first factor comes, and no stronger one',
      'scenarios/my-factors › raise a session by a code, and never by the password',
    ],
  },
  {
    id: '5.1',
    level: 'AAL1',
    text: 'Requests of other sites change nothing.',
    held: [
      'attacks/cross-site › can make no call that may count or act, but those of proxies and those that pages of applications lead to',
      'attacks/bearer › is not the query, a cookie or the body',
    ],
  },
  {
    id: '5.1.1',
    level: 'AAL1',
    text: 'Cookies are for https and this host alone, and closed to scripts.',
    held: ['src/contract/cookies › are sent to this host alone, by https alone, and not to scripts'],
  },
  {
    id: '5.1.2',
    level: 'AAL1',
    text: 'An access token does not show that the person is there.',
    held: [
      'scenarios/sign-in-to-applications › ends with the session in which it was given, and survives a sign-off with offline_access',
    ],
    yours: 'Applications ask for a new sign-in by `max_age` or `prompt=login` where they need the person.',
  },
  {
    id: '5.2',
    level: 'AAL1',
    text: 'A session ends when its time is over, and a new sign-in begins both times again.',
    held: [
      'scenarios/tokens › expires tokens and sessions, each at their time',
      'e2e/tabs › warn together before automatic log-off, and stay when the person confirms in one',
    ],
    notHeld: 'Proving oneself again within a session makes the proof fresh, and does not move the end of the session.',
  },
];

export const nist: Standard = {
  name: 'NIST SP 800-63B-4',
  short: 'NIST',
  source: 'https://pages.nist.gov/800-63-4/sp800-63b.html',
  chapters: [
    { title: 'Assurance levels', requirements: levels },
    { title: 'Passwords by NIST', requirements: passwords },
    { title: 'Other authenticators', requirements: authenticators },
    { title: 'Verifiers', requirements: verifiers },
    { title: 'Binding, recovery and notices', requirements: events },
    { title: 'Sessions by NIST', requirements: sessions },
  ],
};
