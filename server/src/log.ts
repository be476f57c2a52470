// Logs: JSON lines, or a pleasant sight on a terminal; secrets are cut out before they are written.
import { createRequire } from 'node:module';
import { type DestinationStream, type Logger, pino } from 'pino';

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

/** A logger at this level; errors show message and stack, and of an error's request nothing. */
export function createLogger(level: string, stream?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: REDACTED.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
    formatters: { level: (label: string) => ({ level: label }) },
  };
  if (stream) return pino(options, stream);
  return process.stdout.isTTY ? pino(options, prettyStream()) : pino(options);
}

/** Loaded only for a terminal: it costs time to start. */
function prettyStream(): DestinationStream {
  const { build } = createRequire(import.meta.url)('pino-pretty') as typeof import('pino-pretty');
  return build({ translateTime: 'SYS:HH:MM:ss', ignore: 'hostname,pid', colorize: true, sync: true });
}
