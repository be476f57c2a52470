// The environment: all variables that configure the service, checked before it starts.
import { resolve } from 'node:path';
import { OFF, OUTBOX } from '../delivery/index.ts';
import type { RelyingParty } from '../factors/index.ts';
import { type EgressAllowance, parseEgressAllowance } from '../foundation/egress.ts';
import { errorMessageOf } from '../foundation/errors.ts';
import type { Medium } from '../foundation/medium.ts';
import { parseTrustedProxies } from '../http/client-address.ts';
import { findAddressProblem } from '../storage/addresses.ts';
import type { Sampling } from '../tracing/open.ts';
import { readAdminPassword, readAdminUser } from './administrator.ts';
import { type MailServer, readSms, readSmtp, type SmsGateway } from './channels.ts';
import { EnvironmentError } from './environment-error.ts';
import { isAndroidApp, readOrigins } from './origins.ts';
import { readPublicUrl } from './public-url.ts';
import { readRelyingParty } from './relying-party.ts';
import { readSecret } from './secret.ts';
import { readTracing } from './tracing.ts';
import { LOG_LEVELS, readOneOf, readPort } from './values.ts';
import { readSecretText, readVariable, type Variables } from './variables.ts';
import { readWorkers } from './workers.ts';

export { EnvironmentError } from './environment-error.ts';

/** The configuration from the environment, with defaults. */
export type Environment = {
  readonly mode: 'development' | 'production';
  readonly host: string;
  readonly port: number;
  /** The issuer of tokens and the base of links, without a slash at its end. All addresses are below its path. */
  readonly publicUrl: string;
  readonly databaseUrl: string;
  /** The same database with a role that may change tables, for `latchkey migrate`. Default: {@link databaseUrl}. */
  readonly migrationDatabaseUrl: string | undefined;
  /** The empty database that `latchkey move` fills. */
  readonly moveTo: string | undefined;
  readonly dataDir: string;
  /** The number of processes that serve. */
  readonly workers: number;
  /** Default: the secret in the data directory. */
  readonly secret: string | undefined;
  readonly adminUser: string;
  readonly adminPassword: string | undefined;
  /** Whether that password may stay. Otherwise the administrator must change it at the first sign-in. */
  readonly isAdminPasswordFinal: boolean;
  /** What the service may call besides the public internet, where administrators name addresses. */
  readonly egressAllowance: EgressAllowance;
  readonly trustedProxies: readonly string[];
  readonly corsOrigins: readonly string[];
  readonly relyingParty: RelyingParty;
  /** Who may read `/metrics`: `loopback` callers on this machine and callers with the permission, `token` only the latter. */
  readonly metrics: MetricsAccess;
  /** The mail server. `off`: the service sends no e-mail. Default: an extension's channel, or the outbox. */
  readonly smtp: MailServer | typeof OFF | undefined;
  /** The gateway that receives text messages. `off`: the service sends none. Default: as for e-mail. */
  readonly sms: SmsGateway | typeof OFF | undefined;
  /** Absolute paths of modules, in the order of loading. */
  readonly extensions: readonly string[];
  /** The absolute path of a configuration file that the start applies. */
  readonly configuration: string | undefined;
  readonly logLevel: string;
  /** Which traces are recorded. Without it, the service does not load OpenTelemetry. */
  readonly tracing: Sampling | undefined;
};

/** In characters. 256 bits as base64 have 43. */
const MIN_SECRET_LENGTH = 32;

const METRICS_ACCESS = ['loopback', 'token', 'off'] as const;
export type MetricsAccess = (typeof METRICS_ACCESS)[number];

/** Reads the variables. An empty variable counts as absent. @throws EnvironmentError for the first wrong variable. */
export function readEnvironment(variables: Variables): Environment {
  const read = (name: string) => readVariable(variables, name)?.trim() || undefined;
  const dataDir = resolve(read('LATCHKEY_DATA_DIR') ?? 'data');
  const port = readPort(read('LATCHKEY_PORT') ?? '8080');
  const publicUrl = readPublicUrl(read('LATCHKEY_PUBLIC_URL') ?? `http://localhost:${port}`);
  const origins = readOrigins(read('LATCHKEY_CORS_ORIGINS') ?? '');
  const environment: Environment = {
    mode: readOneOf('LATCHKEY_MODE', read('LATCHKEY_MODE') ?? 'development', ['development', 'production'] as const),
    host: read('LATCHKEY_HOST') ?? '127.0.0.1',
    port,
    publicUrl,
    databaseUrl: readDatabaseUrl('LATCHKEY_DATABASE_URL', read) ?? `sqlite:${resolve(dataDir, 'latchkey.db')}`,
    migrationDatabaseUrl: readDatabaseUrl('LATCHKEY_MIGRATION_DATABASE_URL', read),
    moveTo: read('LATCHKEY_MOVE_TO'),
    dataDir,
    workers: readWorkers(variables),
    secret: readSecret('LATCHKEY_SECRET', variables, MIN_SECRET_LENGTH),
    adminUser: readAdminUser(read('LATCHKEY_ADMIN_USER') ?? 'admin'),
    adminPassword: readAdminPassword(readSecretText(variables, 'LATCHKEY_ADMIN_PASSWORD')),
    isAdminPasswordFinal: readFlag('LATCHKEY_ADMIN_PASSWORD_FINAL', read('LATCHKEY_ADMIN_PASSWORD_FINAL')),
    egressAllowance: readEgressAllowance(read('LATCHKEY_EGRESS_ALLOW') ?? ''),
    trustedProxies: readProxies(read('LATCHKEY_TRUSTED_PROXIES') ?? ''),
    corsOrigins: origins.filter((origin) => !isAndroidApp(origin)),
    relyingParty: readRelyingParty(publicUrl, origins, read('LATCHKEY_PASSKEY_RP_ID')),
    metrics: readOneOf('LATCHKEY_METRICS', read('LATCHKEY_METRICS') ?? 'loopback', METRICS_ACCESS),
    smtp: readSmtp(read('LATCHKEY_SMTP_URL'), read('LATCHKEY_MAIL_FROM')),
    sms: readSms(read('LATCHKEY_SMS_URL'), variables),
    extensions: readExtensions(read('LATCHKEY_EXTENSIONS') ?? '', variables.INIT_CWD ?? ''),
    configuration: readPath(read('LATCHKEY_CONFIG'), variables.INIT_CWD ?? ''),
    logLevel: readOneOf('LATCHKEY_LOG_LEVEL', read('LATCHKEY_LOG_LEVEL') ?? 'info', LOG_LEVELS),
    tracing: readTracing(read),
  };
  if (environment.secret === undefined && environment.databaseUrl.startsWith('postgres')) {
    throw new EnvironmentError('LATCHKEY_SECRET', 'is required with PostgreSQL: all nodes need the same secret.');
  }
  if (environment.mode === 'production') requireProductionReady(environment);
  return environment;
}

/** Rejects a configuration that is good for a trial, but not for real accounts. */
function requireProductionReady({ publicUrl, secret, smtp, sms, extensions }: Environment) {
  if (!publicUrl.startsWith('https://')) {
    throw new EnvironmentError('LATCHKEY_PUBLIC_URL', 'must begin with https:// in production.');
  }
  if (secret === undefined) {
    throw new EnvironmentError(
      'LATCHKEY_SECRET',
      'is required in production: 32 characters or more, kept outside the data directory.',
    );
  }
  // An extension may register a channel. That is known only after it has been loaded.
  if (extensions.length > 0) return;
  requireRealChannels('production', { email: smtp ? 'smtp' : OUTBOX, sms: sms ? 'sms-gateway' : OUTBOX });
}

/** The variable that says where the messages of a means go. */
export const CHANNEL_VARIABLES = { email: 'LATCHKEY_SMTP_URL', sms: 'LATCHKEY_SMS_URL' } as const;

/**
 * Requires, in production, a real channel for every means that is not off.
 * @param channelNames the names of the channels that would send messages.
 * @throws EnvironmentError that names the variable of the first missing channel.
 */
export function requireRealChannels(mode: Environment['mode'], channelNames: Readonly<Record<Medium, string>>): void {
  if (mode !== 'production') return;
  for (const means of ['email', 'sms'] as const) {
    if (channelNames[means] !== OUTBOX) continue;
    const problem = `is required in production: the outbox does not deliver messages to people. "${OFF}" turns off what needs it.`;
    throw new EnvironmentError(CHANNEL_VARIABLES[means], problem);
  }
}

function readFlag(name: string, text = 'false'): boolean {
  return readOneOf(name, text, ['true', 'false']) === 'true';
}

function readDatabaseUrl(name: string, read: (name: string) => string | undefined): string | undefined {
  const text = read(name);
  if (text === undefined || /^sqlite:./.test(text)) return text;
  const problem = findAddressProblem(text);
  if (problem === undefined) return text;
  throw new EnvironmentError(name, problem);
}

/** @param folder the base of relative paths: where npm was called, as npm runs the service in the checkout. '' for the working directory. */
function readExtensions(text: string, folder: string): string[] {
  const paths = text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map((entry) => resolve(folder, entry));
  if (text !== '' && paths.length === 0) throw new EnvironmentError('LATCHKEY_EXTENSIONS', 'names no module.');
  const twice = paths.find((path, index) => paths.indexOf(path) !== index);
  if (twice === undefined) return paths;
  throw new EnvironmentError('LATCHKEY_EXTENSIONS', `names ${twice} twice.`);
}

/** @param folder the base of a relative path, as for extensions. */
const readPath = (text: string | undefined, folder: string) => (text === undefined ? undefined : resolve(folder, text));

function readProxies(text: string): string[] {
  try {
    return parseTrustedProxies(text);
  } catch (error) {
    throw new EnvironmentError('LATCHKEY_TRUSTED_PROXIES', `is wrong: ${errorMessageOf(error)}`);
  }
}

function readEgressAllowance(text: string): EgressAllowance {
  try {
    return parseEgressAllowance(text);
  } catch (error) {
    throw new EnvironmentError('LATCHKEY_EGRESS_ALLOW', `is wrong: ${errorMessageOf(error)}`);
  }
}
