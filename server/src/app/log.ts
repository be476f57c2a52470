// Logs: JSON lines, or coloured text on a terminal. Secrets are redacted.
import { type DestinationStream, type LogFn, type Logger, pino, type SerializedError } from 'pino';
import { nameSources } from './source-maps.ts';

/** Members that are redacted at the top level of a line and one level below. */
const REDACTED = [
  'authorization',
  'cookie',
  'password',
  'currentPassword',
  'newPassword',
  'token',
  'accessToken',
  'pin',
  'code',
  'secret',
  'clientSecret',
];

/** The codes of errors: of Node.js, such as `ECONNREFUSED` and `CERT_HAS_EXPIRED`, and SQLSTATE. A pin has at least six digits. */
const ERROR_CODE = /^(?:E[A-Z0-9]+|[A-Z]+(?:_[A-Z0-9]+)+|[0-9A-Z]{5})$/;

/** In bytes. Lines that the output does not take, such as a file on a full disk, wait up to this size. Later ones are lost. */
const MAX_WAITING = 1_048_576;

/** The levels that metrics count. */
const COUNTED = ['warn', 'error', 'fatal'];

const entries = new WeakMap<Logger, Map<string, number>>();

/** The metric of these counts. */
export const LOG_ENTRIES = {
  name: 'latchkey_log_entries_total',
  help: 'Entries in the log since the start, by level: warn, error, fatal.',
} as const;

/** Returns the number of entries of a logger and its children, by level, from `warn` up. */
export function countEntries(log: Logger): ReadonlyMap<string, number> {
  return entries.get(log) ?? new Map();
}

/**
 * Creates a logger of this level. It writes to standard output unless it gets a stream.
 * @param members of each line, such as the number of the worker.
 */
export function createLogger(
  level: string,
  stream?: DestinationStream,
  members?: Readonly<Record<string, number>>,
): Logger {
  const written = new Map(COUNTED.map((name) => [name, 0]));
  const options = {
    level,
    base: members ?? null,
    timestamp: pino.stdTimeFunctions.isoTime,
    // A path of its own lets pino tell `censor` the name of the error's member.
    redact: { paths: ['err.code', ...REDACTED.flatMap((name) => [name, `*.${name}`])], censor },
    hooks: {
      logMethod(this: Logger, given: Parameters<LogFn>, method: LogFn, number: number) {
        const name = pino.levels.labels[number] ?? '';
        const count = written.get(name);
        if (count !== undefined) written.set(name, count + 1);
        method.apply(this, given);
      },
    },
    serializers: { err: describeError },
    formatters: { level: (label: string) => ({ level: label }) },
  };
  const log = pino(options, stream ?? openOutput());
  entries.set(log, written);
  return log;
}

/** Returns what a line says in place of a redacted member. The code of an error stays. */
function censor(value: unknown, [parent, member]: readonly string[]): unknown {
  const isErrorCode = parent === 'err' && member === 'code' && typeof value === 'string' && ERROR_CODE.test(value);
  return isErrorCode ? value : '[redacted]';
}

/** Opens the output of lines, by default standard output. While it takes none, the process goes on, and can end. */
export function openOutput(descriptor: number = process.stdout.fd || 1): ReturnType<typeof pino.destination> {
  const output = pino.destination({ dest: descriptor, maxLength: MAX_WAITING });
  const { flushSync } = output;
  // Without a listener the error would end the process. At its end, `flushSync` would try again for ever.
  output.on('error', () => {
    output.flushSync = () => {};
  });
  output.on('write', () => {
    output.flushSync = flushSync;
  });
  return output;
}

/** Returns the members of an error that are logged. Its stack, with those of its causes, names the sources. */
function describeError(error: Error): SerializedError {
  const entry = pino.stdSerializers.err(error);
  if (typeof entry?.stack === 'string') entry.stack = nameSources(entry.stack);
  return entry;
}

/**
 * Returns the stream that formats the log on a terminal, or `undefined` elsewhere. The formatter takes time to load. In the
 * bundle it imports the module of this file, so this module must not await it while it loads.
 */
export async function openTerminalStream(): Promise<DestinationStream | undefined> {
  if (!process.stdout.isTTY) return undefined;
  const { build } = await import('pino-pretty');
  return build({ translateTime: 'SYS:HH:MM:ss', ignore: 'hostname,pid', colorize: true, sync: true });
}
