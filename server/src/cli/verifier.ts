// latchkey verifier: verifies tokens for reverse proxies and for programs in any language, from memory.
import { defineCommand } from './command.ts';
import { endWithShellOfNpm } from './signals.ts';

export const verifierCommand = defineCommand({
  name: 'verifier',
  about: 'Verify tokens for reverse proxies and other programs until SIGTERM or Ctrl-C.',
  takes: [],
  options: {},
  async run() {
    const [{ readVerifierEnvironment }, { createLogger, openTerminalStream }, { runVerifier }] = await Promise.all([
      import('../verifier/environment.ts'),
      import('../app/log.ts'),
      import('../verifier/main.ts'),
    ]);
    endWithShellOfNpm();
    const environment = readVerifierEnvironment(process.env);
    await runVerifier(environment, createLogger(environment.logLevel, await openTerminalStream()));
    return undefined;
  },
});
