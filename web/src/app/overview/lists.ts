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

/** Returns the page that lists what a figure of a range counts. */
export const listOf = (figure: keyof typeof filters, range: Range): string =>
  `/audit?${filters[figure]}&range=${range}`;

/** Likewise for messages that were sent: those of a service without a gateway are in the outbox. */
export const listOfMessages = ({ attention }: Pick<OverviewData, 'attention'>, range: Range): string =>
  attention.some(({ kind }) => kind === 'noGateway') ? '/outbox' : listOf('messagesSent', range);
