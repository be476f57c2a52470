// The doctor's check that the service runs. Container runtimes ask for it every few seconds.
import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { readEnvironment } from '../config/environment.ts';
import { readVariable, type Variables } from '../config/variables.ts';
import { errorCodeOf } from '../foundation/errors.ts';
import { readVerifierEnvironment } from '../verifier/environment.ts';
import type { Finding } from './output.ts';

const PATIENCE_SECONDS = 3;

/** Where a service answers that listens on all addresses. With `::` it has the IPv4 ones, too, unless the system forbids it. */
const wildcards: Readonly<Record<string, readonly string[]>> = {
  '0.0.0.0': ['127.0.0.1'],
  '::': ['127.0.0.1', '::1'],
};

/** What only the verifier requires. */
const OF_VERIFIER = ['LATCHKEY_ISSUER', 'LATCHKEY_SERVICE_KEY'];

type Address = { readonly host: string; readonly port: number };

/** Returns where the service listens, or the verifier in an environment of its own. @throws EnvironmentError */
export function readAddress(variables: Variables): Address {
  const isVerifier = OF_VERIFIER.every((name) => readVariable(variables, name)?.trim());
  return isVerifier ? readVerifierEnvironment(variables) : readEnvironment(variables);
}

/** Asks the running service, or the verifier, for `/health/live`, at the address of the environment. */
export async function checkLive({ host, port }: Address): Promise<Finding> {
  const about = 'service';
  if (port === 0) {
    const message = 'LATCHKEY_PORT is 0, so the service listens on any free port: choose a port to check.';
    return { verdict: 'fail', about, message };
  }
  const problems = await Promise.all((wildcards[host] ?? [host]).map((address) => findProblem(address, port)));
  if (problems.includes(undefined)) return { verdict: 'ok', about, message: `answers on port ${port}` };
  return { verdict: 'fail', about, message: problems[0] ?? '' };
}

/** Returns what is wrong with the service at this address, or `undefined`. */
async function findProblem(host: string, port: number): Promise<string | undefined> {
  const signal = AbortSignal.timeout(PATIENCE_SECONDS * 1000);
  // An agent of its own: the global one sends requests to a proxy if NODE_USE_ENV_PROXY is set.
  const options = { host, port, path: '/health/live', signal, agent: false };
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      get(options, resolve).on('error', reject);
    });
    const answer = await text(response);
    if (response.statusCode === 200 && answer === '{"status":"ok"}') return undefined;
    return `Another program answers at ${host}, port ${port}: correct LATCHKEY_PORT.`;
  } catch (error) {
    const why = signal.aborted ? `no answer for ${PATIENCE_SECONDS} s` : (errorCodeOf(error) ?? 'no HTTP');
    return `The service does not answer at ${host}, port ${port} (${why}): see its log, and restart it.`;
  }
}
