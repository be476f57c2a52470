// OWASP ASVS 5.0, V7: sessions.
import type { Requirement } from './requirement.ts';
import { autoLogOff, sessionsOfDays } from './settings.ts';

const documentation: readonly Requirement[] = [
  {
    id: 'V7.1.1',
    level: 'L2',
    text: 'The time without activity and the longest session are documented, with the reasons to differ from NIST SP 800-63B.',
    documented: ['security#tokens-and-sessions', 'settings#presets'],
  },
  {
    id: 'V7.1.2',
    level: 'L2',
    text: 'The documentation says how many sessions an account may have at once, and what happens beyond that.',
    documented: ['security#tokens-and-sessions'],
  },
  {
    id: 'V7.1.3',
    level: 'L2',
    text: 'All systems of a single sign-on are documented, with how their sessions end together.',
    documented: ['sign-in-with-latchkey#what-ends-what', 'sign-in-with-latchkey#sign-out'],
    yours: 'Document which of your programs have no address for sign-outs.',
  },
];

const fundamentals: readonly Requirement[] = [
  {
    id: 'V7.2.1',
    level: 'L1',
    text: 'A trusted service verifies session tokens.',
    held: [
      'attacks/sessions › are verified on every call: a token is refused as soon as any call has ended its session',
    ],
  },
  {
    id: 'V7.2.2',
    level: 'L1',
    text: 'Sessions have tokens that are made for them, and no fixed keys.',
    held: ['scenarios/tokens › refreshes a token once, rebuilding its claims'],
  },
  {
    id: 'V7.2.3',
    level: 'L1',
    text: 'Reference tokens are unique, random, and have 128 bits.',
    held: [
      'scenarios/sign-in-to-applications › gives a code, and for it tokens of the scopes that were asked',
      'attacks/sign-in-to-applications › a refresh token is for its client, and made-up ones end nothing',
      'architecture/conventions › time and chance stand only in foundation/',
    ],
  },
  {
    id: 'V7.2.4',
    level: 'L1',
    text: 'A sign-in, also a renewed one, gives a new token and ends the present one.',
    held: [
      'src/sign-in/reauthentication › by password gets a token of the same level, with a new time, in place of the old one',
      'e2e/stay-signed-in › of another account replaces the previous one in all tabs, in either kind of storage',
    ],
  },
];

const timeouts: readonly Requirement[] = [
  {
    id: 'V7.3.1',
    level: 'L2',
    text: 'A session ends after a time without activity.',
    held: [
      'e2e/tabs › are all signed off without activity, despite background requests, and the token is revoked',
      'scenarios/sign-in-to-applications › asks the sign-in page about a person who may have been inactive for longer than automatic log-off allows',
    ],
    settable: [autoLogOff],
    notHeld: 'The page enforces the time. A copy of its token is valid until it expires or is revoked.',
  },
  {
    id: 'V7.3.2',
    level: 'L2',
    text: 'A session ends after a time in any case.',
    held: [
      'scenarios/tokens › expires tokens and sessions, each at their time',
      'src/tokens/sessions › has no token that outlives it',
    ],
    settable: [sessionsOfDays(30)],
  },
];

const termination: readonly Requirement[] = [
  {
    id: 'V7.4.1',
    level: 'L1',
    text: 'A session that ended cannot be used any more, also with a token that says when it expires.',
    held: [
      'attacks/sessions › are refused by every verification that began after the end',
      'attacks/nodes › refuse at once a session that ended on the other',
      'attacks/token-endings › … is in the feed',
    ],
  },
  {
    id: 'V7.4.2',
    level: 'L1',
    text: 'All sessions of an account end when it is disabled or deleted.',
    held: [
      'cli/user › deactivates an account and activates it again, and ends its sessions at once',
      'attacks/races › leaves no live token when … meets refreshing',
    ],
  },
  {
    id: 'V7.4.3',
    level: 'L2',
    text: 'After a change of a factor or password the other sessions can be ended.',
    held: [
      'scenarios/users › changes the own password: other sessions end, rules apply, the old password stops working',
      'attacks/factor-changes › end the other sessions with one factor when the first factor comes, and no stronger one',
      'scenarios/users › lists the own sessions, and ends one or all others',
    ],
  },
  {
    id: 'V7.4.4',
    level: 'L2',
    text: 'Each page that needs a sign-in has a visible way to sign out.',
    held: [
      'e2e/sign-in › leads to the account, and out again',
      'e2e/shell › has a menu of the account: appearance, language, shortcuts, and the way out on a narrow screen',
    ],
  },
  {
    id: 'V7.4.5',
    level: 'L2',
    text: 'Administrators can end the sessions of one user or of all.',
    held: [
      'scenarios/users › signs an account out everywhere, and records the actor and the account in the audit trail',
      'cli/keys-and-sessions › ends all sessions, but only with confirmation',
    ],
  },
];

const abuse: readonly Requirement[] = [
  {
    id: 'V7.5.1',
    level: 'L2',
    text: 'A change of addresses, factors or recovery needs a full new sign-in.',
    held: [
      'attacks/my-addresses › require the current password, and wrong passwords lock the account',
      'attacks/factor-changes › are refused to the password alone in a session …',
      'attacks/factor-changes › are accepted for five minutes after each second factor, and a refresh gives no more time',
    ],
  },
  {
    id: 'V7.5.2',
    level: 'L2',
    text: 'Users see their sessions and, after proving one factor again, end any of them.',
    held: ['scenarios/users › lists the own sessions, and ends one or all others'],
    notHeld: 'Ending the own sessions asks for no factor again: a person who suspects a thief must be quick.',
  },
  {
    id: 'V7.5.3',
    level: 'L3',
    text: 'Highly sensitive acts need one more proof.',
    held: [
      'attacks/erasure › needs the second factor of an account that has one',
      'scenarios/my-factors › change only with password and second factor, and every change tells the owner what it was',
    ],
    notHeld: 'Acts of administrators need their permission, and no new proof.',
  },
];

const federated: readonly Requirement[] = [
  {
    id: 'V7.6.1',
    level: 'L2',
    text: 'Sessions of provider and applications live and end together as documented, with a new sign-in where it is due.',
    held: [
      'scenarios/sign-in-to-applications › ends with the session in which it was given, and survives a sign-off with offline_access',
      'scenarios/sign-outs › tell an application by a logout token, which it confirms',
      'scenarios/standards › asks again after max_age, and tells the time of the authentication',
    ],
  },
  {
    id: 'V7.6.2',
    level: 'L2',
    text: 'A session begins by consent or by an act of the person, and not unseen.',
    held: ['scenarios/sign-in-to-applications › asks a person who must agree'],
    notHeld:
      'An application gets its session without a question from a person who is signed in here. With *Ask each person once* it asks the first time.',
  },
];

export const sessions = [
  { title: 'V7.1 Documentation of sessions', requirements: documentation },
  { title: 'V7.2 Fundamentals of sessions', requirements: fundamentals },
  { title: 'V7.3 Timeouts', requirements: timeouts },
  { title: 'V7.4 Ends of sessions', requirements: termination },
  { title: 'V7.5 Abuse of sessions', requirements: abuse },
  { title: 'V7.6 Single sign-on', requirements: federated },
] as const;
