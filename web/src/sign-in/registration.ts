// How people register here, as the service's setting says.
import { latchkey } from '../api/latchkey.ts';

/** What people prove to have when they register. */
export type Means = 'email' | 'mobile';

export type Registration = {
  readonly means: Means;
  /** The address is the user name, whatever else is asked for. */
  readonly isEmailUserName: boolean;
  /** Where to go afterwards: a local path. */
  readonly goTo: string;
};

const meansByMethod: Readonly<Record<number, Means>> = { 2: 'email', 3: 'mobile' };

/** Nothing where nobody can. */
export async function readRegistration(): Promise<Registration | undefined> {
  const setting = (await latchkey.call('Settings/GetValue', { name: 'Shesha.UserManagement' })) as {
    supportedRegistrationMethods: number;
    userEmailAsUsername: boolean;
    goToUrlAfterRegistration: string;
  };
  const means = meansByMethod[setting.supportedRegistrationMethods];
  if (means === undefined) return undefined;
  const isEmailUserName = means === 'email' && setting.userEmailAsUsername;
  return { means, isEmailUserName, goTo: setting.goToUrlAfterRegistration };
}
