// The second factors of an account: which of them a sign-in asks for, and whether the account must enroll one.
import type { Account } from '../accounts/index.ts';
import { factorSettings } from '../factors/index.ts';
import type { SettingReader } from '../foundation/setting.ts';
import type { Tx } from '../storage/database.ts';
import type { RequiresSecondFactor } from './enrollment-policy.ts';
import type { Factor } from './method.ts';

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
  /** Returns whether the account must enroll a second factor before a session at this front end may do anything else. */
  mustEnroll(tx: Tx, account: Account, frontEnd: string): Promise<boolean>;
}

export function createSecondFactors({
  settings,
  requiresSecondFactor,
}: {
  settings: SettingReader;
  requiresSecondFactor: RequiresSecondFactor;
}): SecondFactors {
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
    async mustEnroll(tx, account, frontEnd) {
      return (await requiresSecondFactor(tx, account, frontEnd)) && (await find(tx, account)).length === 0;
    },
  };
}
