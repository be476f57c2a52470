// Repetitions: what one session does again and again has one entry a minute. Another entry says how often it was repeated.
import { addSeconds, type Instant, toIsoString } from '../foundation/clock.ts';
import type { Occurrence } from '../foundation/events.ts';
import { createRecent } from '../foundation/recent.ts';

/** For this long, one entry stands for all repetitions of an occurrence in a session. */
const REPEAT_SECONDS = 60;

/** Most entries in memory, of a few hundred bytes each. A repetition of a removed one has an entry of its own. */
const REMEMBERED = 10_000;

/** An entry that stands for the repetitions of the next minute, and its repetitions so far. */
export type Standing = {
  readonly key: string;
  readonly at: Instant;
  /** Its number. Undefined while its transaction runs, null after that was rolled back. */
  entry: number | null | undefined;
  /** Resolves with the number. Only a repetition that comes before the commit needs it. */
  stored?: PromiseWithResolvers<number | null>;
  repeated: number;
  last?: { readonly occurrence: Occurrence; readonly at: Instant };
};

/** Each node counts in memory. If it is killed, it loses the counts of the last minute, and never an entry. */
export interface Repetitions {
  /** Returns the entry that stands for this occurrence of the session. */
  find(sessionId: string, occurrence: Occurrence, now: Instant): Standing | undefined;
  /** Lets an entry stand for the repetitions of a minute, as soon as its transaction begins. */
  begin(sessionId: string, occurrence: Occurrence, now: Instant): Standing;
  /** Ends the transaction of the entry. @param entry its number, or null if it was rolled back. */
  settle(standing: Standing, entry: number | null): void;
  /** Counts a repetition, when the entry is committed. @returns the number of the entry, or null if it was rolled back. */
  count(standing: Standing, occurrence: Occurrence, now: Instant): Promise<number | null>;
  /** Returns and forgets up to `limit` counts of minutes that are over. Without `now`, of all minutes. */
  take(limit: number, now?: Instant): { summary: Occurrence; giveBack(): void }[];
}

export function createRepetitions(): Repetitions {
  const known = createRecent<Standing>(REMEMBERED);
  const repeated = new Set<Standing>();

  // A clock that was set back must not extend the time without entries.
  const isOver = ({ at }: Standing, now: Instant) => now < at || now >= addSeconds(at, REPEAT_SECONDS);

  return {
    find(sessionId, occurrence, now) {
      const standing = known.get(keyOf(sessionId, occurrence));
      if (!standing || isOver(standing, now)) return undefined;
      return repeated.size < REMEMBERED || repeated.has(standing) ? standing : undefined;
    },

    begin(sessionId, occurrence, now) {
      const standing = { key: keyOf(sessionId, occurrence), at: now, entry: undefined, repeated: 0 };
      known.keep(standing.key, standing, addSeconds(now, REPEAT_SECONDS), now);
      return standing;
    },

    settle(standing, entry) {
      standing.entry = entry;
      standing.stored?.resolve(entry);
      if (entry === null && known.get(standing.key) === standing) known.forget(standing.key);
    },

    async count(standing, occurrence, at) {
      if (standing.entry === undefined) {
        standing.stored ??= Promise.withResolvers();
        await standing.stored.promise;
      }
      if (typeof standing.entry !== 'number') return null;
      standing.repeated += 1;
      standing.last = { occurrence: unite(standing.last?.occurrence, occurrence), at };
      repeated.add(standing);
      return standing.entry;
    },

    take(limit, now) {
      const due = [...repeated].filter((standing) => now === undefined || isOver(standing, now)).slice(0, limit);
      return due.flatMap((standing) => {
        const { repeated: count, last } = standing;
        repeated.delete(standing);
        standing.repeated = 0;
        const giveBack = () => {
          standing.repeated += count;
          repeated.add(standing);
        };
        return last ? [{ summary: summarize(last, count), giveBack }] : [];
      });
    },
  };
}

/** A refusal is told apart by its reason, a success by its details. Callers must not choose either freely. */
function keyOf(sessionId: string, { action, reason, details }: Occurrence): string {
  return `${sessionId} ${action.name} ${reason ?? (details ? JSON.stringify(details) : '')}`;
}

/** Returns an occurrence with the lists of the former ones in its details, so that the entry on repetitions hides none. */
function unite(former: Occurrence | undefined, occurrence: Occurrence): Occurrence {
  const details = Object.entries(occurrence.details ?? {}).map(([member, value]) => {
    const before = former?.details?.[member];
    return [member, Array.isArray(value) && Array.isArray(before) ? [...new Set([...before, ...value])] : value];
  });
  return occurrence.details ? { ...occurrence, details: Object.fromEntries(details) } : occurrence;
}

function summarize({ occurrence, at }: NonNullable<Standing['last']>, repeated: number): Occurrence {
  return { ...occurrence, details: { ...occurrence.details, repeated, lastAt: toIsoString(at) } };
}
