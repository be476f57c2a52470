// Entries of the audit trail in words: what happened, to what, and who did it.
import type { Calls } from 'latchkey-sdk';
import { translate, words } from '../../words/all.ts';
import { isRecord } from '../settings/definition.ts';

export type Entry = Calls['Audit/GetAll']['result']['items'][number];

/** Returns the texts of an action. Only this service's own actions have some. */
function textsOf(action: string) {
  const events: Readonly<Record<string, { name: string; done: string }>> = words.audit.events;
  return Object.hasOwn(events, action) ? events[action] : undefined;
}

/** Returns the name of an action: "Sign-in with a password". An unknown action is shown as it is. */
export const nameOf = (action: string) => textsOf(action)?.name ?? action;

/** Returns why something was refused, as it follows "Refused:". */
export const describeReason = (reason: string) => translate(words.audit.reasons, reason);

/** Returns the reason of an entry. Callers hear the same of an unknown name and of a wrong password; the entry differs. */
export const reasonOf = ({ reason, userId }: Pick<Entry, 'userId'> & { reason: string }) =>
  reason === 'signIn.invalidCredentials' && userId === null ? words.audit.unknownName : describeReason(reason);

/** Returns what the entry tells: "Signed in with a password". A refusal only has the name of its action. */
export function sentenceOf({ action, outcome, details }: Pick<Entry, 'action' | 'outcome' | 'details'>): string {
  if (outcome !== 'success') return nameOf(action);
  if (action === 'message.sent' && detailsOf({ details }).channel === 'outbox') return words.audit.keptInOutbox;
  return textsOf(action)?.done ?? action;
}

/** Returns "Refused: account locked". Returns `undefined` for what succeeded, and for a message that was not sent. */
export function refusalOf({ outcome, reason, userId }: Entry): string | undefined {
  return outcome === 'success' || reason === null ? undefined : words.audit.refused(reasonOf({ reason, userId }));
}

/** The group of an action: "signIn" of "signIn.password". */
export const groupOf = (action: string) => action.split('.', 1)[0] ?? action;

export const detailsOf = ({ details }: Pick<Entry, 'details'>) => (isRecord(details) ? details : {});

/** The members of details that name what an entry is about, the most telling first. */
const subjects = ['name', 'role', 'provider', 'appKey', 'application', 'to', 'address', 'policy', 'host'] as const;

/**
 * Returns what the entry is about besides its user: the role, the provider, the address, the name of the setting, and how
 * often it was repeated.
 */
export function subjectOf(entry: Pick<Entry, 'details'>): string | undefined {
  const details = detailsOf(entry);
  const found = subjects.map((member) => details[member]).find((value) => typeof value === 'string' && value !== '');
  const parts = [
    ...(typeof found === 'string' ? [translate(words.audit.values, found)] : []),
    ...(typeof details.repeated === 'number' ? [words.audit.repeated(details.repeated)] : []),
  ];
  return parts.length === 0 ? undefined : parts.join(' · ');
}

export type Person = { readonly id: number | null; readonly name: string };

/** Returns the user of the entry: the account that acted, or that was acted on. */
export function userOf({ userId, userName }: Pick<Entry, 'userId' | 'userName'>): Person | undefined {
  if (userId === null && userName === null) return undefined;
  return { id: userId, name: userName ?? words.audit.userOf(userId ?? 0) };
}

/** Returns who acted on the account of the entry: an administrator, or the command line. */
export function actorOf(entry: Pick<Entry, 'details'>): Person | undefined {
  const { by, byId } = detailsOf(entry);
  if (typeof by !== 'string') return undefined;
  return { id: typeof byId === 'number' ? byId : null, name: translate(words.audit.values, by) };
}
