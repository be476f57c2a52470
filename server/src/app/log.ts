// Logs: JSON lines, or a pleasant sight on a terminal; secrets are cut out before they are written.
import { createRequire } from 'node:module';
import { type DestinationStream, type LogFn, type Logger, pino } from 'pino';

/** Members that never reach a log, wherever they stand in what is logged. */
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

/** Levels that are worth a look. */
const COUNTED = ['warn', 'error', 'fatal'];

const entries = new WeakMap<Logger, Map<string, number>>();

/** How many entries of each level `warn` and above a logger has written, those of its children included. */
export function countEntries(log: Logger): ReadonlyMap<string, number> {
  return entries.get(log) ?? new Map();
}

/** A logger at this level; errors show message and stack, and of an error's request nothing. */
export function createLogger(level: string, stream?: DestinationStream): Logger {
  const written = new Map(COUNTED.map((name) => [name, 0]));
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: REDACTED.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
    hooks: {
      logMethod(this: Logger, given: Parameters<LogFn>, method: LogFn, number: number) {
        const name = pino.levels.labels[number] ?? '';
        const count = written.get(name);
        if (count !== undefined) written.set(name, count + 1);
        method.apply(this, given);
      },
    },
    formatters: { level: (label: string) => ({ level: label }) },
  };
  const target = stream ?? (process.stdout.isTTY ? prettyStream() : undefined);
  const log = target ? pino(options, target) : pino(options);
  entries.set(log, written);
  return log;
}

/** Loaded only for a terminal: it costs time to start. */
function prettyStream(): DestinationStream {
  const { build } = createRequire(import.meta.url)('pino-pretty') as typeof import('pino-pretty');
  return build({ translateTime: 'SYS:HH:MM:ss', ignore: 'hostname,pid', colorize: true, sync: true });
}
