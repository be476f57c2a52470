// A test reporter that fails the run when something was not tested: a skipped or unfinished test, or no test at all.

/**
 * @param {AsyncIterable<import('node:test/reporters').TestEvent>} events
 * @returns {AsyncGenerator<string>}
 */
export default async function* unproven(events) {
  /** @type {string[]} */
  const names = [];
  let total = 0;
  for await (const event of events) {
    // The sum over all files counts a file without tests as a test.
    if (event.type === 'test:summary' && event.data.file !== undefined) total += event.data.counts.tests;
    if (event.type !== 'test:pass' && event.type !== 'test:fail') continue;
    const { skip, todo, name, file } = event.data;
    if (skip !== undefined || todo !== undefined) names.push(`${name} (${file})`);
  }
  if (names.length === 0 && total > 0) return;
  process.exitCode = 1;
  yield total === 0 ? '\nNo test ran.\n' : `\nSkipped or unfinished tests fail the run:\n  ${names.join('\n  ')}\n`;
}
