// latchkey serve: runs the service.
import { defineCommand } from './command.ts';
import { endWithShellOfNpm } from './signals.ts';

export const serveCommand = defineCommand({
  name: 'serve',
  about: 'Run the service until SIGTERM or Ctrl-C.',
  takes: [],
  options: {},
  async run() {
    const [{ readEnvironment }, { createLogger, openTerminalStream }, { serve }] = await Promise.all([
      import('../config/environment.ts'),
      import('../app/log.ts'),
      import('../app/main.ts'),
    ]);
    endWithShellOfNpm();
    const environment = readEnvironment(process.env);
    await serve(environment, createLogger(environment.logLevel, await openTerminalStream()));
    return undefined;
  },
});
