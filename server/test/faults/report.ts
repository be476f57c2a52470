// The report of a run: what each fault was tried on and what it broke, printed at once and kept for the table.
import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import type { Rule, Violation } from './checks.ts';
import type { Ledger } from './ledger.ts';

/** One line of the table. */
export type ReportRow = {
  fault: string;
  /** Calls of the clients, while the fault lasts and after it. */
  operations: number;
  /** How many of those got no answer, or a 5xx. */
  unanswered: number;
  /** How often a process was killed, stopped, suspended or disconnected. */
  injections: number;
  violations: number;
};

/** Where the rows go besides the terminal; absent in the short form. */
const FILE = process.env.LATCHKEY_FAULTS_REPORT;

/** Reports on a fault, and fails the test when a promise was broken. */
export function report(
  fault: string,
  ledger: Pick<Ledger, 'entries'>,
  injections: number,
  violations: Violation[],
): void {
  const unanswered = ledger.entries.filter(({ outcome }) => outcome === 'unknown').length;
  const row = { fault, operations: ledger.entries.length, unanswered, injections, violations: violations.length };
  process.stdout.write(`${JSON.stringify(row)}\n`);
  if (FILE) appendFileSync(FILE, `${JSON.stringify(row)}\n`);
  const rules: Rule[] = violations.map(({ rule }) => rule);
  assert.deepEqual(rules, [], JSON.stringify(violations.slice(0, 5), undefined, 2));
}
