// The slice of registration.
import type { Capabilities, Slice } from '../slice.ts';
import { createAccountRegistration } from './account-registration.ts';
import { createAddresses } from './address.ts';
import { createRegistrationProofs } from './address-proof.ts';
import { registrationActions, registrationErrors } from './declarations.ts';
import { createRegistrationValidator } from './registration-validator.ts';
import { registrationRoutes } from './routes.ts';
import { userManagementSetting } from './settings.ts';
import { verificationLinkMessage } from './templates.ts';

export const registrationSlice = {
  declarations: {
    settings: [verificationLinkMessage, userManagementSetting],
    errors: [registrationErrors],
    actions: [registrationActions],
    registrations: { address: registrationActions.registered },
  },
  create(capabilities: Capabilities) {
    const { settings } = capabilities;
    const addresses = createAddresses(capabilities);
    const proofs = createRegistrationProofs({ ...capabilities, addresses });
    const validator = createRegistrationValidator({ ...capabilities, proofs });
    const registration = createAccountRegistration({ ...capabilities, validator, proofs });
    return { routes: registrationRoutes({ proofs, registration, settings }) };
  },
} satisfies Slice;
