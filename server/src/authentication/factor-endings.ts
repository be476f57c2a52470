// Factor endings: a change that protects an account again ends what was begun or remembered with its former factors.
import { type FactorOperations, factorSettings, type TrustedDevices } from '../factors/index.ts';
import type { Settings } from '../settings/index.ts';
import type { Tx } from '../storage/database.ts';
import type { Revocations } from '../tokens/index.ts';
import type { LoginFlowStore } from './store.sql.ts';

export interface FactorEndings {
  /** Ends the account's challenges, factor operations and trusted devices. Each change of its factors calls it. */
  endOfAccount(tx: Tx, accountId: number): Promise<void>;
}

/** What ends the sessions of an account also ends these: a new password, deactivation, "sign out everywhere". */
export function createFactorEndings(deps: {
  flows: LoginFlowStore;
  factorOperations: FactorOperations;
  trustedDevices: TrustedDevices;
  revocations: Revocations;
  settings: Pick<Settings, 'whenChanged'>;
}): FactorEndings {
  const { flows, factorOperations, trustedDevices, revocations, settings } = deps;

  async function endOfAccount(tx: Tx, accountId: number | readonly number[]) {
    await flows.deleteOfAccount(tx.sql, accountId);
    await factorOperations.endOfAccount(tx, accountId);
    await trustedDevices.removeOfAccount(tx, accountId);
  }

  async function endAll(tx: Tx) {
    await flows.deleteAll(tx.sql);
    await factorOperations.endAll(tx);
    await trustedDevices.removeAll(tx);
  }

  revocations.whenSessionsEnd((tx, whose) => (whose === 'all' ? endAll(tx) : endOfAccount(tx, whose)));
  settings.whenChanged(factorSettings, async (tx, { trustedDeviceDays }) => {
    if (trustedDeviceDays === 0) await trustedDevices.removeAll(tx);
  });
  return { endOfAccount };
}
