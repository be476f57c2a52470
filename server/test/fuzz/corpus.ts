// The corpus: the inputs that fuzzing begins with, one file for each target, one input for each line.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Target } from './target.ts';

const FOLDER = join(import.meta.dirname, 'corpus');
const TARGETS = join(import.meta.dirname, 'targets');

/** A line is a JSON text, or `{"base64": …}` for bytes that are no UTF-8. */
function parseLine(line: string): Buffer {
  const value: string | { base64: string } = JSON.parse(line);
  return typeof value === 'string' ? Buffer.from(value) : Buffer.from(value.base64, 'base64');
}

/** Returns an input as a line of the corpus. */
export function formatLine(input: Buffer): string {
  const text = input.toString('utf8');
  return JSON.stringify(Buffer.from(text).equals(input) ? text : { base64: input.toString('base64') });
}

const pathOf = (name: string) => join(FOLDER, `${name}.jsonl`);

/** Returns the corpus of a target; empty if it has none yet. */
export function readCorpus(name: string): Buffer[] {
  if (!existsSync(pathOf(name))) return [];
  const lines = readFileSync(pathOf(name), 'utf8').split('\n');
  return lines.filter((line) => line !== '').map(parseLine);
}

/** Adds inputs at the end of the corpus of a target. */
export function addToCorpus(name: string, inputs: readonly Buffer[]): void {
  const lines = new Set([...readCorpus(name), ...inputs].map(formatLine));
  writeFileSync(pathOf(name), `${[...lines].join('\n')}\n`);
}

/** The names of all targets. */
export const targetNames: readonly string[] = readdirSync(TARGETS)
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.slice(0, -'.ts'.length));

/** Loads a target. Its sources are measured if coverage was started before. */
export async function loadTarget(name: string): Promise<Target> {
  const { target }: { target: Target } = await import(join(TARGETS, `${name}.ts`));
  return target;
}
