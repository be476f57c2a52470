// The test kit: a real service in a process of its own for each suite, with a clock that moves and messages that can be read.
import { connectLatchkey } from './connection.ts';
import type { TestLatchkey, TestServerAddress, TestServerOptions } from './interface.ts';
import { startProcess } from './process.ts';

export { isLatchkeyError, type LatchkeyError } from '../call.ts';
export type { Calls } from '../calls.ts';
export { connectLatchkey } from './connection.ts';
export type {
  TestApplication,
  TestConfiguration,
  TestLatchkey,
  TestMessage,
  TestServerAddress,
  TestServerOptions,
  TestUser,
} from './interface.ts';

/**
 * Starts a service with a database in memory. It ends with `stop`, and with this process.
 * @throws Error if it does not start, with the reason: such as an option that is wrong, or variables of a real installation.
 */
export async function startLatchkey(options: TestServerOptions = {}): Promise<TestLatchkey> {
  const { address, stop } = await startProcess(options);
  return { ...(await connectLatchkey(address)), stop };
}

/** A fixture of Playwright Test and of Vitest: the server starts with the first test that needs it, once for each worker. */
export type LatchkeyFixture = [
  fixture: (given: object, use: (latchkey: TestLatchkey) => Promise<void>) => Promise<void>,
  options: { scope: 'worker' },
];

/**
 * Returns a fixture, for `test.extend({ latchkey: latchkeyFixture(options) })`.
 * @param options of a server to start, or the address of one that runs.
 */
export function latchkeyFixture(options: TestServerOptions | TestServerAddress = {}): LatchkeyFixture {
  return [
    // biome-ignore lint/correctness/noEmptyPattern: both test runners read from the pattern which fixtures this one needs.
    async ({}, use) => {
      const latchkey = 'key' in options ? await connectLatchkey(options) : await startLatchkey(options);
      try {
        await use(latchkey);
      } finally {
        await latchkey.stop();
      }
    },
    { scope: 'worker' },
  ];
}
