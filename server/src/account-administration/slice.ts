// The slice of account administration.
import type { Capabilities, Slice } from '../slice.ts';
import { createAccountAdministration } from './account-administration.ts';
import { createAccountExport } from './account-export.ts';
import { createAccountReader } from './account-reader.ts';
import { exportedMembers, toExported } from './dtos.ts';
import { createExternalLoginAdministration } from './external-logins.ts';
import { exportRoutes } from './routes.export.ts';
import { accountAdministrationRoutes } from './routes.ts';
import { createSessionAdministration } from './sessions.ts';

export const accountAdministrationSlice = {
  create(capabilities: Capabilities) {
    const { passwords, settings, roles } = capabilities;
    const administration = createAccountAdministration(capabilities);
    const { withState } = createAccountReader(capabilities);
    const externalLogins = createExternalLoginAdministration(capabilities);
    const accountSessions = createSessionAdministration(capabilities);
    const accountExport = createAccountExport({ ...capabilities, withState, toExported, members: exportedMembers });
    return {
      routes: [
        ...accountAdministrationRoutes({ administration, externalLogins, accountSessions, passwords, settings, roles }),
        ...exportRoutes(accountExport, roles),
      ],
    };
  },
} satisfies Slice;
