// The doctor's checks of the stored settings: weak values, and what is required but cannot be met.
import { settingDefinitions } from '../app/catalogue.ts';
import { factorSettings, findUnmetRequirements, secondFactorSetting } from '../factors/index.ts';
import { lacksQuestions, securityQuestionSetting } from '../security-questions/index.ts';
import { completeValue, findWeaknesses, mendValue, securitySettings } from '../settings/index.ts';
import type { Inspection } from '../storage/inspect.ts';
import type { Finding } from './output.ts';

/** The values of an installation: the keys of its front ends, and a reader of the value in force. */
export type StoredSettings = {
  readonly keys: readonly string[];
  readonly read: (definition: (typeof settingDefinitions)[number], frontEnd: string) => unknown;
};

/** Reads the stored values. What is damaged or out of bounds is the default, as in a service that starts. */
export async function readSettings({ sql }: Pick<Inspection, 'sql'>): Promise<StoredSettings> {
  const rows = await sql.selectFrom('setting_value').select(['name', 'app_key', 'value']).orderBy('app_key').execute();
  const frontEnds = await sql.selectFrom('front_end').select('app_key').orderBy('created_at').execute();
  const stored = new Map(rows.map(({ name, app_key, value }) => [`${name}\n${app_key}`, value]));
  return {
    keys: frontEnds.map(({ app_key: appKey }) => appKey),
    read(definition, frontEnd) {
      const text = stored.get(`${definition.name}\n${definition.scope === 'general' ? '' : frontEnd}`);
      return mendValue(definition, completeValue(definition, text && parseJson(text)));
    },
  };
}

/** Settings of extensions are not checked: the doctor loads no extension. */
export async function* checkSettings(inspection: Pick<Inspection, 'sql'>): AsyncGenerator<Finding> {
  const { keys, read } = await readSettings(inspection);
  const unmet = findUnmetRequirements(
    Object.assign({ ...factorSettings.default }, read(factorSettings, '')),
    keys.map((frontEnd) => ({ frontEnd, value: read(secondFactorSetting, frontEnd) })),
  );
  if (unmet.length > 0) {
    const message = `required at ${unmet.join(', ')}, but passkeys and the authenticator app are both off, so the service asks no user. Switch one on in the setting ${factorSettings.name}.`;
    yield { verdict: 'warn', about: 'second factors', message };
  }
  const security = Object.assign({ ...securitySettings.default }, read(securitySettings, ''));
  const questions = [read(securityQuestionSetting, '')].flat();
  if (lacksQuestions(security, questions)) {
    const asked = security.resetPasswordViaSecurityQuestionsNumQuestionsAllowed;
    const message = `a password reset asks ${asked} of them, but the list has ${questions.length}, so the service offers no reset by questions. Add some to the setting ${securityQuestionSetting.name}, or lower the number in ${securitySettings.name}.`;
    yield { verdict: 'warn', about: 'security questions', message };
  }
  for (const { definition, title, frontEnds: weak, text, source } of findWeaknesses(settingDefinitions, keys, read)) {
    const where = weak.length > 0 ? ` at ${weak.join(', ')}` : '';
    const message = `"${title}"${where}: ${text} (${source}). Change the setting ${definition.name}.`;
    yield { verdict: 'warn', about: 'settings', message };
  }
}

/** Returns the value of a JSON text, or `undefined` if it is damaged. The service uses the default then. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
