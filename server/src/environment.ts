// The environment: every variable that configures the service, checked before anything starts.
import { resolve } from 'node:path';
import { parseTrustedProxies } from './http/client-address.ts';

/** What the environment says, defaults filled in. */
export type Environment = {
  readonly mode: 'development' | 'production';
  readonly host: string;
  readonly port: number;
  /** Issuer, and base of every link: without a slash at its end. */
  readonly publicUrl: string;
  readonly databaseUrl: string;
  readonly dataDir: string;
  /** Absent: the one in the data directory. */
  readonly secret: string | undefined;
  readonly adminUser: string;
  readonly adminPassword: string | undefined;
  readonly trustedProxies: readonly string[];
  readonly corsOrigins: readonly string[];
  readonly logLevel: string;
};

/** A variable that is wrong; `message` is one line that names it and says what to do. */
export class EnvironmentError extends Error {
  constructor(variable: string, problem: string) {
    super(`${variable} ${problem}`);
    this.name = 'EnvironmentError';
  }
}

/** Shortest secret, in characters: 256 bits as base64 have 43. */
const MIN_SECRET_LENGTH = 32;

/** Longest password that can be set, in characters. */
const MAX_PASSWORD_LENGTH = 128;

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

type Variables = Readonly<Record<string, string | undefined>>;

/** Reads the variables. An empty one counts as absent. @throws EnvironmentError for the first that is wrong. */
export function readEnvironment(variables: Variables): Environment {
  const read = (name: string) => variables[name]?.trim() || undefined;
  const dataDir = resolve(read('LATCHKEY_DATA_DIR') ?? 'data');
  const port = readPort(read('LATCHKEY_PORT'));
  const environment: Environment = {
    mode: readOneOf('LATCHKEY_MODE', read('LATCHKEY_MODE') ?? 'development', ['development', 'production'] as const),
    host: read('LATCHKEY_HOST') ?? '127.0.0.1',
    port,
    publicUrl: readPublicUrl(read('LATCHKEY_PUBLIC_URL') ?? `http://localhost:${port}`),
    databaseUrl: readDatabaseUrl(read('LATCHKEY_DATABASE_URL') ?? `sqlite:${resolve(dataDir, 'latchkey.db')}`),
    dataDir,
    secret: readSecret(variables.LATCHKEY_SECRET),
    adminUser: readAdminUser(read('LATCHKEY_ADMIN_USER') ?? 'admin'),
    adminPassword: readAdminPassword(variables.LATCHKEY_ADMIN_PASSWORD),
    trustedProxies: readProxies(read('LATCHKEY_TRUSTED_PROXIES') ?? ''),
    corsOrigins: readOrigins(read('LATCHKEY_CORS_ORIGINS') ?? ''),
    logLevel: readOneOf('LATCHKEY_LOG_LEVEL', read('LATCHKEY_LOG_LEVEL') ?? 'info', LOG_LEVELS),
  };
  if (environment.secret === undefined && environment.databaseUrl.startsWith('postgres')) {
    throw new EnvironmentError('LATCHKEY_SECRET', 'is required with PostgreSQL: all nodes need the same one.');
  }
  requireUrl('LATCHKEY_SMTP_URL', read('LATCHKEY_SMTP_URL'), ['smtp:', 'smtps:']);
  requireUrl('LATCHKEY_SMS_URL', read('LATCHKEY_SMS_URL'), ['http:', 'https:']);
  if (read('LATCHKEY_EXTENSIONS') !== undefined) {
    throw new EnvironmentError('LATCHKEY_EXTENSIONS', 'is set, but this version loads no extensions: remove it.');
  }
  if (environment.mode === 'production') requireProductionReady(environment, read);
  return environment;
}

/** What is good enough to try the service out, but not for real accounts. */
function requireProductionReady({ publicUrl, secret }: Environment, read: (name: string) => string | undefined) {
  if (!publicUrl.startsWith('https://')) {
    throw new EnvironmentError('LATCHKEY_PUBLIC_URL', 'must begin with https:// in production.');
  }
  if (secret === undefined) {
    throw new EnvironmentError(
      'LATCHKEY_SECRET',
      'is required in production: 32 characters or more, kept outside the data directory.',
    );
  }
  for (const name of ['LATCHKEY_SMTP_URL', 'LATCHKEY_SMS_URL']) {
    if (read(name) === undefined) {
      throw new EnvironmentError(
        name,
        'is required in production: the outbox is no way to deliver messages to people.',
      );
    }
  }
}

function readOneOf<Value extends string>(name: string, value: string, allowed: readonly Value[]): Value {
  const found = allowed.find((one) => one === value);
  if (found === undefined)
    throw new EnvironmentError(name, `is "${value}", but must be one of: ${allowed.join(', ')}.`);
  return found;
}

function readPort(text = '8080'): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port >= 0 && port <= 65_535)) {
    throw new EnvironmentError('LATCHKEY_PORT', `is "${text}", but must be a number from 0 to 65535.`);
  }
  return port;
}

function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

function readPublicUrl(text: string): string {
  const url = parseUrl(text);
  const isPlain = url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash;
  if (!isPlain)
    throw new EnvironmentError('LATCHKEY_PUBLIC_URL', `is "${text}", but must be a plain http or https address.`);
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

function readDatabaseUrl(text: string): string {
  if (/^sqlite:./.test(text)) return text;
  if (/^postgres(ql)?:$/.test(parseUrl(text)?.protocol ?? '')) return text;
  // The value is not repeated: it may hold a password.
  throw new EnvironmentError('LATCHKEY_DATABASE_URL', 'must be sqlite:PATH or postgres://USER:PASSWORD@HOST/DATABASE.');
}

function readSecret(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  if (text.trim().length >= MIN_SECRET_LENGTH) return text;
  throw new EnvironmentError(
    'LATCHKEY_SECRET',
    `must have at least ${MIN_SECRET_LENGTH} characters; make one with: openssl rand -base64 32`,
  );
}

function readAdminUser(text: string): string {
  if (/^[^\p{C}\p{Z}@]{1,256}$/u.test(text)) return text;
  throw new EnvironmentError('LATCHKEY_ADMIN_USER', 'must be a user name without spaces or @.');
}

function readAdminPassword(text: string | undefined): string | undefined {
  if (!text) return undefined;
  if ([...text].length <= MAX_PASSWORD_LENGTH && text.isWellFormed()) return text;
  throw new EnvironmentError('LATCHKEY_ADMIN_PASSWORD', `must have at most ${MAX_PASSWORD_LENGTH} characters.`);
}

/** The value is not repeated: it may hold a password. */
function requireUrl(name: string, text: string | undefined, protocols: readonly string[]): void {
  if (text === undefined || protocols.includes(parseUrl(text)?.protocol ?? '')) return;
  throw new EnvironmentError(name, `must be an address that begins with ${protocols.join('// or ')}//.`);
}

function readProxies(text: string): string[] {
  try {
    return parseTrustedProxies(text);
  } catch (error) {
    throw new EnvironmentError('LATCHKEY_TRUSTED_PROXIES', `is wrong: ${(error as Error).message}`);
  }
}

function readOrigins(text: string): string[] {
  const origins = text.split(/[\s,]+/).filter((entry) => entry !== '');
  for (const origin of origins) {
    if (/^https?:/.test(origin) && parseUrl(origin)?.origin === origin) continue;
    throw new EnvironmentError(
      'LATCHKEY_CORS_ORIGINS',
      `has "${origin}", but each entry must be an origin such as https://app.example.com.`,
    );
  }
  return origins;
}
