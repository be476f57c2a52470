// OWASP ASVS 5.0, V6: authentication.
import type { Requirement } from './requirement.ts';
import {
  fewSignIns,
  lockout,
  noComposition,
  noQuestions,
  passkeys,
  passwordsOf,
  secondFactor,
  shortLinks,
} from './settings.ts';

const documentation: readonly Requirement[] = [
  {
    id: 'V6.1.1',
    level: 'L1',
    text: 'The documentation says how limits and lockout stop guessing, how to configure them, and how they avoid lockout by attackers.',
    documented: ['security#lockout', 'security#rate-limits', 'security#what-an-attacker-can-use-up'],
  },
  {
    id: 'V6.1.2',
    level: 'L2',
    text: 'There is a documented list of words of the organization that passwords must not contain.',
    notHeld: 'The service has no such list for you to fill. It refuses its own name and the names of the account.',
  },
  {
    id: 'V6.1.3',
    level: 'L2',
    text: 'All ways to sign in are documented, with the controls and the strength of each.',
    documented: [
      'security#second-factors',
      'security#one-time-pins',
      'security#external-sign-ins',
      'second-factors#settings',
    ],
  },
];

const passwords: readonly Requirement[] = [
  {
    id: 'V6.2.1',
    level: 'L1',
    text: 'A password has at least 8 characters.',
    held: [
      'src/passwords/password › length of a new password',
      'scenarios/settings › applies a password rule to the very next request, of that front end only',
    ],
    settable: [passwordsOf(8)],
  },
  {
    id: 'V6.2.2',
    level: 'L1',
    text: 'Users can change their password.',
    held: [
      'scenarios/users › changes the own password: other sessions end, rules apply, the old password stops working',
    ],
  },
  {
    id: 'V6.2.3',
    level: 'L1',
    text: 'A change needs the present password and the new one.',
    held: ['attacks/hashing › hashes no new password for a locked account, or without the right current password'],
  },
  {
    id: 'V6.2.4',
    level: 'L1',
    text: 'A new password is compared with at least the 3,000 most common ones that meet the policy.',
    held: ['src/passwords/common-passwords › a common password is refused'],
  },
  {
    id: 'V6.2.5',
    level: 'L1',
    text: 'No rule demands or forbids kinds of characters.',
    held: ['src/passwords/password › are required only where the policy requires them'],
    settable: noComposition,
  },
  {
    id: 'V6.2.6',
    level: 'L1',
    text: 'Fields for passwords hide what is typed.',
    held: [
      'e2e/password-fields › hide what is typed, take a pasted password, and name themselves to password managers',
    ],
  },
  {
    id: 'V6.2.7',
    level: 'L1',
    text: 'Pasting, the helpers of browsers and password managers work.',
    held: [
      'e2e/password-fields › hide what is typed, take a pasted password, and name themselves to password managers',
    ],
  },
  {
    id: 'V6.2.8',
    level: 'L1',
    text: 'The service verifies a password exactly as typed, not cut and not in another case.',
    held: [
      'scenarios/typed-names › signs in by user name and address, with the password exactly as it is',
      'src/passwords/password › is normalized to NFC and otherwise stays as typed',
    ],
  },
  {
    id: 'V6.2.9',
    level: 'L2',
    text: 'A password may have 64 characters or more.',
    held: ['src/passwords/password › length of a new password'],
  },
  {
    id: 'V6.2.10',
    level: 'L2',
    text: 'A password stays valid until it is compromised or its owner changes it.',
    held: ['scenarios/standards › takes a password of five years ago'],
  },
  {
    id: 'V6.2.11',
    level: 'L2',
    text: 'The documented words of the organization are refused in passwords.',
    held: ['src/passwords/password › refuses …'],
    notHeld: 'Only the names of the account and of the service are refused: there is no list for other words.',
  },
  {
    id: 'V6.2.12',
    level: 'L2',
    text: 'A new password is compared with a set of breached passwords.',
    held: ['src/passwords/common-passwords › a common password is refused'],
    notHeld:
      'The set is about 49,000 common passwords, with usual additions. No larger set of breached passwords is asked.',
  },
];

const general: readonly Requirement[] = [
  {
    id: 'V6.3.1',
    level: 'L1',
    text: 'Controls against guessing and stuffing work as documented.',
    held: [
      'attacks/lockout › verifies no more than the allowed number of 100 parallel guesses',
      'attacks/rate-limits › refuse the eleventh sign-in of a minute, right or wrong, with `Retry-After`',
      'attacks/enumeration › counts all spellings of an unknown name as one',
    ],
    settable: [lockout, fewSignIns],
  },
  {
    id: 'V6.3.2',
    level: 'L1',
    text: 'There are no default accounts, or they are disabled.',
    held: [
      'attacks/weak-start › must be changed at the first sign-in',
      'attacks/nodes › create one administrator and one key, and migrate once',
    ],
    notHeld:
      'The first start makes one administrator, named `admin` unless you name it. Its password is random or yours, and must be changed.',
  },
  {
    id: 'V6.3.3',
    level: 'L2',
    text: 'Access takes several factors. At L3, one is hardware that resists phishing.',
    held: [
      'attacks/factor-gate › stands before every call that answers a token',
      'scenarios/factor-policy › restricts a session to enrolling until there is one',
    ],
    settable: [secondFactor, passkeys],
    notHeld:
      'At L3: the service cannot demand a passkey in hardware. It asks for no attestation, and accepts synced passkeys.',
  },
  {
    id: 'V6.3.4',
    level: 'L2',
    text: 'There is no undocumented way to sign in, and all ways have the same controls.',
    held: [
      'attacks/factor-gate › stands before every call that answers a token',
      'attacks/locked-sign-ins › by … complete nothing if the lock comes while the proof is verified, and use nothing up',
      'attacks/generated-requests › are generated from a document that lists the whole API and nothing else',
    ],
  },
  {
    id: 'V6.3.5',
    level: 'L3',
    text: 'Users are told of suspicious attempts to sign in.',
    notHeld:
      'Attempts are in the audit trail and in the list of sessions. The service sends no message about them, except for a used recovery code.',
  },
  {
    id: 'V6.3.6',
    level: 'L3',
    text: 'E-mail is no way to authenticate.',
    notHeld:
      'Pins to sign in go by e-mail where an account has no verified number. `LATCHKEY_SMTP_URL=off` turns off e-mail, and with it mailed links.',
  },
  {
    id: 'V6.3.7',
    level: 'L3',
    text: 'Users are told when what they authenticate with has changed.',
    held: [
      'attacks/owner-notices › tell the first of many changes at once, and the others together',
      'scenarios/my-addresses › changes the e-mail address with the pin sent to the new one, and notifies the old one',
      'scenarios/password-reset › notifies the owner on every verified address, and sends nothing to others',
      'attacks/owner-notices › tell a password and another user name that an administrator sets',
      'attacks/owner-notices › tell an address that an administrator changes: the former one if it was verified, else the other one',
    ],
    notHeld:
      'A change of the own password is told by e-mail alone: an account without a verified e-mail address gets no message.',
  },
  {
    id: 'V6.3.8',
    level: 'L3',
    text: 'No answer, status or time tells whether an account exists, also when people register or reset a password.',
    held: [
      'attacks/enumeration › answers each attempt alike, before, during and after a lock',
      'attacks/registration-enumeration › answers alike for e-mail addresses, and sends owners a notice',
      'attacks/reset-enumeration › get the same answer and add the same rows for every name',
      'attacks/pin-enumeration › get the same answer and add the same rows for every name',
      'attacks/passkey-enumeration › get the same answers as unknown ones, before and during a lock',
    ],
    notHeld:
      'Where people may register, who has proven an address learns of a user name whether it is taken, of twenty names for each proof.',
  },
];

const lifecycle: readonly Requirement[] = [
  {
    id: 'V6.4.1',
    level: 'L1',
    text: 'First passwords and codes are random, short-lived, and cannot stay.',
    held: [
      'cli/user › creates an account with a generated password that must be changed',
      'scenarios/invitations › set the first password, verify the address, and work once',
      'scenarios/invitations › expire with the links of a password reset, and end with a new address or deactivation',
    ],
    notHeld:
      'A first password that an administrator has set does not expire. Its owner must change it at the first sign-in.',
  },
  {
    id: 'V6.4.2',
    level: 'L1',
    text: 'There are no password hints and no secret questions.',
    held: ['scenarios/security-questions › are off until an administrator switches them on, and the setting says why'],
    settable: [noQuestions],
  },
  {
    id: 'V6.4.3',
    level: 'L2',
    text: 'A forgotten password is reset securely, past no second factor.',
    held: [
      'attacks/factor-gate › stands after a recovered password, which removes no factor and opens no session',
      'attacks/password-reset › set one password when one token is sent many times with as many passwords',
    ],
  },
  {
    id: 'V6.4.4',
    level: 'L2',
    text: 'A lost factor is replaced after proof of identity as at the enrollment.',
    held: [
      'scenarios/factor-administration › remove all factors with a reason, which the owner and the audit trail learn',
    ],
    yours: 'Prove who a person is before you remove the factors. Recovery codes need no administrator.',
  },
  {
    id: 'V6.4.5',
    level: 'L3',
    text: 'People are told in time how to renew what they authenticate with before it expires.',
    absent:
      'Passwords, passkeys and authenticator apps do not expire. The doctor warns 30 days before the client secret of a provider does.',
  },
  {
    id: 'V6.4.6',
    level: 'L3',
    text: 'Administrators can begin a reset, but never know or choose the password.',
    held: ['scenarios/invitations › come from an administrator who holds what the account holds, and are recorded'],
    notHeld:
      'An administrator may set a password, which must be changed at the next sign-in. Clients of Shesha need the call.',
  },
];

const factors: readonly Requirement[] = [
  {
    id: 'V6.5.1',
    level: 'L2',
    text: 'Recovery codes, pins and codes of apps work once.',
    held: [
      'attacks/factor-guesses › complete one sign-in with one challenge and ten recovery codes, and use up one',
      'src/factors/factors › accept each time step of an authenticator once, and no step before it',
      'attacks/pins › open one session when the right pin is sent a hundred times',
    ],
  },
  {
    id: 'V6.5.2',
    level: 'L2',
    text: 'Recovery codes of less than 112 bits are stored with a salted password hash.',
    held: ['src/factors/factors › have ten recovery codes, each for one use, in any spelling that a person writes'],
    notHeld:
      'Codes of ten characters, made before 27 November 2026, have 50 bits and stay valid until they are used or replaced. They are stored as keyed hashes, not slow ones.',
  },
  {
    id: 'V6.5.3',
    level: 'L2',
    text: 'Recovery codes, pins and secrets of apps come from a secure random generator.',
    held: [
      'src/proofs/pin › draws all characters, and leading zeros, about equally often',
      'src/factors/totp › come from a secret of 160 bits, with everything in the address that an app needs',
      'architecture/conventions › time and chance stand only in foundation/',
    ],
  },
  {
    id: 'V6.5.4',
    level: 'L2',
    text: 'Recovery codes and pins have at least 20 bits: six random digits are enough.',
    held: [
      'src/proofs/pin › refuses settings with fewer than a million pins, or with a character twice',
      'src/factors/factors › have ten recovery codes, each for one use, in any spelling that a person writes',
    ],
  },
  {
    id: 'V6.5.5',
    level: 'L2',
    text: 'Codes by another channel last ten minutes at most, and those of apps 30 seconds.',
    held: [
      'scenarios/pin-sign-in › accepts a pin until its lifetime ends, and not at the end itself',
      'src/factors/totp › are right one step early and late, and tell their own step',
    ],
    settable: [shortLinks],
    notHeld: 'A code of an app is right one step of 30 seconds early and late, for clocks that differ.',
  },
  {
    id: 'V6.5.6',
    level: 'L3',
    text: 'Any factor can be revoked when it is lost.',
    held: [
      'attacks/factor-changes › end the sessions that a removed passkey has opened, and no others',
      'scenarios/factor-administration › remove all factors with a reason, which the owner and the audit trail learn',
    ],
  },
  {
    id: 'V6.5.7',
    level: 'L3',
    text: 'Biometrics count only together with something that one has or knows.',
    held: ['src/sign-in/passkey › signs in to the account of the passkey, as two factors'],
  },
  {
    id: 'V6.5.8',
    level: 'L3',
    text: 'Codes of apps are judged by the clock of the service.',
    held: [
      'src/factors/totp › agree with RFC 6238',
      'src/factors/factors › count time steps over a removal and a new enrollment',
    ],
  },
];

const outOfBand: readonly Requirement[] = [
  {
    id: 'V6.6.1',
    level: 'L2',
    text: 'SMS go to validated numbers only, beside stronger ways, and with a word on the risk. Not at L3.',
    held: [
      'attacks/pins › are sent to verified numbers and addresses only',
      'e2e/words › say the risk of SMS where a person gives a number',
    ],
    yours: 'Turn on passkeys or the authenticator app. For L3, set `LATCHKEY_SMS_URL=off`.',
  },
  {
    id: 'V6.6.2',
    level: 'L2',
    text: 'A code belongs to the request for which it was made.',
    held: [
      'src/proofs/pin › binds a pin to operation, purpose, subject and address, each in its own place',
      'attacks/pins › do not sign in when they were issued for another purpose',
    ],
  },
  {
    id: 'V6.6.3',
    level: 'L2',
    text: 'Guessing of codes is limited.',
    held: [
      'attacks/pins › are verified up to the lock out of a hundred wrong ones, and then not even when right',
      'attacks/pins › are limited per day for an attacker who keeps requesting new ones while lockout is off',
      'attacks/factor-guesses › lock after five wrong ones, whatever the settings allow, and the right password refills nothing',
    ],
  },
  {
    id: 'V6.6.4',
    level: 'L3',
    text: 'Push notifications are limited.',
    absent: 'The service sends none.',
  },
];

const cryptographic: readonly Requirement[] = [
  {
    id: 'V6.7.1',
    level: 'L3',
    text: 'Keys that verify assertions cannot be changed by others.',
    yours: 'The public keys of passkeys are in the database. Let only the service write to it.',
  },
  {
    id: 'V6.7.2',
    level: 'L3',
    text: 'A challenge has at least 64 bits and does not come twice.',
    held: [
      'scenarios/standards › asks passkeys to sign challenges of 128 bits or more, each another one',
      'attacks/passkeys › accepts one of many parallel uses of an assertion, and no replay',
      'src/factors/passkeys › are used once for an operation, within five minutes',
    ],
  },
];

const providers: readonly Requirement[] = [
  {
    id: 'V6.8.1',
    level: 'L2',
    text: 'No provider can speak for the people of another one.',
    held: [
      'scenarios/external-sign-in › treats another key or provider as another person',
      'attacks/changed-providers › opens to a key of the former provider no account of the same key at the present one',
    ],
  },
  {
    id: 'V6.8.2',
    level: 'L2',
    text: 'Signatures of assertions are always verified.',
    held: ['attacks/openid › ID token: …: 502'],
  },
  {
    id: 'V6.8.3',
    level: 'L2',
    text: 'A SAML assertion works once.',
    absent: 'The service does not speak SAML.',
  },
  {
    id: 'V6.8.4',
    level: 'L2',
    text: 'Where a strength is expected of a provider, its answer is checked for it; otherwise the weakest is assumed.',
    held: ['attacks/factor-gate › stands after a pin and an external sign-in, which the factor raises to aal2'],
  },
];

export const authentication = [
  { title: 'V6.1 Documentation of authentication', requirements: documentation },
  { title: 'V6.2 Passwords', requirements: passwords },
  { title: 'V6.3 Authentication in general', requirements: general },
  { title: 'V6.4 Factors over time, and recovery', requirements: lifecycle },
  { title: 'V6.5 Second factors', requirements: factors },
  { title: 'V6.6 Codes by another channel', requirements: outOfBand },
  { title: 'V6.7 Cryptographic authentication', requirements: cryptographic },
  { title: 'V6.8 External identity providers', requirements: providers },
] as const;
