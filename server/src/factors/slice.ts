// The settings, errors and cleanup jobs of second factors.

import type { AssertionOperations } from './assertion-operations.ts';
import { factorErrors, passkeyErrors } from './declarations.ts';
import type { FactorOperations } from './operations.ts';
import { factorSettings, secondFactorSetting } from './settings.ts';
import type { TrustedDevices } from './trusted-devices.ts';

export const factorsSlice = {
  declarations: {
    settings: [factorSettings, secondFactorSetting],
    errors: [factorErrors, passkeyErrors],
  },
  create: ({
    factorOperations,
    assertionOperations,
    trustedDevices,
  }: {
    factorOperations: FactorOperations;
    assertionOperations: AssertionOperations;
    trustedDevices: TrustedDevices;
  }) => ({ jobs: [factorOperations.deleteExpired, assertionOperations.deleteExpired, trustedDevices.deleteExpired] }),
};
