// The second factors of an account: which of them a sign-in asks for, and whether the account must enroll one.
import type { Account } from '../accounts/index.ts';
import { type EnrolledFactorReader, factorSettings, secondFactorSetting } from '../factors/index.ts';
import type { SettingReader } from '../foundation/setting.ts';
import { DEFAULT_FRONT_END } from '../front-ends/index.ts';
import type { Roles } from '../roles/index.ts';
import type { Tx } from '../storage/database.ts';
import type { Sessions } from '../tokens/index.ts';
import type { Factor } from './method.ts';

/** Accounts that one statement concerns. */
const BATCH = 500;

/** The accounts that must have a second factor at a front end. */
export type FactorRequirement = 'all' | 'with-permissions' | 'none';

export interface SecondFactors {
  /** Adds a method. A method with `isEnrolled` is a second factor of the accounts that have it enrolled. */
  register(method: Factor): void;
  /** The methods that were added, by name. */
  readonly methods: ReadonlyMap<string, Factor>;
  /** Returns whether the settings offer this method as a second factor. */
  isOffered(method: Factor): boolean;
  /** Returns whether any account may have a second factor. Reads settings only. */
  areOffered(): boolean;
  /** Returns the names of the account's second factors besides the first factor, in the order of their registration. */
  find(tx: Tx, account: Account, first?: Factor): Promise<string[]>;
  /**
   * Returns whether the account must enroll a second factor before a session at this front end may do anything else.
   * @param isUnrestricted whether the transaction has locked an open session that is not restricted, or a grant of one: a role that
   *   begins to grant permissions waits for it, and restricts it. Otherwise such a role waits until the transaction ends.
   */
  mustEnroll(tx: Tx, account: Account, frontEnd: string, isUnrestricted?: boolean): Promise<boolean>;
  /**
   * Restricts the sessions of accounts that have just gained a permission, if the settings demand a second factor of them and
   * they have none: the demand applies from their next call, not from their next refresh.
   */
  enforceEnrollment(tx: Tx, accountIds: readonly number[]): Promise<void>;
}

/** Returns what the settings require. The caller names the front end, so it cannot be laxer than `default-app`. */
export function readRequirement(settings: SettingReader, frontEnd: string): FactorRequirement {
  const { passkeys, authenticator, requireForPermissions } = settings.read(factorSettings);
  // No account could enroll.
  if (!passkeys && !authenticator) return 'none';
  const isRequired = (one: string) => settings.read(secondFactorSetting, one) === 'required';
  if (isRequired(DEFAULT_FRONT_END) || isRequired(frontEnd)) return 'all';
  return requireForPermissions ? 'with-permissions' : 'none';
}

export function createSecondFactors(deps: {
  settings: SettingReader;
  roles: Roles;
  enrolledFactors: EnrolledFactorReader;
  sessions: Sessions;
}): SecondFactors {
  const { settings, roles, enrolledFactors, sessions } = deps;
  const methods = new Map<string, Factor>();
  const isOffered = ({ isEnrolled, kind }: Factor) =>
    isEnrolled !== undefined && (kind === undefined || settings.read(factorSettings)[kind]);

  /** A fallback alone is no second factor. */
  async function find(tx: Tx, account: Account, first?: Factor): Promise<string[]> {
    const enrolled: Factor[] = [];
    for (const method of methods.values()) {
      const isOther = method.name !== first?.name && isOffered(method);
      if (isOther && (await method.isEnrolled?.(tx, account))) enrolled.push(method);
    }
    return enrolled.every(({ isFallback }) => isFallback) ? [] : enrolled.map(({ name }) => name);
  }

  return {
    register(method) {
      methods.set(method.name, method);
    },
    methods,
    isOffered,
    areOffered: () => [...methods.values()].some((method) => isOffered(method) && !method.isFallback),
    find,

    async mustEnroll(tx, account, frontEnd, isUnrestricted = false) {
      const requirement = readRequirement(settings, frontEnd);
      if (requirement === 'none') return false;
      // A locked session must not wait for roles: who changes roles, with a file of configuration too, may wait for the session.
      const isConcerned =
        requirement === 'all' || (await roles.permissionsIn(tx, account.roleNames, !isUnrestricted)).length > 0;
      return isConcerned && (await find(tx, account)).length === 0;
    },

    async enforceEnrollment(tx, accountIds) {
      // What `default-app` requires applies at every front end.
      if (readRequirement(settings, DEFAULT_FRONT_END) === 'none') return;
      const offered = settings.read(factorSettings);
      for (let start = 0; start < accountIds.length; start += BATCH) {
        const batch = accountIds.slice(start, start + BATCH);
        const owners = await enrolledFactors.findOwners(tx.sql, batch, offered);
        await sessions.restrictToEnrollment(
          tx,
          batch.filter((id) => !owners.has(id)),
        );
      }
    },
  };
}
