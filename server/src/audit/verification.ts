// The verification of the chain: walks through all entries in their order, and finds the first one that does not fit.
import { addSeconds, type Instant } from '../foundation/clock.ts';
import {
  type Chained,
  commit,
  type Ends,
  type EntryKeys,
  ERASURE,
  type Link,
  linkEntry,
  splitDetails,
} from './chain.ts';

/** An entry with all that a verification needs. */
export type Verifiable = Chained & EntryKeys;

/** What is verified: a database, or a file. */
export type Source = {
  /** Whether retention and erasures can change it meanwhile. */
  readonly isLive: boolean;
  readEnds(): Promise<Ends>;
  /** Returns some of the entries after a place, in their order, or none at the end. A file gives those after the last ones. */
  readAfter(place: ChainPlace): Promise<readonly Verifiable[]>;
  /** Returns what is not chained yet. */
  readWaiting(): Promise<Waiting>;
};

/** A place in the order of the entries. `id` tells entries apart that somebody has given the same sequence number. */
export type ChainPlace = { readonly sequence: number; readonly id?: number };

/** Entries that are not chained yet: how many, the time of the oldest, and the accounts whose erasure they tell. */
export type Waiting = { readonly count: number; readonly since: Instant | null; readonly erased: readonly number[] };

/** The first entry that does not fit. `id` is null where the entry is missing. */
export type Misfit = { readonly sequence: number; readonly id: number | null; readonly why: string };

export type Verdict = {
  /** How many entries fit, and how many of them have lost their personal data by an erasure. */
  readonly verified: number;
  readonly erased: number;
  /** Those whose erasure no entry tells. Retention may have deleted it: they are of the first days that the chain still has. */
  readonly untold: number;
  /** The first entry, and the last link that fits. */
  readonly first: { readonly sequence: number; readonly at: Instant } | undefined;
  readonly last: Link;
  readonly waiting: Waiting;
  readonly misfit: Misfit | undefined;
  /** Whether one of the links has the hash that was looked for. */
  readonly hasHash: boolean;
};

/** @param hash the hash of an older head, to look for. */
export async function verifyChain(source: Source, hash?: string): Promise<Verdict> {
  const walk = createWalk(await source.readEnds(), hash);
  for (let misfit: Misfit | undefined; ; ) {
    const entries = await source.readAfter(walk.place());
    const { found, left } = walk.take(entries);
    if (!found && entries.length === 0) return walk.end(await source.readWaiting());
    // What retention or an erasure has changed meanwhile is read again.
    if (found && (!source.isLive || misfit?.sequence === found.sequence)) {
      // Only an erasure further on tells whether an emptied entry before it fits.
      for (let more = left; walk.mayBeExplained(more); more = await source.readAfter(more.at(-1) ?? walk.place()))
        walk.explain(more);
      return walk.end(await source.readWaiting(), found);
    }
    misfit = found;
    if (misfit) walk.skipTo((await source.readEnds()).base);
  }
}

function createWalk({ base, head }: Ends, hash: string | undefined) {
  const erasures = createErasures({ isCut: base.sequence > 0 });
  let first: Verdict['first'];
  let last = base;
  /** The last entry that was read, also after the first misfit. */
  let before: Link = base;
  // Somebody may have inserted entries before the start.
  let place: ChainPlace = { sequence: Number.MIN_SAFE_INTEGER };
  let verified = 0;
  let hasHash = base.sequence > 0 && base.hash === hash;
  return {
    place: () => place,
    /** Takes entries up to the first one that does not fit. @returns it, and the entries that are left. */
    take(entries: readonly Verifiable[]): { found?: Misfit; left: readonly Verifiable[] } {
      for (const [index, entry] of entries.entries()) {
        const found = findMisfit(last, entry, head);
        if (found) return { found, left: entries.slice(index) };
        first ??= entry;
        erasures.note(entry);
        last = entry;
        place = entry;
        verified += 1;
        hasHash ||= entry.hash === hash;
        before = entry;
      }
      return { left: [] };
    },
    mayBeExplained: (entries: readonly Verifiable[]) => entries.length > 0 && erasures.hasUnexplained(),
    /** Notes the erasures among entries from the first misfit on. One that does not fit to the entry before it explains nothing. */
    explain(entries: readonly Verifiable[]) {
      for (const entry of entries) {
        const misfit = findMisfit(before, entry, head);
        if (!misfit || misfit.id === null) erasures.explain(entry);
        before = entry;
      }
    },
    /** Goes on after entries that retention has deleted. */
    skipTo(link: Link) {
      if (link.sequence <= last.sequence) return;
      last = link;
      before = link;
      place = link;
    },
    end(waiting: Waiting, misfit?: Misfit): Verdict {
      const isCut = last.sequence < head.sequence;
      const cut = { sequence: last.sequence + 1, id: null, why: 'It is missing, and so are all entries after it.' };
      const end = misfit ?? (isCut ? cut : undefined);
      const unexplained = erasures.findUnexplained(waiting.erased);
      const found = unexplained && !(end && end.sequence < unexplained.sequence) ? unexplained : end;
      return {
        verified,
        erased: erasures.count(),
        untold: erasures.countUntold(waiting.erased),
        first: first && { sequence: first.sequence, at: first.at },
        last: { sequence: last.sequence, hash: last.hash },
        waiting,
        misfit: found,
        hasHash,
      };
    },
  };
}

/** Finds out whether an entry is the one that was chained after a link. */
function findMisfit(last: Link, entry: Verifiable, head: Link): Misfit | undefined {
  const { sequence, id, hash } = entry;
  const expected = last.sequence + 1;
  if (sequence > expected) return { sequence: expected, id: null, why: `It is missing. The next one is ${sequence}.` };
  if (sequence < expected) return { sequence, id, why: 'Another entry has the same sequence number.' };
  const why = findChangedData(entry);
  if (why !== undefined) return { sequence, id, why };
  if (linkEntry(last, entry, entry).hash !== hash) return { sequence, id, why: 'It or its place was changed.' };
  const isHead = sequence === head.sequence;
  return isHead && hash !== head.hash ? { sequence, id, why: 'The head of the chain has another hash.' } : undefined;
}

/** Finds out whether the personal data of an entry are those that were chained. */
function findChangedData(entry: Verifiable): string | undefined {
  const { commitment, byCommitment } = commit(entry, entry);
  if (entry.erasedFor !== null) {
    if (entry.action === ERASURE) return 'It tells of an erasure, and is marked as erased itself.';
    const isErased = commitment === null && byCommitment === null && entry.erasedFor === entry.userId;
    return isErased ? undefined : 'It is marked as erased, and has personal data.';
  }
  if (commitment !== entry.commitment) return 'Its personal data were changed.';
  if (entry.erasedByFor !== null) {
    const isErased = byCommitment === null && splitDetails(entry.details).byId === entry.erasedByFor;
    return isErased ? undefined : 'The name of who acted is marked as erased, and is there.';
  }
  return byCommitment === entry.byCommitment ? undefined : 'The name of who acted was changed.';
}

/** An erasure may have emptied entries that were written up to so long after it. It must exceed `LAST_SECONDS` of `erasure.ts`. */
const EMPTIED_SECONDS = 2 * 86_400;

/**
 * Whether each entry without personal data has lost them by the erasure of an account, which has an entry of its own.
 * @param isCut whether retention has deleted the start of the chain. The entry of an erasure may have been there.
 */
function createErasures({ isCut }: { isCut: boolean }) {
  /** Until when entries about an account may have been emptied, by the last erasure so far. */
  const emptiedUntil = new Map<number, Instant>();
  const unexplained = new Map<number, Misfit>();
  /** How many entries about an account are accepted because retention may have deleted its erasure. */
  const untold = new Map<number, number>();
  let beganAt: Instant | undefined;
  let erased = 0;
  function explain({ at, action, outcome, userId }: Verifiable) {
    if (action !== ERASURE || outcome !== 'success' || userId === null) return;
    emptiedUntil.set(userId, addSeconds(at, EMPTIED_SECONDS));
    unexplained.delete(userId);
    untold.delete(userId);
  }
  return {
    explain,
    note(entry: Verifiable) {
      const { sequence, id, at, erasedFor, erasedByFor } = entry;
      beganAt ??= at;
      explain(entry);
      for (const accountId of [erasedFor, erasedByFor]) {
        if (accountId === null) continue;
        erased += 1;
        const until = emptiedUntil.get(accountId);
        if (until === undefined && isCut && at <= addSeconds(beganAt, EMPTIED_SECONDS)) {
          untold.set(accountId, (untold.get(accountId) ?? 0) + 1);
          continue;
        }
        if ((until !== undefined && at <= until) || unexplained.has(accountId)) continue;
        const why = `Its personal data are missing, and no entry tells that account ${accountId} was erased.`;
        unexplained.set(accountId, { sequence, id, why });
      }
    },
    count: () => erased,
    /** @param waiting accounts whose erasure is not chained yet. */
    countUntold: (waiting: readonly number[]) =>
      [...untold].reduce((sum, [accountId, count]) => (waiting.includes(accountId) ? sum : sum + count), 0),
    hasUnexplained: () => unexplained.size > 0,
    /** @param waiting accounts whose erasure is not chained yet. */
    findUnexplained(waiting: readonly number[]): Misfit | undefined {
      const found = [...unexplained].filter(([accountId]) => !waiting.includes(accountId)).map(([, misfit]) => misfit);
      return found.toSorted((a, b) => a.sequence - b.sequence)[0];
    },
  };
}
