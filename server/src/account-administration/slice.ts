// Account administration, as a slice of the service.
import type { Capabilities, Slice } from '../slice.ts';
import { createAccountAdministration } from './account-administration.ts';
import { administrationErrors } from './errors.ts';
import { administrationActions } from './events.ts';
import { createExternalLoginAdministration } from './external-logins.ts';
import { accountAdministrationRoutes } from './routes.ts';

export const administrationDefinitions = { errors: [administrationErrors], actions: [administrationActions] };

/** Also gives `administration`, which the command line and the first start call. */
export function createAdministration(capabilities: Capabilities) {
  const { passwords, settings } = capabilities;
  const administration = createAccountAdministration(capabilities);
  const externalLogins = createExternalLoginAdministration(capabilities);
  return {
    routes: accountAdministrationRoutes({ administration, externalLogins, passwords, settings }),
    administration,
  } satisfies Slice & Record<string, unknown>;
}
