// The doctor's check of second factors: a policy that no account can meet is not applied.
import { factorSettings, secondFactorSetting } from '../factors/index.ts';
import type { Inspection } from '../storage/inspect.ts';
import type { Finding } from './output.ts';

/** Reads the stored settings. The defaults require nothing. */
export async function* checkFactors({ sql }: Pick<Inspection, 'sql'>): AsyncGenerator<Finding> {
  const rows = await sql
    .selectFrom('setting_value')
    .select(['name', 'app_key', 'value'])
    .where('name', 'in', [factorSettings.name, secondFactorSetting.name])
    .orderBy('app_key')
    .execute();
  const kinds = rows.find(({ name }) => name === factorSettings.name);
  const { passkeys = false, authenticator = false }: Record<string, unknown> = kinds ? JSON.parse(kinds.value) : {};
  const required = rows.filter(
    ({ name, value }) => name === secondFactorSetting.name && JSON.parse(value) === 'required',
  );
  if (required.length === 0 || passkeys || authenticator) return;
  const frontEnds = required.map(({ app_key: appKey }) => appKey).join(', ');
  const message = `required at ${frontEnds}, but passkeys and the authenticator app are both off, so the service asks no user. Switch one on in the setting ${factorSettings.name}.`;
  yield { verdict: 'warn', about: 'second factors', message };
}
