// The slice of account administration.
import type { Capabilities, Slice } from '../slice.ts';
import { createAccountAdministration } from './account-administration.ts';
import { administrationErrors } from './errors.ts';
import { administrationActions } from './events.ts';
import { createExternalLoginAdministration } from './external-logins.ts';
import { accountAdministrationRoutes } from './routes.ts';

export const administrationDefinitions = { errors: [administrationErrors], actions: [administrationActions] };

/** Creates the slice, with `administration` for the command line and the first start. */
export function createAdministration(capabilities: Capabilities) {
  const { passwords, settings } = capabilities;
  const administration = createAccountAdministration(capabilities);
  const externalLogins = createExternalLoginAdministration(capabilities);
  return {
    routes: accountAdministrationRoutes({ administration, externalLogins, passwords, settings }),
    administration,
  } satisfies Slice & Record<string, unknown>;
}
