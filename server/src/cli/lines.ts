// Lines of a file as bytes, read one after the other: the file may have any length, and memory holds one line.
import { createReadStream } from 'node:fs';

/** In bytes. A longer line is cut to this length and marked with `isTooLong`. */
const MAX_LINE_BYTES = 64 * 1024;

export type Line = { readonly number: number; readonly bytes: Buffer; readonly isTooLong: boolean };

/** Yields the lines of a file, numbered from 1. A line ends with LF. A CR before it belongs to the line. */
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

  const chunks: AsyncIterable<Buffer> = createReadStream(path);
  for await (const chunk of chunks) {
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
