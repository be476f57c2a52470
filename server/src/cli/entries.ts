// Entries of a file as bytes, read one after the other: the file may have any length, and memory holds one entry.
import { createReadStream } from 'node:fs';
import type { ImportEntry } from '../account-import/index.ts';

/** In bytes. A longer entry is cut to this length. */
const MAX_ENTRY_BYTES = 64 * 1024;

const BYTE = {
  lineFeed: 0x0a,
  quote: 0x22,
  comma: 0x2c,
  open: 0x5b,
  close: 0x5d,
  escape: 0x5c,
  begin: 0x7b,
  end: 0x7d,
};
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
const whitespace = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** One JSON value of a file: a line, or an item of an array. */
export type Entry = ImportEntry & {
  /** Bytes of the file up to the end of the entry. */
  readonly position: number;
};

type Splitter = { split(chunk: Buffer): Generator<Entry>; end(): Generator<Entry> };

/** Yields the lines of a file (JSON Lines), or the items of the array that the file consists of. */
export const readEntries = (path: string): AsyncGenerator<Entry> => splitEntries(createReadStream(path));

/** Yields the entries of a file that arrives in pieces of any size. */
export async function* splitEntries(chunks: AsyncIterable<Buffer>): AsyncGenerator<Entry> {
  let splitter: Splitter | undefined;
  let beginning = Buffer.alloc(0);
  for await (const chunk of chunks) {
    if (splitter) yield* splitter.split(chunk);
    else {
      beginning = Buffer.concat([beginning, chunk]);
      // A pipe may give the byte order mark alone.
      const isTold = beginning.length > BYTE_ORDER_MARK.length && firstByte(beginning) !== undefined;
      if (!isTold && beginning.length < MAX_ENTRY_BYTES) continue;
      splitter = createSplitter(beginning);
      yield* splitter.split(beginning);
    }
  }
  if (!splitter) {
    splitter = createSplitter(beginning);
    yield* splitter.split(beginning);
  }
  yield* splitter.end();
}

const createSplitter = (beginning: Buffer): Splitter =>
  firstByte(beginning) === BYTE.open ? createItemSplitter() : createLineSplitter();

/** Whether the file begins as text of Windows programs does: UTF-16, with a byte order mark or a NUL in each character. */
export function isUtf16(beginning: Buffer): boolean {
  const mark = beginning.subarray(0, 2).toString('hex');
  return mark === 'fffe' || mark === 'feff' || beginning.subarray(0, 2).includes(0);
}

function firstByte(chunk: Buffer): number | undefined {
  const start = BYTE_ORDER_MARK.every((byte, index) => chunk[index] === byte) ? BYTE_ORDER_MARK.length : 0;
  return chunk.subarray(start).find((byte) => !whitespace.has(byte));
}

/** Collects the parts of one entry after the other. */
function createCollector(kind: Entry['kind']) {
  let number = 1;
  let position = 0;
  let parts: Buffer[] = [];
  let length = 0;
  return {
    keep(part: Buffer) {
      if (length < MAX_ENTRY_BYTES) parts.push(part.subarray(0, MAX_ENTRY_BYTES - length));
      length += part.length;
      position += part.length;
    },
    /** @param separator bytes between this entry and the next. */
    take(separator: number, problem?: string): Entry {
      const why = length > MAX_ENTRY_BYTES ? `The ${kind} is longer than 64 KiB.` : problem;
      position += separator;
      const entry = { kind, number, bytes: Buffer.concat(parts), position, ...(why !== undefined && { problem: why }) };
      number += 1;
      parts = [];
      length = 0;
      return entry;
    },
    isEmpty: () => parts.every((part) => part.every((byte) => whitespace.has(byte))),
    isFirst: () => number === 1,
  };
}

/** Splits at LF. A CR before it belongs to the line. */
function createLineSplitter(): Splitter {
  const { keep, take, isEmpty } = createCollector('line');
  return {
    *split(chunk) {
      let start = 0;
      for (let end = chunk.indexOf(BYTE.lineFeed); end !== -1; end = chunk.indexOf(BYTE.lineFeed, start)) {
        keep(chunk.subarray(start, end));
        start = end + 1;
        yield take(1);
      }
      keep(chunk.subarray(start));
    },
    *end() {
      if (!isEmpty()) yield take(0);
    },
  };
}

/** Splits an array at its commas. Whether an item is well-formed JSON is for the reader of the item to find out. */
export function createItemSplitter(): Splitter {
  const { keep, take, isEmpty, isFirst } = createCollector('item');
  let depth = 0;
  let state: 'text' | 'escape' | 'outside' = 'outside';
  let hasEnded = false;
  return {
    *split(chunk) {
      let start = 0;
      for (let index = 0; index < chunk.length; index += 1) {
        const byte = chunk[index];
        if (state === 'escape') state = 'text';
        else if (state === 'text') {
          if (byte === BYTE.escape) state = 'escape';
          else if (byte === BYTE.quote) state = 'outside';
        } else if (byte === BYTE.quote) state = 'text';
        else if (byte === BYTE.open || byte === BYTE.begin) {
          depth += 1;
          if (depth === 1 && !hasEnded) start = index + 1;
        } else if (byte === BYTE.close || byte === BYTE.end) {
          depth -= 1;
          if (depth !== 0 || hasEnded) continue;
          hasEnded = true;
          keep(chunk.subarray(start, index));
          start = index + 1;
          const isEmptyArray = isFirst() && isEmpty();
          const item = take(1);
          if (!isEmptyArray) yield item;
        } else if (byte === BYTE.comma && depth === 1 && !hasEnded) {
          keep(chunk.subarray(start, index));
          start = index + 1;
          yield take(1);
        }
      }
      // What comes before the array, such as a byte order mark, is no part of an item.
      if (depth > 0 || hasEnded) keep(chunk.subarray(start));
    },
    *end() {
      if (!hasEnded) yield take(0, 'The array does not end: the file is cut off here.');
      else if (!isEmpty()) yield take(0, 'Text follows the end of the array. Give one array, or one object a line.');
    },
  };
}
