// Exports of the chain as JSON lines: the ends of the chain, then its entries in their order, with all that verifies them.
import { toInstant, toIsoString } from '../foundation/clock.ts';
import { isObject } from '../foundation/object.ts';
import type { Ends } from './chain.ts';
import type { Source, Verifiable } from './verification.ts';

/** Lines that are verified together. */
const BATCH = 500;

/** The trail or a file cannot be read as a chain. `message` says why in one line. */
class ChainFileError extends Error {
  override readonly name = 'ChainFileError';
}

/** Returns the lines of an export in pieces. @throws ChainFileError, also while they are read. */
export async function* exportChain(source: Source): AsyncGenerator<string> {
  const { base, head } = await source.readEnds();
  yield `${JSON.stringify({ base, head: { ...head, at: toIsoString(head.at) } })}\n`;
  for (let last = base.sequence; ; ) {
    // Also those after the head: they may tell of an erasure that has emptied entries meanwhile.
    const entries = await source.readAfter({ sequence: last });
    if (entries.length === 0 && last >= head.sequence) break;
    if (entries[0]?.sequence !== last + 1) {
      throw new ChainFileError(
        `Entry ${last + 1} is missing: retention has deleted it meanwhile, or the chain is broken.`,
      );
    }
    yield entries.map(toLine).join('');
    last = entries.at(-1)?.sequence ?? last;
  }
  const { erased } = await source.readWaiting();
  if (erased.length > 0)
    throw new ChainFileError('An erasure is not chained yet: start the service, and export again.');
}

/** Reads an export from its lines. @throws ChainFileError, also while it is read on. */
export function readChain(lines: AsyncIterable<string>): Source {
  const iterator = lines[Symbol.asyncIterator]();
  let number = 0;
  async function readLine<Content>(parse: (line: string) => Content): Promise<Content | undefined> {
    const { done, value } = await iterator.next();
    number += 1;
    if (done) return undefined;
    try {
      // An editor may have written a byte order mark before the first line.
      return parse(number === 1 ? value.replace(/^\ufeff/, '') : value);
    } catch {
      throw new ChainFileError(`Line ${number} is not one of an export of the trail.`);
    }
  }
  return {
    isLive: false,
    readWaiting: async () => ({ count: 0, since: null, erased: [] }),
    async readEnds() {
      const ends = await readLine(toEnds);
      if (!ends) throw new ChainFileError('The file is empty.');
      return ends;
    },
    async readAfter() {
      const entries: Verifiable[] = [];
      while (entries.length < BATCH) {
        const entry = await readLine(toEntry);
        if (!entry) break;
        entries.push(entry);
      }
      return entries;
    },
  };
}

function toLine({ at, details, ...same }: Verifiable): string {
  const time = toIsoString(at);
  // What somebody has edited stands there as it is stored, so that the file verifies as the database does.
  return `${JSON.stringify({ ...same, at: Date.parse(time) === at ? time : at, details: parseDetails(details) })}\n`;
}

/** Returns the object that the details are, or their text if it is not exactly that of one. */
function parseDetails(text: string | null): unknown {
  try {
    const details: unknown = JSON.parse(text ?? 'null');
    return isObject(details) && JSON.stringify(details) === text ? details : text;
  } catch {
    return text;
  }
}

function toEntry(line: string): Verifiable {
  const { at, details, ...same } = JSON.parse(line);
  return {
    ...same,
    at: toInstant(typeof at === 'string' ? Date.parse(at) : at),
    details: details === null || typeof details === 'string' ? details : JSON.stringify(details),
  };
}

function toEnds(line: string): Ends {
  const { base, head } = JSON.parse(line);
  return { base: toLink(base), head: { ...toLink(head), at: toInstant(Date.parse(head.at)) } };
}

function toLink({ sequence, hash }: { sequence: unknown; hash: unknown }) {
  if (typeof sequence !== 'number' || typeof hash !== 'string') throw new TypeError('This is no link.');
  return { sequence, hash };
}
