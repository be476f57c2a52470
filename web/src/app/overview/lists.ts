// The lists that the figures of the overview count: pages of the audit trail, and the outbox.
import type { OverviewData, Range } from './series.ts';

/** The actions of the ways to sign in. */
const signIns = ['password', 'pin', 'external', 'authenticator', 'passkey', 'recoveryCode'].map(
  (way) => `signIn.${way}`,
);

const filters = {
  signIns: `action=${signIns.join(',')}&outcome=success`,
  applications: 'action=grant.given',
  refusals: 'outcome=refused',
  lockouts: 'reason=signIn.lockedOut',
  registrations: 'action=account.registered,signIn.externalRegistered',
  messagesSent: 'action=message.sent',
  messagesFailed: 'action=message.failed,message.dropped',
} as const;

/** The filters of one part, by its name. The trail cannot tell the parts of the other figures apart. */
const partFilters = {
  signIns: (way: string) => `action=signIn.${way}&outcome=success`,
  refusals: (reason: string) => `outcome=refused&reason=${reason}`,
  registrations: (way: string) => `action=${way === 'provider' ? 'signIn.externalRegistered' : 'account.registered'}`,
} as const;

const trail = (filter: string, range: Range) => `/audit?${filter}&range=${range}`;

/** Returns the page that lists what a figure of a range counts. */
export const listOf = (figure: keyof typeof filters, range: Range): string => trail(filters[figure], range);

/** Likewise for one part of a figure. */
export const listOfPart =
  (figure: keyof typeof partFilters, range: Range) =>
  (part: string): string =>
    trail(partFilters[figure](part), range);

/** Returns where the messages are that did not fail. A means without a gateway has the outbox. */
export function endOfMessages({ attention, messagesSent: { parts } }: OverviewData): 'sent' | 'outbox' | 'either' {
  const kept = attention.flatMap((finding): string[] => (finding.kind === 'noGateway' ? [finding.means] : []));
  const inOutbox = parts.filter(({ name }) => kept.includes(name)).length;
  if (kept.length > 0 && inOutbox === parts.length) return 'outbox';
  return inOutbox === 0 ? 'sent' : 'either';
}

/** Likewise for the messages that did not fail. */
export const listOfMessages = (data: OverviewData, range: Range): string =>
  endOfMessages(data) === 'outbox' ? '/outbox' : listOf('messagesSent', range);
