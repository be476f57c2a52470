// The sidecar as the guide on protecting services starts it: a process that follows a service over the network.
import type { TestService } from './service.ts';
import { startVerifierProcess } from './verifier.ts';

export interface Sidecar {
  readonly port: number;
  stop(): Promise<unknown>;
}

/**
 * Starts `latchkey verifier` with a key of its own, and waits until it is ready. It is stale after ten seconds: the service sends a
 * beat every two, and a busy machine holds one up.
 * @param issuer the public URL of the service.
 */
export async function startSidecar(test: TestService, issuer: string): Promise<Sidecar> {
  const { url, stop } = await startVerifierProcess({
    LATCHKEY_ISSUER: issuer,
    LATCHKEY_SERVICE_KEY: await test.createServiceKey('orders', ['revocations']),
    LATCHKEY_MAX_STALE_SECONDS: '10',
  });
  return { port: Number(new URL(url).port), stop };
}
