// The environment of a test server: that of a service, without anything that a real installation has.
import { type Environment, EnvironmentError, readEnvironment } from '../config/environment.ts';
import type { Variables } from '../config/variables.ts';
import { isLoopbackHost } from '../foundation/secure-url.ts';

/** What names a database. */
const DATABASES = ['LATCHKEY_DATABASE_URL', 'LATCHKEY_MIGRATION_DATABASE_URL', 'LATCHKEY_MOVE_TO'].flatMap((name) => [
  name,
  `${name}_FILE`,
]);

/** What a test server never reads: it has a secret of its own, and one process. */
const IGNORED = ['LATCHKEY_SECRET', 'LATCHKEY_SECRET_FILE', 'LATCHKEY_WORKERS'];

/** What a bearer token may be made of (RFC 6750, 2.1). */
const KEY = /^[A-Za-z0-9._~+/-]{16,}=*$/;

/** Where the service listens, and its public URL. What is given replaces the variables. */
export type Place = { readonly host?: string; readonly port?: number; readonly publicUrl?: string };

/**
 * Reads the variables, most of which mean what they mean for a service.
 * @throws EnvironmentError for what belongs to a real installation: production, a database, and a public URL that is not loopback.
 */
export function readTestEnvironment(variables: Variables, { host, port, publicUrl }: Place): Environment {
  requireNoInstallation(variables);
  if (publicUrl !== undefined) requireLoopback('publicUrl', publicUrl);
  return readEnvironment({
    ...variables,
    ...Object.fromEntries(IGNORED.map((name) => [name, undefined])),
    ...(host !== undefined && { LATCHKEY_HOST: host }),
    ...(port !== undefined && { LATCHKEY_PORT: String(port) }),
    ...(publicUrl !== undefined && { LATCHKEY_PUBLIC_URL: publicUrl }),
    LATCHKEY_LOG_LEVEL: variables.LATCHKEY_LOG_LEVEL || 'warn',
  });
}

function requireNoInstallation(variables: Variables) {
  const read = (name: string) => variables[name]?.trim() ?? '';
  if (read('LATCHKEY_MODE').toLowerCase() === 'production') {
    throw new EnvironmentError('LATCHKEY_MODE', 'is production, where no test server runs: unset it for tests.');
  }
  const named = DATABASES.find((name) => read(name) !== '');
  if (named !== undefined) {
    const problem = 'is set, but a test server opens no database except its own, in memory: unset it for tests.';
    throw new EnvironmentError(named, problem);
  }
  if (read('LATCHKEY_PUBLIC_URL') !== '') requireLoopback('LATCHKEY_PUBLIC_URL', read('LATCHKEY_PUBLIC_URL'));
}

/** @throws EnvironmentError if the URL is not one of this machine. */
function requireLoopback(name: string, publicUrl: string) {
  if (isLoopbackHost(URL.parse(publicUrl)?.hostname ?? '')) return;
  const problem =
    'is no address of this machine, which is all that a test server serves: name one like http://localhost:8080.';
  throw new EnvironmentError(name, problem);
}

/** Returns the key that callers of the control send, if the environment gives one. @throws EnvironmentError */
export function readTestKey(variables: Variables): string | undefined {
  const key = variables.LATCHKEY_TEST_KEY?.trim();
  if (!key || KEY.test(key)) return key || undefined;
  throw new EnvironmentError('LATCHKEY_TEST_KEY', 'must have 16 characters or more: letters, digits and - . _ ~ + /');
}
