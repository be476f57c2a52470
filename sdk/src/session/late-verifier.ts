// A verifier that is created when a request first needs it: a build of the application has no service key.
import type { Verifier } from '../verify/interface.ts';
import { type System, within } from '../verify/system.ts';
import { CALL_MS } from './tokens.ts';

/**
 * Returns a verifier that `create` makes at the first token. The tokens that arrive before it is ready wait for it, at most as long as
 * for a call. @throws Error if the service refuses its key, as `ready` does.
 */
export function createLateVerifier(create: () => Verifier, system: System): Pick<Verifier, 'verify'> {
  let created: Verifier | undefined;
  let start: Promise<void> | undefined;

  async function awaitReady(verifier: Verifier): Promise<void> {
    let refusal: { cause: unknown } | undefined;
    const isReady = verifier.ready().catch((cause) => {
      refusal = { cause };
      // It may come after the wait: the next token waits anew, and learns it.
      start = undefined;
    });
    await within(system, CALL_MS, 'service', isReady).catch(() => undefined);
    if (refusal) throw refusal.cause;
  }

  return {
    async verify(token) {
      created ??= create();
      // Once: a verifier that is stale later says so without a delay.
      start ??= awaitReady(created);
      await start;
      return created.verify(token);
    },
  };
}
