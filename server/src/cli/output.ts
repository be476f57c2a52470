// Output: short lines for people and `grep`, with colours only on a terminal.
import { styleText } from 'node:util';
import { type Instant, toIsoString } from '../foundation/clock.ts';

/** Prints one line of a command's answer. */
export function print(line: string): void {
  process.stdout.write(`${harmless(line)}\n`);
}

/** Prints how far a long command is, on standard error. */
export function printProgress(line: string): void {
  process.stderr.write(`${harmless(line)}\n`);
}

/** Prints a failure as one line on standard error. */
export function printError(line: string): void {
  process.stderr.write(`${styleText('red', 'latchkey:', { stream: process.stderr })} ${harmless(line)}\n`);
}

/** Prints rows as columns under their titles. */
export function printTable(titles: readonly string[], rows: readonly (readonly string[])[]): void {
  const cleaned = [titles, ...rows].map((row) => row.map((cell) => harmless(cell) || '-'));
  const widths = titles.map((_, column) => Math.max(...cleaned.map((row) => row[column]?.length ?? 0)));
  for (const [index, row] of cleaned.entries()) {
    const line = row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
    process.stdout.write(`${index === 0 ? styleText('bold', line) : line}\n`);
  }
}

/** The result of a check, and what to do about it. */
export type Finding = { readonly verdict: 'ok' | 'warn' | 'fail'; readonly about: string; readonly message: string };

const colours = { ok: 'green', warn: 'yellow', fail: 'red' } as const;

/** Prints a finding as one line that begins with its verdict. */
export function printFinding({ verdict, about, message }: Finding): void {
  process.stdout.write(`${styleText(colours[verdict], verdict.padEnd(4))}  ${about.padEnd(14)} ${harmless(message)}\n`);
}

/** Returns an instant to the second, in UTC. */
export function toMoment(instant: Instant): string {
  return toIsoString(instant).replace(/\.\d+Z$/, 'Z');
}

/** Replaces characters that would control a terminal. */
function harmless(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, '?');
}
