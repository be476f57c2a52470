// The factors of accounts, created from the means that they share.
import type { Clock } from '../foundation/clock.ts';
import type { Random } from '../foundation/random.ts';
import type { Secrets } from '../foundation/secrets.ts';
import type { SettingReader } from '../foundation/setting.ts';
import type { Database } from '../storage/database.ts';
import { createAssertionOperations } from './assertion-operations.ts';
import { createAuthenticators } from './authenticators.ts';
import { createEnrolledFactors } from './enrolled.ts';
import { createFactorOperations } from './operations.ts';
import { createPasskeys } from './passkeys.ts';
import { createRecoveryCodes } from './recovery-codes.ts';
import { createRecoveryCodeStore, createTrustedDeviceStore } from './store.devices.sql.ts';
import { createPasskeyStore } from './store.passkeys.sql.ts';
import { createAuthenticatorStore, createFactorOperationStore } from './store.sql.ts';
import { createTrustedDevices } from './trusted-devices.ts';
import { createWebAuthn, type RelyingParty } from './webauthn.ts';

export function createFactors(deps: {
  database: Database;
  settings: SettingReader;
  relyingParty: RelyingParty;
  secrets: Secrets;
  clock: Clock;
  random: Random;
  /** Receives the account whose authenticator app cannot be opened, once. */
  onUnopened: (accountId: number) => void;
}) {
  const { database, relyingParty } = deps;
  const { id: rpId } = relyingParty;
  const factorOperations = createFactorOperations({ ...deps, store: createFactorOperationStore(database) });
  const authenticatorStore = createAuthenticatorStore();
  const authenticators = createAuthenticators({ ...deps, store: authenticatorStore, operations: factorOperations });
  const recoveryCodes = createRecoveryCodes({ ...deps, store: createRecoveryCodeStore() });
  const trustedDevices = createTrustedDevices({ ...deps, store: createTrustedDeviceStore(database) });
  const passkeyStore = createPasskeyStore(database);
  const assertionOperations = createAssertionOperations({ ...deps, store: passkeyStore });
  const passkeys = createPasskeys({
    ...deps,
    store: passkeyStore,
    factorOperations,
    assertionOperations,
    webAuthn: createWebAuthn(relyingParty),
    rpId,
  });
  const enrolledFactors = createEnrolledFactors({ authenticators, passkeys, recoveryCodes, trustedDevices, rpId });
  return {
    factorOperations,
    authenticators,
    assertionOperations,
    passkeys,
    recoveryCodes,
    trustedDevices,
    enrolledFactors,
  };
}
