// Translates failures of a database: a violated unique key, an outage, or a bug of this program.
import { AuthError, errorCodeOf, serviceErrors, UniqueViolation } from '../foundation/errors.ts';
import { TimeLimitError } from '../foundation/time-limit.ts';

/** SQLite's primary result codes of an outage: busy, locked, read-only, I/O, corrupt, full, cannot open. */
const sqliteOutages = new Set([5, 6, 8, 10, 11, 13, 14]);

/** SQLSTATE classes and codes of an outage: connection, resources, shutdown, read-only, deadlock, time-outs. */
const postgresOutage = /^(08|53|57|25006|40001|40P01|55P03|58)/;

/** Messages and codes of `pg`, of its socket and of the file system when the server or the disk is gone, full or silent. */
const connectionFailure =
  /timeout|terminated|EIO|ENOSPC|EROFS|EDQUOT|EBADF|EMFILE|ENFILE|ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|not queryable|closed the connection/i;

/** Returns the error that leaves the storage: `UniqueViolation`, `service.unavailable`, or the error unchanged. */
export function translateFailure(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof AuthError || error instanceof UniqueViolation) return error;
  const code = errorCodeOf(error);
  const errcode = 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : undefined;
  if (code === '23505' || errcode === 2067 || errcode === 1555) return new UniqueViolation(error);
  return isOutage(error, code, errcode) ? serviceErrors.unavailable({ retryAfterSeconds: 1, cause: error }) : error;
}

function isOutage(error: Error, code: string | undefined, errcode: number | undefined): boolean {
  if (code === 'ERR_SQLITE_ERROR') return sqliteOutages.has((errcode ?? 0) & 0xff);
  if (code === 'ERR_INVALID_STATE' || error instanceof TimeLimitError) return true;
  // A SQLSTATE contains a digit. System error codes of the same length contain none.
  if (code && /^(?=.*\d)[0-9A-Z]{5}$/.test(code)) return postgresOutage.test(code);
  return connectionFailure.test(`${code ?? ''} ${error.message}`);
}
