// A service with a verifier that follows it over the network, as in another service.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createVerifier, TokenRejected, type Verifier, type VerifierOptions } from 'latchkey-sdk/verify';
import { createRunningClock } from './clock.ts';
import type { Engine } from './databases.ts';
import { findFreePort } from './ports.ts';
import { startTestService, type TestService } from './service.ts';

export interface Verified {
  readonly test: TestService;
  readonly verifier: Verifier;
  /** The options of the verifier. */
  readonly options: VerifierOptions;
  /** Returns `accepted`, or why the verifier rejects the token. */
  judge(token: string): Promise<string>;
  /** Waits until the verifier gives another verdict than this one, and returns it. */
  judgeAfter(verdict: string, token: string): Promise<string>;
  close(): Promise<void>;
}

/** Starts a service whose clock runs, and a verifier that is ready. */
export async function startVerified(engine: Engine): Promise<Verified> {
  const port = await findFreePort();
  const issuer = `http://127.0.0.1:${port}`;
  const test = await startTestService(engine, { publicUrl: issuer, clock: createRunningClock() });
  const serviceKey = await test.createServiceKey('shop', ['revocations', 'introspect']);
  await test.app.listen({ port, host: '127.0.0.1' });
  const options = { issuer, audience: 'latchkey', serviceKey };
  const verifier = createVerifier(options);
  await verifier.ready();
  const judge = (token: string) => verdictOf(verifier, token);
  return {
    test,
    verifier,
    options,
    judge,
    async judgeAfter(former, token) {
      for (;;) {
        const verdict = await judge(token);
        if (verdict !== former) return verdict;
        await nextTurn();
      }
    },
    async close() {
      verifier.close();
      await test.close();
    },
  };
}

/** Returns `accepted`, or why the verifier rejects the token. */
export async function verdictOf(verifier: Verifier, token: string): Promise<string> {
  try {
    await verifier.verify(token);
    return 'accepted';
  } catch (error) {
    if (error instanceof TokenRejected) return error.reason;
    throw error;
  }
}
