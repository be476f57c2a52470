// The chain over the trail: each entry has a hash over its content and the hash before it. Who changes, removes or inserts an
// entry breaks it. Personal data enters by commitments under a key of each account, so that an account can be erased.
import { hash } from 'node:crypto';
import type { Instant } from '../foundation/clock.ts';

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
  /** For the name of the administrator who acted. */
  readonly byCommitment: string | null;
};

/** The personal data in the details: their own, and the account and name of the administrator who acted. */
export type Details = { readonly own: string | null; readonly byId?: number; readonly by?: string };

const digest = (text: string) => hash('sha256', text, 'base64url');

/** The account whose key stands for entries without one. */
export const NO_ACCOUNT = 0;

/** Returns the key of an account's commitments in one entry. */
const toEntryKey = (accountKey: string, sequence: number) => digest(`${accountKey}.${sequence}`);

/** Takes the name of the administrator who acted out of the details of an entry. */
export function splitDetails(details: string | null): Details {
  if (!details?.includes('"byId":')) return { own: details };
  try {
    const { by, ...own } = JSON.parse(details);
    if (typeof own.byId === 'number' && typeof by === 'string') return { own: JSON.stringify(own), byId: own.byId, by };
  } catch {
    // Somebody has edited the row. It must not hold up all that follow.
  }
  return { own: details };
}

/** Commits to the personal data of an entry, except the name of the administrator who acted. */
function commitOwn({ userName, ipAddress, userAgent }: Content, own: string | null, key: string): string | null {
  const personal = [userName, ipAddress, userAgent, own];
  return personal.every((value) => value === null) ? null : digest(JSON.stringify([key, ...personal]));
}

/** Commits to the name of the administrator who acted. */
const commitBy = (by: string | undefined, key: string) => (by === undefined ? null : digest(JSON.stringify([key, by])));

/** Commits to all personal data of an entry. @param keyOf returns the key of an account. */
export function commitAll(entry: Content, sequence: number, keyOf: (accountId: number) => string): Commitments {
  const { own, byId = NO_ACCOUNT, by } = splitDetails(entry.details);
  return {
    commitment: commitOwn(entry, own, toEntryKey(keyOf(entry.userId ?? NO_ACCOUNT), sequence)),
    byCommitment: by === undefined ? null : commitBy(by, toEntryKey(keyOf(byId), sequence)),
  };
}

/** Returns the hash of an entry at its place, after the hash before it. */
export const hashEntry = (before: Link, entry: Content, { commitment, byCommitment }: Commitments): Link => {
  const sequence = before.sequence + 1;
  const { id, at, action, outcome, reason, userId, frontEnd } = entry;
  const content = [before.hash, sequence, id, at, action, outcome, reason, userId, frontEnd, commitment, byCommitment];
  return { sequence, hash: digest(JSON.stringify(content)) };
};
