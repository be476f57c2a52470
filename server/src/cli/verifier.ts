// latchkey verifier: verifies tokens for reverse proxies and for programs in any language, from memory.
import { beginProcess } from './begin.ts';
import { defineCommand } from './command.ts';
import { endWithShellOfNpm } from './signals.ts';

export const verifierCommand = defineCommand({
  name: 'verifier',
  about: 'Verify tokens for reverse proxies and other programs until SIGTERM or Ctrl-C.',
  takes: [],
  options: {},
  async run() {
    const [{ readVerifierEnvironment }, { runVerifier }] = await Promise.all([
      import('../verifier/environment.ts'),
      import('../verifier/main.ts'),
    ]);
    endWithShellOfNpm();
    const { environment, log } = await beginProcess(readVerifierEnvironment);
    await runVerifier(environment, log);
    return undefined;
  },
});
