// Failures of a database, told apart: a key that is taken, a store out of reach, and faults of our own.
import { AuthError, serviceErrors, UniqueViolation } from '../foundation/errors.ts';
import { TimeLimitError } from '../foundation/time-limit.ts';

/** SQLite's primary result codes that mean "not now": busy, locked, read-only, I/O, corrupt, full, cannot open. */
const sqliteOutages = new Set([5, 6, 8, 10, 11, 13, 14]);

/** SQLSTATE classes and codes that mean "not now": connection, resources, shutdown, read-only, deadlock, time-outs. */
const postgresOutage = /^(08|53|57|25006|40001|40P01|55P03|58)/;

/** What `pg`, the socket below it, and the file system say when the server or the disk is gone, full or silent. */
const connectionFailure =
  /timeout|terminated|EIO|ENOSPC|EROFS|EDQUOT|EBADF|EMFILE|ENFILE|ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|not queryable|closed the connection/i;

/** The error that leaves the storage: `UniqueViolation`, `service.unavailable`, or the fault as it was. */
export function translateFailure(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof AuthError || error instanceof UniqueViolation) return error;
  const { code, errcode } = error as { code?: string; errcode?: number };
  if (code === '23505' || errcode === 2067 || errcode === 1555) return new UniqueViolation(error);
  return isOutage(error, code, errcode) ? serviceErrors.unavailable({ retryAfterSeconds: 1, cause: error }) : error;
}

function isOutage(error: Error, code: string | undefined, errcode: number | undefined): boolean {
  if (code === 'ERR_SQLITE_ERROR') return sqliteOutages.has((errcode ?? 0) & 0xff);
  if (code === 'ERR_INVALID_STATE' || error instanceof TimeLimitError) return true;
  // A SQLSTATE has a digit; the codes of the operating system that are as long have none.
  if (code && /^(?=.*\d)[0-9A-Z]{5}$/.test(code)) return postgresOutage.test(code);
  return connectionFailure.test(`${code ?? ''} ${error.message}`);
}
