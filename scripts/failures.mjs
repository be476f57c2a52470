// A test reporter that keeps what failed, so that a run of several parts can repeat it at its end, where readers look first.
import { inspect } from 'node:util';

/**
 * @param {AsyncIterable<import('node:test/reporters').TestEvent>} events
 * @returns {AsyncGenerator<string>}
 */
export default async function* failures(events) {
  for await (const event of events) {
    if (event.type !== 'test:fail') continue;
    const { name, file, line, details } = event.data;
    const { failureType, cause } = /** @type {Error & { failureType?: string }} */ (details.error);
    // A suite fails with its tests, which are told themselves.
    if (failureType !== 'subtestsFailed') yield `\n✖ ${name} (${file}:${line})\n${inspect(cause ?? details.error)}\n`;
  }
}
