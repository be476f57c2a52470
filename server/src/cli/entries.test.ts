// Entries: an array gives its items, and other files their lines, for every size of chunks.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import fc from 'fast-check';
import { createItemSplitter, type Entry, isUtf16, readEntries, splitEntries } from './entries.ts';

const folder = mkdtempSync(join(tmpdir(), 'latchkey-entries-'));
after(() => rmSync(folder, { recursive: true }));

async function read(content: string | Buffer): Promise<Entry[]> {
  const path = join(folder, 'file.json');
  writeFileSync(path, content);
  return Array.fromAsync(readEntries(path));
}

const texts = (entries: Entry[]) => entries.map(({ bytes }) => bytes.toString().trim());

/** The items of the text when it arrives in chunks of this size. */
function splitInChunks(text: string, size: number): Entry[] {
  const splitter = createItemSplitter();
  const bytes = Buffer.from(text);
  const entries: Entry[] = [];
  for (let start = 0; start < bytes.length; start += size) {
    entries.push(...splitter.split(bytes.subarray(start, start + size)));
  }
  return [...entries, ...splitter.end()];
}

describe('entries', () => {
  it('of an array are its items, for all contents and sizes of chunks', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { minLength: 1 }), fc.integer({ min: 1, max: 50 }), (items, size) => {
        for (const text of [JSON.stringify(items), JSON.stringify(items, null, 2)]) {
          const entries = splitInChunks(text, size);
          assert.deepEqual(
            entries.map(({ bytes }) => JSON.parse(bytes.toString())),
            // JSON has no -0.
            JSON.parse(JSON.stringify(items)),
          );
          assert.ok(
            entries.every(
              ({ kind, problem }, index) =>
                kind === 'item' && problem === undefined && entries[index]?.number === index + 1,
            ),
          );
        }
      }),
    );
  });

  it('are the same however the beginning of the file arrives', async () => {
    async function* pieces(bytes: Buffer, size: number) {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    }
    // Found by fuzzing: a byte order mark or white space that arrives alone.
    for (const text of ['\ufeff[{"a":1}, 2]', '\n [1]', '[', '\ufeff', ' ', '', '\ufeff{"a":1}\n{"b":1}']) {
      const bytes = Buffer.from(text);
      const whole = await read(bytes);
      for (const size of [1, 2, 3, 4]) {
        assert.deepEqual(await Array.fromAsync(splitEntries(pieces(bytes, size))), whole, JSON.stringify([text, size]));
      }
    }
    assert.deepEqual(texts(await Array.fromAsync(splitEntries(pieces(Buffer.from('\ufeff[1,2]'), 3)))), ['1', '2']);
  });

  it('of other files are the lines', async () => {
    const lines = await read('\ufeff{"a":1}\r\n\r\n["b"]\n{"c":1}');
    assert.deepEqual(texts(lines), ['\ufeff{"a":1}'.trim(), '', '["b"]', '{"c":1}']);
    assert.deepEqual(
      lines.map(({ kind, number, position }) => [kind, number, position]),
      [
        ['line', 1, 12],
        ['line', 2, 14],
        ['line', 3, 20],
        ['line', 4, 27],
      ],
    );
    assert.deepEqual(texts(await read('\ufeff \n [ {"a":1} , {"b":[2,3]} ] \n')), ['{"a":1}', '{"b":[2,3]}']);
    assert.deepEqual(await read(''), []);
    assert.deepEqual(await read(' [ ] '), []);
  });

  it('tell of an array that is cut off, has text behind it, or holds a long item', async () => {
    const problems = async (text: string) => (await read(text)).map(({ problem }) => problem);
    assert.deepEqual(await problems('[{"a":1},{"b":'), [
      undefined,
      'The array does not end: the file is cut off here.',
    ]);
    assert.deepEqual(await problems('[{"a":1}]\n[2]'), [
      undefined,
      'Text follows the end of the array. Give one array, or one object a line.',
    ]);
    const long = JSON.stringify([{ a: 'x'.repeat(200_000) }, { b: 1 }]);
    const [first, second] = await read(long);
    assert.equal(first?.problem, 'The item is longer than 64 KiB.');
    assert.ok((first?.bytes.length ?? 0) <= 65_536);
    assert.equal(second?.bytes.toString(), '{"b":1}');
  });

  it('are not read from UTF-16', () => {
    assert.ok(isUtf16(Buffer.from('\ufeff[{}]', 'utf16le')));
    assert.ok(isUtf16(Buffer.from('[{}]', 'utf16le')));
    assert.ok(!isUtf16(Buffer.from('\ufeff[{}]')));
    assert.ok(!isUtf16(Buffer.from('')));
  });
});
