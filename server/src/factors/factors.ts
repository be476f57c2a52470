// The factors of accounts, created from the means that they share.
import type { Clock } from '../foundation/clock.ts';
import type { Random } from '../foundation/random.ts';
import type { Secrets } from '../foundation/secrets.ts';
import type { SettingReader } from '../foundation/setting.ts';
import type { Database } from '../storage/database.ts';
import { createAuthenticators } from './authenticators.ts';
import { createEnrolledFactors } from './enrolled.ts';
import { createFactorOperations } from './operations.ts';
import { createRecoveryCodes } from './recovery-codes.ts';
import { createRecoveryCodeStore, createTrustedDeviceStore } from './store.devices.sql.ts';
import { createEnrolledPasskeyStore } from './store.enrolled.sql.ts';
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
  const authenticatorStore = createAuthenticatorStore();
  const authenticators = createAuthenticators({ ...deps, store: authenticatorStore, operations: factorOperations });
  const recoveryCodes = createRecoveryCodes({ ...deps, store: createRecoveryCodeStore() });
  const trustedDevices = createTrustedDevices({ ...deps, store: createTrustedDeviceStore(database) });
  const passkeyStore = createEnrolledPasskeyStore();
  const enrolledFactors = createEnrolledFactors({ authenticators, passkeyStore, recoveryCodes, trustedDevices });
  return { factorOperations, authenticators, recoveryCodes, trustedDevices, enrolledFactors };
}
