// How people can register, from the settings.
import { readSetting } from '../api/latchkey.ts';

/** The kind of address that registration verifies. */
export type Means = 'email' | 'mobile';

export type Registration = {
  readonly means: Means;
  /** Whether the e-mail address is the user name. */
  readonly isEmailUserName: boolean;
  /** The path on this host to open afterwards. Absent for `/`, which is no page: the default target. */
  readonly goTo: string | undefined;
};

const meansByMethod: Readonly<Record<number, Means>> = { 2: 'email', 3: 'mobile' };

/** Returns how people can register. `undefined` when registration is off. */
export async function readRegistration(): Promise<Registration | undefined> {
  const setting = await readSetting('Shesha.UserManagement');
  const means = meansByMethod[Number(setting.supportedRegistrationMethods)];
  if (means === undefined) return undefined;
  const goTo = String(setting.goToUrlAfterRegistration);
  const isEmailUserName = means === 'email' && setting.userEmailAsUsername === true;
  return { means, isEmailUserName, goTo: goTo === '/' ? undefined : goTo };
}
