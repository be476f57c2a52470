// The service as commands use it: the same parts on the same database, also while the service runs.
import type { Service } from '../app/compose.ts';
import { COMMAND_LIMITS } from '../storage/command-limits.ts';
import type { Database } from '../storage/database.ts';
import { CommandFailure } from './command.ts';
import { printError } from './output.ts';

/**
 * Composes the service from the environment, runs `work` on it, and closes it.
 * @param options.isStored whether the work is about what is stored. In a wrong environment it would find nothing, and seem done.
 */
export async function withService<Result>(
  work: (service: Service) => Promise<Result>,
  { isStored = false } = {},
): Promise<Result> {
  const [{ readEnvironment }, { createLogger }, { openService }, { watchForRestore }, { noAdditions }] =
    await Promise.all([
      import('../config/environment.ts'),
      import('../app/log.ts'),
      import('../app/main.ts'),
      import('../app/restore-check.ts'),
      import('../extensions/additions.ts'),
    ]);
  const environment = readEnvironment(process.env);
  if (isStored) await requireStored(environment.databaseUrl);
  const log = createLogger('warn', process.stderr);
  const additions = { ...noAdditions, areIncomplete: environment.extensions.length > 0 };
  const service = await openService(environment, log, { additions, timeLimits: COMMAND_LIMITS });
  try {
    // This runs before the first write: a command's audit entry would hide that the database is an older copy.
    const watch = await watchForRestore(service, environment.databaseUrl, (error) =>
      log.error({ err: error }, 'the mark was not written'),
    );
    if (watch.wasRestored)
      printError('The database is older than it was: it was restored, and all sessions are ended.');
    try {
      return await work(service);
    } finally {
      await watch.stop();
    }
  } finally {
    await service.database.close();
  }
}

/** Opens the database alone, runs `work` on it, and closes it. For commands that only read, also what somebody has tampered with. */
export async function withDatabase<Result>(work: (database: Database) => Promise<Result>): Promise<Result> {
  const [{ readEnvironment }, { openDatabase }] = await Promise.all([
    import('../config/environment.ts'),
    import('../storage/open.ts'),
  ]);
  const { databaseUrl } = readEnvironment(process.env);
  await requireStored(databaseUrl);
  const database = await openDatabase(databaseUrl, { timeLimits: COMMAND_LIMITS });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** @throws CommandFailure if there is no database at this address. */
async function requireStored(databaseUrl: string): Promise<void> {
  const { findMissing } = await import('../storage/missing.ts');
  const missing = findMissing(databaseUrl);
  if (missing) throw new CommandFailure(missing);
}

/** Returns the authority of the command line. */
export async function byCommandLine() {
  const { operator } = await import('../app/first-start.ts');
  return operator('command line');
}

/** Returns the account with this user name or e-mail address. @throws CommandFailure if there is none. */
export async function findAccount({ accounts, database }: Service, name: string) {
  const account = await accounts.findByName(database.sql, name);
  if (!account)
    throw new CommandFailure(
      `There is no account with the user name or e-mail address "${name}". See: latchkey user list`,
    );
  return account;
}
