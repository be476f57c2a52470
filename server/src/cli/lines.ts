// Lines of a file as bytes, one after the other: a file of any length, in the memory of one line.
import { createReadStream } from 'node:fs';

/** Longest line, in bytes; of a longer one only this much is kept, with `isTooLong`. */
const MAX_LINE_BYTES = 64 * 1024;

export type Line = { readonly number: number; readonly bytes: Buffer; readonly isTooLong: boolean };

/** The lines of a file, numbered from 1; what ends one is LF, and a CR before it belongs to the line. */
export async function* readLines(path: string): AsyncGenerator<Line> {
  let number = 1;
  let parts: Buffer[] = [];
  let length = 0;

  const keep = (part: Buffer) => {
    if (length < MAX_LINE_BYTES) parts.push(part.subarray(0, MAX_LINE_BYTES - length));
    length += part.length;
  };
  const take = (): Line => {
    const line = { number, bytes: Buffer.concat(parts), isTooLong: length > MAX_LINE_BYTES };
    number += 1;
    parts = [];
    length = 0;
    return line;
  };

  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      keep(chunk.subarray(start, end));
      start = end + 1;
      yield take();
    }
    keep(chunk.subarray(start));
  }
  if (length > 0) yield take();
}
