// latchkey test-server: a service for the tests of applications, with a database in memory and a clock that tests move.
import { defineCommand } from './command.ts';
import { fromCaller } from './paths.ts';
import { endWithShellOfNpm } from './signals.ts';

export const testServerCommand = defineCommand({
  name: 'test-server',
  about:
    'Run a service for tests, which keeps nothing, until SIGTERM or Ctrl-C. FILE has its options, - reads them from standard input.',
  takes: ['[FILE]'],
  options: {},
  async run(_, [path]) {
    const { runTestServer } = await import('../testing/main.ts');
    endWithShellOfNpm();
    await runTestServer(path === undefined || path === '-' ? path : fromCaller(path), process.env);
    return undefined;
  },
});
