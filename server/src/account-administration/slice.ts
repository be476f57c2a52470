// The slice of account administration.
import type { Capabilities, Slice } from '../slice.ts';
import { createAccountAdministration } from './account-administration.ts';
import { createAccountExport } from './account-export.ts';
import { createAccountReader } from './account-reader.ts';
import { exportedMembers, toExported } from './dtos.ts';
import { administrationErrors, importErrors } from './errors.ts';
import { administrationActions } from './events.ts';
import { createExternalLoginAdministration } from './external-logins.ts';
import { exportRoutes } from './routes.export.ts';
import { importRoutes } from './routes.import.ts';
import { accountAdministrationRoutes } from './routes.ts';
import { addressesReplacedMessage } from './templates.ts';

export const administrationDefinitions = {
  settings: [addressesReplacedMessage],
  errors: [administrationErrors, importErrors],
  actions: [administrationActions],
};

/** Creates the slice, with `administration` for the command line and the first start. */
export function createAdministration(capabilities: Capabilities) {
  const { passwords, settings } = capabilities;
  const administration = createAccountAdministration(capabilities);
  const { withState } = createAccountReader(capabilities);
  const externalLogins = createExternalLoginAdministration(capabilities);
  return {
    routes: [
      ...accountAdministrationRoutes({ administration, externalLogins, passwords, settings }),
      ...importRoutes({ ...capabilities, creation: administration }),
      ...exportRoutes(createAccountExport({ ...capabilities, withState, toExported, members: exportedMembers })),
    ],
    administration,
  } satisfies Slice & Record<string, unknown>;
}
