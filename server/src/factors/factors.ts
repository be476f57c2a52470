// The factors of accounts, created from the means that they share.
import type { Clock } from '../foundation/clock.ts';
import type { Random } from '../foundation/random.ts';
import type { Secrets } from '../foundation/secrets.ts';
import type { SettingReader } from '../foundation/setting.ts';
import type { Database } from '../storage/database.ts';
import { createAuthenticators } from './authenticators.ts';
import { createFactorOperations } from './operations.ts';
import { createRecoveryCodes } from './recovery-codes.ts';
import { createRecoveryCodeStore, createTrustedDeviceStore } from './store.devices.sql.ts';
import { createAuthenticatorStore, createFactorOperationStore } from './store.sql.ts';
import { createTrustedDevices } from './trusted-devices.ts';

export function createFactors(deps: {
  database: Database;
  settings: SettingReader;
  secrets: Secrets;
  clock: Clock;
  random: Random;
}) {
  const { database } = deps;
  const factorOperations = createFactorOperations({ ...deps, store: createFactorOperationStore(database) });
  return {
    factorOperations,
    authenticators: createAuthenticators({ ...deps, store: createAuthenticatorStore(), operations: factorOperations }),
    recoveryCodes: createRecoveryCodes({ ...deps, store: createRecoveryCodeStore() }),
    trustedDevices: createTrustedDevices({ ...deps, store: createTrustedDeviceStore(database) }),
  };
}
