// A test reporter that keeps what failed, so that a run of several parts can repeat it at its end, where readers look first.
import { inspect } from 'node:util';

/** A file that fails without a failed test has ended by itself: what it said last tells why. */
const LINES_KEPT = 20;

/**
 * @param {AsyncIterable<import('node:test/reporters').TestEvent>} events
 * @returns {AsyncGenerator<string>}
 */
export default async function* failures(events) {
  /** @type {Map<string | undefined, string[]>} the last lines of a file outside its tests */
  const said = new Map();
  for await (const event of events) {
    if (event.type === 'test:stderr' || event.type === 'test:diagnostic') {
      const { file, message } = event.data;
      said.set(file, [...(said.get(file) ?? []), ...message.trimEnd().split('\n')].slice(-LINES_KEPT));
    }
    if (event.type !== 'test:fail') continue;
    const { name, file, line, details } = event.data;
    const error = /** @type {Error & { failureType?: string, exitCode?: number | null, signal?: string | null }} */ (
      details.error
    );
    // A suite fails with its tests, which are told themselves.
    if (error.failureType === 'subtestsFailed') continue;
    yield `\n✖ ${name} (${file}:${line})\n${inspect(error.cause ?? error)}\n`;
    if (name !== file || error.exitCode === undefined) continue;
    yield `It ended with ${error.signal ?? `code ${error.exitCode}`}, and said last:\n${(said.get(file) ?? []).join('\n')}\n`;
  }
}
