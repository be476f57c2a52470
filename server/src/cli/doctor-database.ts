// The doctor's checks of the database, its clock, and the keys and passkeys in it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { administratorOf, findPasswordProblem } from '../app/first-start.ts';
import type { Environment } from '../config/environment.ts';
import { type Instant, systemClock } from '../foundation/clock.ts';
import { AuthError, errorCodeOf } from '../foundation/errors.ts';
import { systemRandom } from '../foundation/random.ts';
import { createSecrets } from '../foundation/secrets.ts';
import { type Inspection, inspectDatabase } from '../storage/inspect.ts';
import { MigrationError } from '../storage/migrate.ts';
import { mayRollFrom } from '../storage/migrations/index.ts';
import { createKeyStore, findRotation, openKey, SecretMismatch } from '../tokens/index.ts';
import { checkEvents } from './doctor-events.ts';
import { checkPasswordHashes } from './doctor-password-hashes.ts';
import { checkProviders } from './doctor-providers.ts';
import { checkServiceKeys } from './doctor-service-keys.ts';
import { checkSettings } from './doctor-settings.ts';
import { explain } from './failures.ts';
import type { Finding } from './output.ts';

const LITTLE_BYTES = 1024 ** 3;
const TOO_LITTLE_BYTES = 100 * 1024 ** 2;

/** Nodes accept each other's tokens up to a drift of 30 s. */
const MAX_DRIFT_MS = 30_000;
const SMALL_DRIFT_MS = 2_000;

const DAY_MS = 86_400_000;

export async function* checkDatabase(environment: Environment): AsyncGenerator<Finding> {
  const about = 'database';
  let inspection: Inspection | undefined;
  try {
    inspection = await inspectDatabase(environment.databaseUrl);
    if (!inspection) {
      const file = environment.databaseUrl.slice('sqlite:'.length);
      yield { verdict: 'ok', about, message: `${file} is not there yet: the first start creates it` };
      yield* checkAdministrator(environment);
      return;
    }
    const { applied, known } = await inspection.countMigrations();
    yield await checkEngine(inspection, applied, known);
    for (const risk of await inspection.findRisks())
      yield { verdict: 'warn', about, message: `LATCHKEY_DATABASE_URL: the database ${risk}.` };
    yield* checkDisk(inspection);
    yield* checkClock(inspection, applied > 0);
    if (!(await hasAccounts(inspection, applied))) yield* checkAdministrator(environment);
    if (applied > 0) yield* checkKeys(inspection, environment);
    if (applied < known) return;
    yield* checkSettings(inspection);
    yield* checkPasskeys(inspection, environment);
    yield* checkPasswordHashes(inspection);
    yield* checkServiceKeys(inspection);
    yield* checkProviders(inspection);
    yield* checkEvents(inspection);
  } catch (error) {
    const isKnown = error instanceof AuthError || error instanceof MigrationError || errorCodeOf(error) !== undefined;
    if (!isKnown) throw error;
    yield { verdict: 'fail', about, message: await explain(error) };
  } finally {
    await inspection?.close();
  }
}

async function checkEngine(
  { engine, findUnreadyReason }: Inspection,
  applied: number,
  known: number,
): Promise<Finding> {
  const about = 'database';
  const obstacle = await findUnreadyReason();
  if (obstacle) return { verdict: 'fail', about, message: `LATCHKEY_DATABASE_URL: the database ${obstacle}.` };
  if (applied === 0)
    return { verdict: 'ok', about, message: `${engine}, not migrated yet: the first start migrates it` };
  if (applied < known) {
    const others = mayRollFrom(applied)
      ? 'nodes of the version before go on meanwhile, and after.'
      : 'stop all nodes of the version before first.';
    const message = `${engine}, at version ${applied} of ${known}: the next start migrates it; ${others} Make a backup first.`;
    return { verdict: 'warn', about, message };
  }
  if (applied > known) {
    const message = `${engine}, at version ${applied}, from a newer program: this one knows ${known} and may go on`;
    return { verdict: 'ok', about, message };
  }
  return { verdict: 'ok', about, message: `${engine}, at version ${applied} of ${known}` };
}

function* checkDisk({ disk }: Inspection): Generator<Finding> {
  if (!disk) return;
  const about = 'disk';
  const message = `${toSize(disk.free)} free, the database takes ${toSize(disk.used)}`;
  if (disk.free < TOO_LITTLE_BYTES) yield { verdict: 'fail', about, message: `${message}: free up space now.` };
  else if (disk.free < LITTLE_BYTES) yield { verdict: 'warn', about, message: `${message}: free up space soon.` };
  else yield { verdict: 'ok', about, message };
}

async function* checkClock({ readClock, sql }: Inspection, hasTables: boolean): AsyncGenerator<Finding> {
  const about = 'clock';
  const before = systemClock.now();
  const serverTime = await readClock();
  const after = systemClock.now();
  if (serverTime !== undefined) {
    // The server's clock was read between `before` and `after`.
    const drift = Math.max(0, before - serverTime, serverTime - after);
    const message = `differs by ${(drift / 1000).toFixed(1)} s from the database server`;
    const todo = 'synchronize both clocks (NTP).';
    if (drift > MAX_DRIFT_MS)
      yield { verdict: 'fail', about, message: `${message}: nodes will refuse each other's tokens; ${todo}` };
    else if (drift > SMALL_DRIFT_MS) yield { verdict: 'warn', about, message: `${message}: ${todo}` };
    else yield { verdict: 'ok', about, message: 'agrees with the database server' };
  }
  if (!hasTables) return;
  const newest = await sql.selectFrom('audit').select('at').orderBy('id', 'desc').limit(1).executeTakeFirst();
  if (newest && newest.at - after > MAX_DRIFT_MS) {
    const ahead = Math.round((newest.at - after) / 1000);
    const message = `is ${ahead} s behind the newest audit entry: correct it (NTP) before the service starts.`;
    yield { verdict: 'fail', about, message };
  }
}

async function hasAccounts({ sql }: Inspection, applied: number): Promise<boolean> {
  return applied > 0 && (await sql.selectFrom('account').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** Checks the administrator's password before the first start, if the environment has one. */
function* checkAdministrator(environment: Environment): Generator<Finding> {
  const { userName, password, mustMeetPolicy } = administratorOf(environment);
  if (password === undefined) return;
  const about = 'administrator';
  // Only an administrator changes settings, so before the first one exists the defaults apply.
  const problem = findPasswordProblem(userName, password, { read: (definition) => definition.default });
  if (problem) {
    const message = `LATCHKEY_ADMIN_PASSWORD is too weak for production. ${problem}`;
    yield { verdict: mustMeetPolicy ? 'fail' : 'warn', about, message };
  } else yield { verdict: 'ok', about, message: 'the first start uses LATCHKEY_ADMIN_PASSWORD' };
}

async function* checkKeys({ sql }: Inspection, environment: Environment): AsyncGenerator<Finding> {
  const about = 'keys';
  const keys = await createKeyStore().readAll(sql);
  const newest = keys.at(-1);
  if (!newest) {
    yield { verdict: 'ok', about, message: 'none yet: the first start creates one' };
    return;
  }
  const secret = environment.secret ?? readSecretFile(environment.dataDir);
  if (secret === undefined) {
    const message =
      'the secret of the keys is missing: restore the data directory, or set LATCHKEY_SECRET to its old value.';
    yield { verdict: 'fail', about, message };
    return;
  }
  try {
    const secrets = createSecrets(secret, systemRandom);
    for (const key of keys) openKey(key, secrets);
  } catch (error) {
    if (!(error instanceof SecretMismatch)) throw error;
    yield { verdict: 'fail', about, message: await explain(error) };
    return;
  }
  const days = Math.floor((systemClock.now() - newest.activeFrom) / DAY_MS);
  const count = `${keys.length} can be opened, the newest is ${toAge(newest.activeFrom, days)}`;
  if (findRotation(newest.activeFrom, systemClock.now()).state !== 'overdue')
    yield { verdict: 'ok', about, message: count };
  else
    yield {
      verdict: 'warn',
      about,
      message: `${count}: a running service makes a new one. Or run: latchkey keys rotate`,
    };
}

/** A passkey works only at the domain that it was registered for. */
async function* checkPasskeys({ sql }: Inspection, { relyingParty }: Environment): AsyncGenerator<Finding> {
  const about = 'passkeys';
  const domains = await sql
    .selectFrom('passkey')
    .select((eb) => ['rp_id', eb.fn.countAll().as('count')])
    .groupBy('rp_id')
    .orderBy('rp_id')
    .execute();
  for (const { rp_id: domain, count } of domains) {
    if (domain === relyingParty.id) yield { verdict: 'ok', about, message: `${count} for ${domain}` };
    else {
      const message = `${count} for ${domain} cannot be used at ${relyingParty.id}: set LATCHKEY_PUBLIC_URL or LATCHKEY_PASSKEY_RP_ID back, or reset the second factors of their users.`;
      yield { verdict: 'warn', about, message };
    }
  }
}

function toAge(activeFrom: Instant, days: number): string {
  return activeFrom > systemClock.now() ? 'not signing yet' : `${days} days old`;
}

function readSecretFile(dataDir: string): string | undefined {
  try {
    return readFileSync(join(dataDir, 'secret'), 'utf8').trim();
  } catch {
    return undefined;
  }
}

function toSize(bytes: number): string {
  const gigabytes = bytes / 1024 ** 3;
  return gigabytes >= 1 ? `${gigabytes.toFixed(1)} GiB` : `${Math.ceil(bytes / 1024 ** 2)} MiB`;
}
