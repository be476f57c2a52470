// Reading accounts: as administrators see them, with their locks and second factors.
import type { AccountFactors, FactorState } from '../account-factors/index.ts';
import { type Account, type AccountQuery, type AccountStore, accountErrors } from '../accounts/index.ts';
import type { EnrolledFactorReader } from '../factors/index.ts';
import type { Clock, Instant } from '../foundation/clock.ts';
import { accountSubject, factorsSubject, type Lockouts } from '../lockout/index.ts';
import type { OneTimeSecrets } from '../proofs/index.ts';
import type { Database } from '../storage/database.ts';
import { type AccountFilter, toConditions } from './store.filter.ts';

/** An account, and the ends of its locks: by wrong passwords and pins, and by wrong second factors. */
export type ManagedAccount = Account & {
  lockedUntil: Instant | null;
  factorLockedUntil: Instant | null;
  /** Whether it has an authenticator app or a passkey, also of a kind that is switched off. */
  hasSecondFactor: boolean;
};

/** An account with its second factors, and the end of the lock by wrong ones. */
export type DetailedAccount = ManagedAccount & {
  factors: FactorState & { lockedUntil: Instant | null };
  /** Whether it has a password, also a random one that was never told. */
  hasPassword: boolean;
  /** Until when a mailed link sets a password: an invitation, or a link to reset it. */
  passwordLinkExpiresAt: Instant | null;
};

export interface AccountReader {
  list(query: AccountFilter & AccountQuery): Promise<{ accounts: ManagedAccount[]; total: number }>;
  /** @throws AuthError `account.notFound`. */
  get(id: number): Promise<DetailedAccount>;
}

/** Adds what is stored of the accounts elsewhere. */
export type WithState = (found: readonly Account[]) => Promise<ManagedAccount[]>;

export function createAccountReader(deps: {
  database: Database;
  accounts: AccountStore;
  lockouts: Lockouts;
  enrolledFactors: EnrolledFactorReader;
  accountFactors: AccountFactors;
  oneTimeSecrets: Pick<OneTimeSecrets, 'findLinkEnd'>;
  clock: Clock;
}): AccountReader & { find(id: number): Promise<ManagedAccount>; withState: WithState } {
  const { database, accounts, lockouts, enrolledFactors, accountFactors, oneTimeSecrets, clock } = deps;

  const withState: WithState = async (found) => {
    const ids = found.map(({ id }) => id);
    const subjects = ids.flatMap((id) => [accountSubject(id), factorsSubject(id)]);
    const [locks, owners] = await Promise.all([
      lockouts.readLocks(subjects),
      enrolledFactors.findOwners(database.sql, ids),
    ]);
    return found.map((account) => ({
      ...account,
      lockedUntil: locks.get(accountSubject(account.id)) ?? null,
      factorLockedUntil: locks.get(factorsSubject(account.id)) ?? null,
      hasSecondFactor: owners.has(account.id),
    }));
  };

  async function find(id: number): Promise<ManagedAccount> {
    const account = await accounts.findIn(database.sql, id);
    const [managed] = account ? await withState([account]) : [];
    if (!managed) throw accountErrors.notFound();
    return managed;
  }

  return {
    find,
    withState,

    async list({ sort, skip, take, ...filter }) {
      const conditions = toConditions(filter, clock.now());
      const { accounts: found, total } = await accounts.list(conditions, { sort, skip, take });
      return { accounts: await withState(found), total };
    },

    async get(id) {
      const account = await find(id);
      const factors = await accountFactors.read(database.sql, account);
      const credential = await accounts.findCredential(id, database.sql);
      const linkEnd =
        credential && (await oneTimeSecrets.findLinkEnd({ accountId: id, passwordVersion: credential.version }));
      return {
        ...account,
        factors: { ...factors, lockedUntil: account.factorLockedUntil },
        hasPassword: credential?.hash != null,
        passwordLinkExpiresAt: linkEnd ?? null,
      };
    },
  };
}
