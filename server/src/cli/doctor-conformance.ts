// The doctor's measure of this installation against the standards: which requirements its settings break.
import { settingDefinitions } from '../app/catalogue.ts';
import type { Environment } from '../config/environment.ts';
import {
  type Condition,
  countVerdicts,
  isMet,
  membersOf,
  type Standard,
  standards,
  verdictOf,
} from '../conformance/index.ts';
import { AuthError, errorCodeOf } from '../foundation/errors.ts';
import { isObject } from '../foundation/object.ts';
import { DEFAULT_FRONT_END } from '../front-ends/index.ts';
import { inspectDatabase } from '../storage/inspect.ts';
import { MigrationError } from '../storage/migrate.ts';
import { readSettings, type StoredSettings } from './doctor-settings.ts';
import { explain } from './failures.ts';
import type { Finding } from './output.ts';

export async function* checkConformance({ databaseUrl }: Environment): AsyncGenerator<Finding> {
  const settings = await findSettings(databaseUrl);
  if ('verdict' in settings) {
    yield settings;
    return;
  }
  for (const standard of standards) yield* checkStandard(standard, settings);
}

/** Returns the stored settings, those of a new service before the first start, or why they cannot be read. */
async function findSettings(databaseUrl: string): Promise<StoredSettings | Finding> {
  const about = 'database';
  let inspection: Awaited<ReturnType<typeof inspectDatabase>>;
  try {
    inspection = await inspectDatabase(databaseUrl);
    const { applied, known } = (await inspection?.countMigrations()) ?? { applied: 0, known: 0 };
    if (!inspection || applied === 0) return { keys: [DEFAULT_FRONT_END], read: (definition) => definition.default };
    if (applied === known) return await readSettings(inspection);
    const message = `It is at version ${applied} of ${known}. Run latchkey migrate first: the settings are read after that.`;
    return { verdict: 'fail', about, message };
  } catch (error) {
    const isKnown = error instanceof AuthError || error instanceof MigrationError || errorCodeOf(error) !== undefined;
    if (!isKnown) throw error;
    return { verdict: 'fail', about, message: await explain(error) };
  } finally {
    await inspection?.close();
  }
}

function* checkStandard(standard: Standard, settings: StoredSettings): Generator<Finding> {
  const requirements = standard.chapters.flatMap((chapter) => chapter.requirements);
  const judged = requirements.map((requirement) => ({
    ...requirement,
    about: `${standard.short} ${requirement.id}`,
    breaches: (requirement.settable ?? []).flatMap((condition) => findBreach(condition, settings) ?? []),
  }));
  const counts = Object.entries(countVerdicts(standard))
    .filter(([, count]) => count > 0)
    .map(([verdict, count]) => `${count} ${verdict}`);
  const broken = judged.filter(({ breaches }) => breaches.length > 0);
  const sum = broken.length === 0 ? 'The settings break none.' : `The settings break ${broken.length}.`;
  const message = `${requirements.length} requirements: ${counts.join(', ')}. ${sum}`;
  yield { verdict: broken.length === 0 ? 'ok' : 'warn', about: standard.name, message };
  for (const { about, level, breaches } of broken)
    for (const breach of breaches) yield { verdict: 'warn', about, message: level + breach };
  for (const one of judged.filter((requirement) => verdictOf(requirement) === 'yours'))
    yield { verdict: 'ok', about: one.about, message: `${one.level}, yours: ${one.yours}` };
}

/** Returns where a condition is not met, what follows from that, and what to change. */
function findBreach(condition: Condition, { keys, read }: StoredSettings): string | undefined {
  const { setting, unsafe } = condition;
  const members = membersOf(condition);
  const definition = settingDefinitions.find(({ name }) => name === setting);
  if (!definition) return undefined;
  const isGeneral = definition.scope === 'general';
  const breaches = (isGeneral ? [''] : keys).filter((frontEnd) => {
    const value = read(definition, frontEnd);
    const values = members.length === 0 || !isObject(value) ? [value] : members.map((member) => value[member]);
    return !values.some((one) => isMet(condition, one));
  });
  if (breaches.length === 0) return undefined;
  const where = isGeneral ? '' : ` at ${breaches.join(', ')}`;
  return `${where}: ${unsafe} Change ${members.length === 0 ? '' : `${members.join(' or ')} of `}${setting}.`;
}
