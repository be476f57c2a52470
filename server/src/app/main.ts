// The service as a process: opens the database, composes, listens, and stops without failing a request.
import { flushCompileCache } from 'node:module';
import type { Logger } from 'pino';
import { openDataDirectory, readOrCreateSecret } from '../config/data-directory.ts';
import { type Environment, requireRealChannels } from '../config/environment.ts';
import { VERSION } from '../config/version.ts';
import { type Share, shareOf } from '../config/workers.ts';
import { type Additions, noAdditions } from '../extensions/additions.ts';
import { loadExtensions } from '../extensions/load.ts';
import { systemClock } from '../foundation/clock.ts';
import { createEgress } from '../foundation/egress.ts';
import { isOutage } from '../foundation/errors.ts';
import { systemRandom } from '../foundation/random.ts';
import { lowerHashPriority } from '../passwords/index.ts';
import { openDatabase } from '../storage/open.ts';
import type { TimeLimits } from '../storage/postgres.ts';
import type { Tracing } from '../tracing/open.ts';
import { settingDefinitions } from './catalogue.ts';
import { type Channels, openChannels, outboxChannels, traceChannels } from './channels.ts';
import { composeService, type Service } from './compose.ts';
import { dutiesOf, startWorks, stopWorks } from './duties.ts';
import { administratorOf, createFirstAdministrator, operator } from './first-start.ts';
import { watchForRestore } from './restore-check.ts';
import { createServer } from './server.ts';
import { createShutdown, type Shutdown } from './shutdown.ts';
import { nameSources } from './source-maps.ts';
import type { WorkerLink } from './worker-link.ts';

const print = (text: string) => void process.stdout.write(text);

/**
 * How often the start tries to apply its configuration file, and the pause in between: ten minutes in all. The statements of a node
 * have a second, and an import or a command may hold the accounts for longer.
 */
const MOST_TRIES = 300;
const PAUSE_MS = 1000;

/**
 * Opens the environment's database and composes the service. It does nothing by itself before its duties start.
 * @param options.share what this process may use of the machine. Default: all of it.
 * @param options.timeLimits how long PostgreSQL may take. Default: as long as callers of the service wait.
 */
export async function openService(
  environment: Environment,
  log: Logger,
  options: {
    channels?: Channels;
    additions?: Additions;
    tracing?: Tracing | undefined;
    share?: Share;
    timeLimits?: Partial<TimeLimits>;
  } = {},
): Promise<Service> {
  const { channels = outboxChannels(print, environment), additions = noAdditions, tracing, timeLimits } = options;
  const { hashThreads, connections } = options.share ?? shareOf(1);
  openDataDirectory(environment.dataDir);
  const secret = environment.secret ?? readOrCreateSecret(environment.dataDir, systemRandom);
  const onError = (error: unknown) => log.warn({ err: error }, 'the database is out of reach');
  const onNotice = (notice: string) => log.warn(notice);
  const onStatement = tracing?.addStatement;
  const given = { clock: systemClock, connections, timeLimits, onError, onNotice, onStatement };
  const opened = await openDatabase(environment.databaseUrl, given);
  const database = tracing ? tracing.traceDatabase(opened) : opened;
  try {
    return await composeService({
      database,
      secret,
      issuer: environment.publicUrl,
      corsOrigins: environment.corsOrigins,
      relyingParty: environment.relyingParty,
      hashThreads,
      egress: createEgress({
        allowance: environment.egressAllowance,
        isDevelopment: environment.mode === 'development',
      }),
      channels: tracing ? traceChannels(channels, tracing.trace) : channels,
      additions,
      clock: systemClock,
      random: systemRandom,
      log,
      trace: tracing?.trace,
    });
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Lets Node print the sources of an error that ends the process, and of its cause. */
function nameSourcesOfCrash(error: unknown) {
  try {
    for (const one of [error, error instanceof Error ? error.cause : undefined]) {
      if (one instanceof Error && typeof one.stack === 'string') Reflect.set(one, 'stack', nameSources(one.stack));
    }
  } catch {
    // An error of an extension may refuse to be read. Then Node prints it as it is.
  }
}

/**
 * Runs the service until SIGTERM or SIGINT. Resolves when it has stopped.
 * @param worker the link to the supervisor, if this process is one of several workers. Then the supervisor can stop it, too.
 */
export async function serve(environment: Environment, log: Logger, worker?: WorkerLink): Promise<void> {
  process.on('uncaughtExceptionMonitor', nameSourcesOfCrash);
  const { channels: registered, ...additions } = await loadExtensions(environment.extensions, {
    log,
    clock: systemClock,
    takenSettings: settingDefinitions.map(({ name }) => name),
  });
  const channels = openChannels(environment, registered, { clock: systemClock, print });
  requireRealChannels(environment.mode, { email: channels.email.name, sms: channels.sms.name });
  const tracing = await openTracing(environment, log);
  const share = shareOf(worker ? environment.workers : 1);
  const service = await openService(environment, log, { channels, additions, tracing, share });
  await lowerHashPriority();
  const reportError = (error: unknown) => log.error({ err: error }, 'work in the background failed');
  const shutdown = createShutdown(systemClock, worker?.stop);
  // With accounts, the service is ready as soon as it listens: so a node stays ready while one of its workers starts again.
  const isFirstStart = await service.accounts.isEmpty();
  let isStarting = isFirstStart;
  const findUnreadyReason = () => {
    if (shutdown.hasBegun()) return 'The service is stopping.';
    return isStarting ? 'The service is starting.' : undefined;
  };
  const parts = { findUnreadyReason, traces: tracing?.requests, nodeMetrics: worker?.metrics };
  const app = await createServer(service, { ...environment, ...parts }, log);
  // The metrics subscribe to events by now, and the server does not listen yet.
  const restoreWatch = await watchForRestore(service, environment.databaseUrl, reportError);
  if (restoreWatch.wasRestored) {
    log.warn('the database is older than it was: it was restored, so the service has ended all sessions');
  }
  await service.keys.applyHeaderType();
  const close = async () => {
    await restoreWatch.stop();
    await Promise.all([service.database.close(), tracing?.close()]);
  };
  const { configuration } = environment;
  if (configuration !== undefined) await applyConfiguration(configuration, service, { log, shutdown });
  // The start may have waited for minutes.
  if (shutdown.hasBegun()) return close();
  await app.listen({ host: environment.host, port: environment.port });
  if (isFirstStart) {
    const password = await createFirstAdministrator(service, administratorOf(environment), systemRandom);
    if (password !== undefined) showPassword(environment, password);
  }
  isStarting = false;
  startWorks(service.background);
  const duties = dutiesOf(service, systemClock, reportError);
  if (worker?.hasDuties !== false) startWorks(duties);
  worker?.reportReady();
  log.info({ url: environment.publicUrl, database: service.database.engine, version: VERSION }, 'Latchkey is ready');
  // Node would write the compiled modules only at the end of the process, which may be killed.
  flushCompileCache();

  await shutdown.signal;
  log.info('stopping: the service finishes open requests first');
  await Promise.all([shutdown.end(app), stopWorks(duties)]);
  // The last requests have been answered and counted by now.
  await stopWorks(service.background);
  await close();
}

type Waiting = { readonly log: Logger; readonly shutdown: Pick<Shutdown, 'hasBegun' | 'signal'> };

/** Applies the file of `LATCHKEY_CONFIG`. Of several nodes that start at once, the first one changes something. */
async function applyConfiguration(path: string, service: Service, { log, shutdown }: Waiting) {
  const { configurationOf, describeDifferences, readConfigurationFile } = await import('../configuration/index.ts');
  const file = readConfigurationFile(path);
  const options = { by: operator('LATCHKEY_CONFIG'), variables: process.env, prunes: false, takesSecrets: false };
  const applied = await applyPatiently(() => configurationOf(service).apply(file, options), { log, shutdown });
  for (const line of describeDifferences(applied?.differences ?? [])) log.info(`LATCHKEY_CONFIG: ${line}`);
}

/** Tries again while the database cannot be asked. @returns `undefined` if the shutdown began before a try succeeded. */
async function applyPatiently<Result>(apply: () => Promise<Result>, { log, shutdown }: Waiting) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await apply();
    } catch (error) {
      if (!isOutage(error) || tries === MOST_TRIES) throw error;
      const waits =
        'LATCHKEY_CONFIG: the start waits for another transaction that holds what the file changes, or for the database';
      if (tries === 1) log.warn({ err: error }, waits);
      await Promise.race([systemClock.sleep(PAUSE_MS), shutdown.signal]);
      if (shutdown.hasBegun()) return undefined;
    }
  }
}

/** Loads OpenTelemetry, which takes time and memory, only if traces are configured. */
async function openTracing({ tracing }: Environment, log: Logger): Promise<Tracing | undefined> {
  if (!tracing) return undefined;
  const { openTracing: open } = await import('../tracing/open.ts');
  return open(tracing, { log, clock: systemClock, version: VERSION });
}

/** Prints the password once. It must not be logged. */
function showPassword({ adminUser, publicUrl }: Environment, password: string) {
  print(`\n  Sign in at ${publicUrl} as "${adminUser}" with this password, and change it:\n\n      ${password}\n\n`);
}
