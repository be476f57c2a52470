// The session table: below which generation the tokens of each session are revoked, in about 35 bytes a session.

export interface SessionTable {
  /** Adds that the session's tokens below a generation are revoked. The entry is kept until a moment, in seconds. */
  add(sessionId: string, generation: number, keptUntil: number): void;
  /** Returns the generation below which the session's tokens are revoked; 0 for a session without an entry. */
  generationOf(sessionId: string): number;
  /** Gives back the memory of entries that are no longer kept. */
  sweep(): void;
  /** The number of entries, those included that are no longer kept. */
  readonly size: number;
  /** The memory of the entries. */
  readonly bytes: number;
}

/** Each entry is six numbers of 32 bits: the id in four, the generation, and until when it is kept. */
const WORDS = 6;
const GENERATION = 4;
const KEPT_UNTIL = 5;

const SMALLEST = 1024;

/** A fresh table has this much room for each entry. It is replaced when it is fuller than `FULL`. */
const ROOM = 1.6;
const FULL = 0.8;

/**
 * @param now seconds since a fixed moment, by a clock that is never set.
 */
export function createSessionTable(now: () => number): SessionTable {
  let slots = new Uint32Array(SMALLEST * WORDS);
  let capacity = SMALLEST;
  let size = 0;
  const id = new Uint32Array(4);

  /** Returns where the entry of an id is, or the empty slot for it. A session id is random, so its end is its hash. */
  function find(table: Uint32Array, words: Uint32Array, at: number): number {
    const count = table.length / WORDS;
    let slot = Math.floor(((words[at + 3] ?? 0) / 2 ** 32) * count);
    for (;;) {
      const start = slot * WORDS;
      if (table[start + GENERATION] === 0) return start;
      let same = 0;
      while (same < 4 && table[start + same] === words[at + same]) same += 1;
      if (same === 4) return start;
      slot = slot + 1 === count ? 0 : slot + 1;
    }
  }

  const isKept = (start: number) => slots[start + GENERATION] !== 0 && (slots[start + KEPT_UNTIL] ?? 0) > now();

  function countKept() {
    let kept = 0;
    for (let start = 0; start < slots.length; start += WORDS) if (isKept(start)) kept += 1;
    return kept;
  }

  /** Moves the entries that are kept to a table with room for more. */
  function rebuild(kept: number) {
    capacity = Math.max(SMALLEST, Math.ceil(kept * ROOM));
    const fresh = new Uint32Array(capacity * WORDS);
    size = 0;
    for (let start = 0; start < slots.length; start += WORDS) {
      if (!isKept(start)) continue;
      fresh.set(slots.subarray(start, start + WORDS), find(fresh, slots, start));
      size += 1;
    }
    slots = fresh;
  }

  return {
    add(sessionId, generation, keptUntil) {
      readId(sessionId, id);
      const start = find(slots, id, 0);
      if (slots[start + GENERATION] === 0) {
        slots.set(id, start);
        size += 1;
      }
      slots[start + GENERATION] = Math.max(slots[start + GENERATION] ?? 0, generation);
      slots[start + KEPT_UNTIL] = Math.max(slots[start + KEPT_UNTIL] ?? 0, Math.ceil(keptUntil));
      if (size > capacity * FULL) rebuild(countKept());
    },
    generationOf(sessionId) {
      readId(sessionId, id);
      return slots[find(slots, id, 0) + GENERATION] ?? 0;
    },
    sweep() {
      const kept = countKept();
      if (kept < size / 2) rebuild(kept);
    },
    get size() {
      return size;
    },
    get bytes() {
      return slots.byteLength;
    },
  };
}

/** Whether the text is a session id as the service writes it: a UUID in lower case. */
export function isSessionId(text: unknown): text is string {
  return typeof text === 'string' && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(text);
}

function readId(sessionId: string, words: Uint32Array): void {
  const digits = sessionId.replaceAll('-', '');
  for (let word = 0; word < 4; word++) words[word] = Number.parseInt(digits.slice(word * 8, word * 8 + 8), 16);
}
