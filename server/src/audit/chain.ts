// The chain over the trail: each entry has a hash over its content and the hash before it. Who changes, removes or inserts an
// entry breaks it. Personal data enters by commitments under a key of each account, so that an account can be erased.
import { hash } from 'node:crypto';
import type { Instant } from '../foundation/clock.ts';
import { erasureActions } from './declarations.ts';

/** A link of the chain. Before the first entry, the sequence is 0 and the hash empty. */
export type Link = {
  readonly sequence: number;
  /** SHA-256 as base64url. */
  readonly hash: string;
};

/** An entry as it is stored. `details` is JSON. */
export type Content = {
  readonly id: number;
  readonly at: Instant;
  readonly action: string;
  readonly outcome: string;
  readonly reason: string | null;
  readonly userId: number | null;
  readonly userName: string | null;
  readonly ipAddress: string | null;
  readonly frontEnd: string | null;
  readonly userAgent: string | null;
  readonly details: string | null;
};

/** What stands for personal data in a hash. Null where there is none. */
export type Commitments = {
  /** For the name, address, program and details. */
  readonly commitment: string | null;
  /** For the name, address and program of the administrator who acted. */
  readonly byCommitment: string | null;
};

/** An entry as the chain holds it. */
export type Chained = Content &
  Link &
  Commitments & {
    /** The erased account that the entry was about, and that of the administrator who acted. */
    readonly erasedFor: number | null;
    readonly erasedByFor: number | null;
  };

/** The newest entry of the chain, and when it was chained. */
export type Head = Link & { readonly at: Instant };

/** The ends of the chain: the last entry that retention has deleted, and the newest one. */
export type Ends = { readonly base: Link; readonly head: Head };

/** The keys of an entry's two commitments. They are of this entry alone, so that they can leave the service with it. */
export type EntryKeys = { readonly key: string | null; readonly byKey: string | null };

/** The personal data in the details: their own, and the account and name of the administrator who acted. */
type Details = { readonly own: string | null; readonly byId?: number; readonly by?: string };

/** The action that removes the personal data of its account from the trail. */
export const ERASURE = erasureActions.erased.name;

/** The account whose key stands for entries without one. */
const NO_ACCOUNT = 0;

const digest = (text: string) => hash('sha256', text, 'base64url');

/** Takes the name of the administrator who acted out of the details of an entry. */
export function splitDetails(details: string | null): Details {
  if (!details?.includes('"byId":')) return { own: details };
  try {
    const { by, ...own } = JSON.parse(details);
    if (!Number.isSafeInteger(own.byId) || own.byId < 1) return { own: details };
    return { own: JSON.stringify(own), byId: own.byId, ...(typeof by === 'string' && { by }) };
  } catch {
    // Somebody has edited the row. It must not hold up all that follow.
    return { own: details };
  }
}

/** Returns the accounts whose keys an entry needs. */
export function findAccounts({ action, userId, details }: Content): number[] {
  const { byId } = splitDetails(details);
  // An erasure outlasts the key of its account.
  const account = action === ERASURE ? NO_ACCOUNT : (userId ?? NO_ACCOUNT);
  return byId === undefined ? [account] : [account, byId];
}

/** Returns the keys of an entry at its place. @param accounts see `findAccounts`. @param accountKeys their keys. */
export function toEntryKeys(
  accounts: readonly number[],
  sequence: number,
  accountKeys: ReadonlyMap<number, string>,
): EntryKeys {
  const [account, by] = accounts.map((id) => accountKeys.get(id));
  const toKey = (accountKey: string | undefined) => (accountKey ? digest(`${accountKey}.${sequence}`) : null);
  return { key: toKey(account), byKey: toKey(by) };
}

/** Commits to the personal data of an entry. */
export function commit({ userName, ipAddress, userAgent, details }: Content, { key, byKey }: EntryKeys): Commitments {
  const { own, byId, by = null } = splitDetails(details);
  if (byId === undefined) {
    return { commitment: commitTo([userName, ipAddress, userAgent, own], key), byCommitment: null };
  }
  // The address and the program are those of the administrator.
  return {
    commitment: commitTo([userName, null, null, own], key),
    byCommitment: commitTo([by, ipAddress, userAgent], byKey),
  };
}

const commitTo = (personal: readonly (string | null)[], key: string | null) =>
  personal.every((value) => value === null) ? null : digest(JSON.stringify([key, ...personal]));

/** Returns the link of an entry after the link before it. */
export function linkEntry(before: Link, entry: Content, { commitment, byCommitment }: Commitments): Link {
  const sequence = before.sequence + 1;
  const { id, at, action, outcome, reason, userId, frontEnd } = entry;
  const content = [before.hash, sequence, id, at, action, outcome, reason, userId, frontEnd, commitment, byCommitment];
  return { sequence, hash: digest(JSON.stringify(content)) };
}
