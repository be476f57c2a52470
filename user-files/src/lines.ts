// JSON Lines: each line is an object, and one that cannot be read leaves the others as they are.
import { type Entry, MAX_CHARACTERS } from './entry.ts';
import { findRepeatedMembers } from './repeated-members.ts';
import { CutOff, REPLACEMENT } from './source.ts';
import { readObject } from './values.ts';

/** Yields the lines that are not empty. */
export async function* readLines(text: AsyncIterable<string>): AsyncGenerator<Entry> {
  let number = 1;
  let parts: string[] = [];
  let length = 0;
  const keep = (part: string) => {
    if (length <= MAX_CHARACTERS) parts.push(part);
    length += part.length;
  };
  const take = (): Entry | undefined => {
    const line = parts.join('');
    const entry = length > MAX_CHARACTERS ? toProblem(number, 'tooLong') : readLine(line, number);
    number += 1;
    parts = [];
    length = 0;
    return entry;
  };
  try {
    for await (const chunk of text) {
      const [first = '', ...others] = chunk.split('\n');
      keep(first);
      for (const part of others) {
        const entry = take();
        if (entry) yield entry;
        keep(part);
      }
    }
  } catch (error) {
    if (!(error instanceof CutOff)) throw error;
    return yield toProblem(number, 'cutOff');
  }
  const last = take();
  if (last) yield last;
}

const toProblem = (number: number, why: 'notObject' | 'tooLong' | 'damaged' | 'cutOff'): Entry => ({
  kind: 'line',
  number,
  container: '',
  problem: { why },
});

/** Returns `undefined` for an empty line. */
export function readLine(line: string, number: number): Entry | undefined {
  if (line.trim() === '') return undefined;
  if (line.includes(REPLACEMENT)) return toProblem(number, 'damaged');
  const values = readObject(line);
  if (!values) return toProblem(number, 'notObject');
  const names = findRepeatedMembers(line);
  const place = { kind: 'line', number, container: '' } as const;
  return names.length > 0 ? { ...place, problem: { why: 'repeated', names } } : { ...place, values };
}

export { describeProblem, type Place, type Problem, type Values } from './entry.ts';
export { findRepeatedMembers };
