// Failures in one line: what went wrong, and which variable or action corrects it.
import { resolve } from 'node:path';
import { errorCodeOf } from '../foundation/errors.ts';
import { CommandFailure } from './command.ts';

type Failure = Error & { code?: string; errcode?: number; syscall?: string; path?: string; severity?: string };

/** The SQLSTATE of PostgreSQL. */
const INSUFFICIENT_PRIVILEGE = '42501';

/**
 * The SQLSTATEs of a statement that took too long, did not get its lock in time, or met another transaction (deadlock, no serial order),
 * and what the driver says when it gives up first.
 */
const tooLate = /^(57014|55P03|40P01|40001|Query read timeout)$/;

/**
 * Describes in one line the error that ended a command. A bug of this program keeps its stack.
 * @param variable that holds the address of the database.
 */
export async function explain(error: unknown, variable = 'LATCHKEY_DATABASE_URL'): Promise<string> {
  if (!(error instanceof Error)) return String(error);
  if (
    error instanceof CommandFailure ||
    ['EnvironmentError', 'ExtensionError', 'ChainFileError', 'MoveError', 'ConfigurationError'].includes(error.name)
  )
    return error.message;
  // These modules load slowly, so a mistyped command does not load them.
  const [{ AuthError, serviceErrors }, { MigrationError }, { SecretMismatch }] = await Promise.all([
    import('../foundation/errors.ts'),
    import('../storage/migrate.ts'),
    import('../tokens/index.ts'),
  ]);
  if (error instanceof MigrationError) {
    return error.cause instanceof Error ? `${error.message} Cause: ${error.cause.message}` : error.message;
  }
  if (error.name === 'UnsealError')
    return `${error.message} If LATCHKEY_SECRET was lost, see "Signing keys" in docs/guide/operating.md.`;
  if (error instanceof SecretMismatch) return `${error.message} Set the secret that was used before.`;
  if (error instanceof AuthError) {
    return error.reason === serviceErrors.unavailable.reason ? explainOutage(error.cause, variable) : error.details;
  }
  return explainSystem(error, variable) ?? `Internal error, please report it: ${error.stack ?? error.message}`;
}

/** Describes why the database is not available. It never quotes the address, which may hold a password. */
async function explainOutage(cause: unknown, variable: string): Promise<string> {
  const message = cause instanceof Error ? cause.message : '';
  const why = message || errorCodeOf(cause) || 'it did not answer';
  if (errorCodeOf(cause) === INSUFFICIENT_PRIVILEGE) {
    const [{ grantsTo, roleOf }, { readVariable }] = await Promise.all([
      import('../storage/rights.ts'),
      import('../config/variables.ts'),
    ]);
    const role = roleOf(readVariable(process.env, variable) ?? '') ?? 'ROLE';
    return `${variable}: its role has too few rights (${why}). As the owner of the tables, run: ${grantsTo(role)}`;
  }
  if (tooLate.test(errorCodeOf(cause) ?? message))
    return `${variable}: the database did not answer in time (${why}). It is busy, or another transaction holds what this one needs: try again when that has ended.`;
  return `${variable}: the database is not available (${why}). Check that it is running, and that address, user and password are right.`;
}

/** Describes an error of the operating system or a database. */
function explainSystem(error: Failure, variable: string): string | undefined {
  const { code = '', syscall, path, message } = error;
  if (syscall === 'listen' || syscall === 'bind' || syscall === 'getaddrinfo') {
    if (code === 'EADDRINUSE')
      return 'LATCHKEY_PORT is in use by another program: stop that program, or choose another port.';
    if (code === 'EACCES') return 'LATCHKEY_PORT is not allowed for this user: choose a port above 1023.';
    return `LATCHKEY_HOST: the service cannot listen on this address (${code}). Choose an address of this machine.`;
  }
  const isDatabase = code === 'ERR_SQLITE_ERROR' || error.severity !== undefined;
  if (isDatabase) return `${variable}: ${message}.`;
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return `No space is left on a disk (${code}): free up space, and try again.`;
  if (path === undefined) return undefined;
  const check = isOfDataDirectory(path) ? 'LATCHKEY_DATA_DIR and its owner' : 'the path and its permissions';
  return `Cannot use ${path}: ${message.split(',')[0]}. Check ${check}.`;
}

/** Whether the path is the data directory, in it, or a folder above it, which the service makes too. */
function isOfDataDirectory(path: string): boolean {
  const folder = resolve(process.env.LATCHKEY_DATA_DIR?.trim() || 'data');
  return `${path}/`.startsWith(`${folder}/`) || folder.startsWith(`${path}/`);
}
