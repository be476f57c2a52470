// The environment of the verifier process, checked before it starts.
import type { VerifierOptions } from 'latchkey-sdk/verify';
import { EnvironmentError } from '../config/environment-error.ts';
import { LOG_LEVELS, readOneOf, readPort, readUrl } from '../config/values.ts';
import { readVariable, type Variables } from '../config/variables.ts';

export type VerifierEnvironment = {
  readonly host: string;
  readonly port: number;
  readonly logLevel: string;
  readonly options: Omit<VerifierOptions, 'onError'>;
};

/** Beside the service, which has port 8080. */
const DEFAULT_PORT = '8081';

const MIN_STALE_SECONDS = 3;
const MAX_STALE_SECONDS = 3600;

/** Reads the variables. An empty variable counts as absent. @throws EnvironmentError for the first wrong variable. */
export function readVerifierEnvironment(variables: Variables): VerifierEnvironment {
  const read = (name: string) => readVariable(variables, name)?.trim() || undefined;
  const readRequired = (name: string, what: string) => {
    const value = read(name);
    if (value === undefined) throw new EnvironmentError(name, `is required: ${what}.`);
    return value;
  };
  const issuer = readRequired('LATCHKEY_ISSUER', 'the public URL of the service');
  const serviceUrl = read('LATCHKEY_SERVICE_URL');
  return {
    host: read('LATCHKEY_HOST') ?? '127.0.0.1',
    port: readPort(read('LATCHKEY_PORT') ?? DEFAULT_PORT),
    logLevel: readOneOf('LATCHKEY_LOG_LEVEL', read('LATCHKEY_LOG_LEVEL') ?? 'info', LOG_LEVELS),
    options: {
      issuer: readUrl('LATCHKEY_ISSUER', issuer),
      ...(serviceUrl !== undefined && { serviceUrl: readUrl('LATCHKEY_SERVICE_URL', serviceUrl) }),
      audience: read('LATCHKEY_AUDIENCE') ?? 'latchkey',
      serviceKey: readServiceKey(
        readRequired('LATCHKEY_SERVICE_KEY', 'latchkey service-keys create NAME --permissions revocations'),
      ),
      maxStaleSeconds: readSeconds(read('LATCHKEY_MAX_STALE_SECONDS') ?? '5'),
      whenStale: readOneOf('LATCHKEY_WHEN_STALE', read('LATCHKEY_WHEN_STALE') ?? 'refuse', ['refuse', 'introspect']),
    },
  };
}

/** The message does not quote the value, which may be another secret. */
function readServiceKey(text: string): string {
  if (/^lks_[\w-]+$/.test(text)) return text;
  throw new EnvironmentError('LATCHKEY_SERVICE_KEY', 'must be a service key, which begins with lks_.');
}

function readSeconds(text: string): number {
  const seconds = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  if (seconds >= MIN_STALE_SECONDS && seconds <= MAX_STALE_SECONDS) return seconds;
  const range = `from ${MIN_STALE_SECONDS} to ${MAX_STALE_SECONDS}`;
  throw new EnvironmentError('LATCHKEY_MAX_STALE_SECONDS', `is "${text}", but must be a whole number ${range}.`);
}
