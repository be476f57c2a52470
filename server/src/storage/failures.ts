// Translates failures of a database: a violated unique key, an outage, or a bug of this program.
import { AuthError, errorCodeOf, serviceErrors, UniqueViolation } from '../foundation/errors.ts';
import { TimeLimitError } from '../foundation/time-limit.ts';

/**
 * SQLite's primary result codes of an outage: permission, busy, locked, memory, read-only, I/O, corrupt, full, cannot open,
 * locking protocol, not a database.
 */
const sqliteOutages = new Set([3, 5, 6, 7, 8, 10, 11, 13, 14, 15, 26]);

/**
 * SQLSTATE classes and codes with which a server says that it cannot or may not work for the service: connection, login,
 * database, schema or table gone, rights, resources, state, shutdown, system and internal errors, time-outs, read-only,
 * deadlock.
 */
const postgresOutage = /^(08|28|3D|3F|53|55|57|58|XX|25006|25P03|25P04|40001|40P01|42501|42P01)/;

/**
 * SQLSTATEs with which a server refuses one statement: no serial order, deadlock, a lock not got in time, cancelled or too slow.
 * The connection goes on after a rollback.
 */
const refusedStatement = /^(40001|40P01|55P03|57014)$/;

/** Messages and codes of `pg`, of its socket and of the file system when the server or the disk is gone, full or silent. */
const connectionFailure =
  /timeout|terminated|EIO|ENOSPC|EROFS|EDQUOT|EBADF|EMFILE|ENFILE|ECONN|EPIPE|EPROTO|ERR_SSL|ERR_TLS|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|not queryable|closed the connection/i;

/** Returns the error that leaves the storage: `UniqueViolation`, `service.unavailable`, or the error unchanged. */
export function translateFailure(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof AuthError || error instanceof UniqueViolation) return error;
  const code = errorCodeOf(error);
  const errcode = 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : undefined;
  if (code === '23505' || errcode === 2067 || errcode === 1555) return new UniqueViolation(error);
  return meansOutage(error, code, errcode) ? toOutage(error) : error;
}

/**
 * PostgreSQL has refused a prepared statement, because its columns are others since a newer program has migrated the database.
 * It has changed nothing, and succeeds when it runs again.
 */
export class StalePlan extends Error {
  constructor(cause: unknown) {
    super('The columns of a prepared statement have changed.', { cause });
    this.name = 'StalePlan';
  }
}

/** Whether this is the failure that `StalePlan` describes. The server's text may be in any language, so its routine tells. */
export const isStalePlan = (error: unknown): boolean =>
  error instanceof Error && 'routine' in error && error.routine === 'RevalidateCachedQuery';

/** Runs a statement or a transaction, and once more if a plan was stale. */
export const runAgainIfStale = <Result>(run: () => Promise<Result>): Promise<Result> =>
  run().catch((error) => {
    if (error instanceof StalePlan) return run();
    throw error;
  });

/** Returns `service.unavailable`, with the failure as its cause. */
export const toOutage = (error: unknown): AuthError =>
  error instanceof AuthError ? error : serviceErrors.unavailable({ retryAfterSeconds: 1, cause: error });

/** Whether an error that leaves the storage is an outage after which its connection must be closed. */
export const breaksConnection = (error: unknown): boolean =>
  error instanceof AuthError && !refusedStatement.test(errorCodeOf(error.cause) ?? '');

function meansOutage(error: Error, code: string | undefined, errcode: number | undefined): boolean {
  if (code === 'ERR_SQLITE_ERROR') return sqliteOutages.has((errcode ?? 0) & 0xff);
  if (code === 'ERR_INVALID_STATE' || error instanceof TimeLimitError) return true;
  // A SQLSTATE contains a digit. System error codes of the same length contain none.
  if (code && /^(?=.*\d)[0-9A-Z]{5}$/.test(code)) return postgresOutage.test(code);
  return connectionFailure.test(`${code ?? ''} ${error.message}`);
}
