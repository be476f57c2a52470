// The lockout settings (specification 2.4), each with a value for every front end.
import { type TSchema, Type } from 'typebox';
import {
  defineSetting,
  Seconds,
  type SettingDefinition,
  type SettingReader,
  type Warning,
} from '../foundation/setting.ts';
import type { LockoutPolicy } from './lockout.ts';

const noLockout: Warning = {
  is: false,
  text: 'Attackers get up to 100 attempts in a row at a password, instead of a few.',
  source: 'OWASP ASVS 6.3.1, NIST SP 800-63B-4 3.2.2',
};

const PREFIX = 'Abp.Zero.UserManagement.UserLockOut.';

/** The other two settings have no effect while the lockout is off. */
const whileOn = [{ setting: `${PREFIX}IsEnabled`, is: true }];

function defineRow<Schema extends TSchema>(
  row: Pick<SettingDefinition<Schema>, 'name' | 'label' | 'description' | 'schema' | 'default' | 'order'>,
) {
  return defineSetting<Schema>({
    ...row,
    name: PREFIX + row.name,
    scope: 'frontEnd',
    category: 'Security',
    kind: 'value',
    public: false,
  });
}

export const lockoutSettings = {
  isEnabled: defineRow({
    name: 'IsEnabled',
    label: 'Is user lockout enabled',
    description:
      'The service locks an account after repeated failed attempts. 100 failures in a row lock it in any case.',
    schema: Type.Boolean({ 'x-warning': noLockout, 'x-weaker': false, 'x-strictest': true }),
    default: true,
    order: 20,
  }),
  maxFailures: defineRow({
    name: 'MaxFailedAccessAttemptsBeforeLockout',
    label: 'Max failed login attempts before lockout',
    description: 'How many failed attempts in a row lock the account.',
    schema: Type.Integer({ minimum: 1, maximum: 100, 'x-weaker': 'higher', 'x-strictest': true, 'x-needs': whileOn }),
    default: 5,
    order: 21,
  }),
  seconds: defineRow({
    name: 'DefaultAccountLockoutSeconds',
    label: 'User lockout (sec)',
    description: 'How long a locked account stays locked.',
    schema: Seconds({ minimum: 1, maximum: 86_400, 'x-weaker': 'lower', 'x-strictest': true, 'x-needs': whileOn }),
    default: 300,
    order: 22,
  }),
};

/** Returns the policy for callers that name this front end. */
export function readLockoutPolicy(settings: SettingReader, frontEnd: string): LockoutPolicy {
  return {
    enabled: settings.read(lockoutSettings.isEnabled, frontEnd),
    maxFailures: settings.read(lockoutSettings.maxFailures, frontEnd),
    seconds: settings.read(lockoutSettings.seconds, frontEnd),
  };
}
