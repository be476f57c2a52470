// Token redemption: exchanges a reset token for a new password.
import type { Account, Credential, Names } from '../accounts/index.ts';
import type { Attempts, FindLockoutPolicy } from '../authentication/index.ts';
import { AuthError } from '../foundation/errors.ts';
import type { Origin } from '../foundation/events.ts';
import type { SettingReader } from '../foundation/setting.ts';
import { accountSubject } from '../lockout/index.ts';
import { type Passwords, readPasswordPolicy, requesterOf, requireGoodPassword } from '../passwords/index.ts';
import type { Database } from '../storage/database.ts';
import { resetErrors } from './errors.ts';
import { isAllowed } from './method.ts';
import type { ReplacePassword } from './password-replacement.ts';
import type { ResetTokens } from './reset-tokens.ts';

/** A reset token, the name that it belongs to, and the new password. */
export type Redemption = { name: string; token: string; password: string };

/**
 * Sets the password.
 * @throws AuthError `reset.invalidToken` for any fault of the token or the name; `password.policy`, and the token stays
 * valid.
 */
export type RedeemToken = (given: Redemption, origin: Origin) => Promise<void>;

export function createTokenRedemption(deps: {
  database: Database;
  names: Names;
  passwords: Passwords;
  tokens: ResetTokens;
  replacePassword: ReplacePassword;
  attempts: Attempts;
  findLockoutPolicy: FindLockoutPolicy;
  settings: SettingReader;
}): RedeemToken {
  const { database, names, passwords, tokens, replacePassword, attempts, findLockoutPolicy, settings } = deps;

  /** Returns the token and its account. @throws AuthError `reset.invalidToken`, also for a name of another account. */
  async function findHolder({ name, token }: Redemption) {
    const [held, { account }] = await Promise.all([tokens.find(token), names.resolveWithNumber(name)]);
    const isHolder =
      account?.isActive && held?.accountId === account.id && held.passwordVersion === account.credential.version;
    if (!isHolder || !isAllowed(settings, held.method)) throw resetErrors.invalidToken();
    return { held, account };
  }

  function requireAcceptable(account: Account, password: string, origin: Origin, current?: string) {
    const { userName, emailAddress, name, surname } = account;
    const policy = readPasswordPolicy(settings, origin.frontEnd);
    requireGoodPassword(password, policy, [userName, emailAddress, name, surname], current ? { current } : {});
  }

  async function replace(given: Redemption, requester: ReturnType<typeof requesterOf>, origin: Origin) {
    // The token may have been redeemed while this call waited for a thread.
    const { held } = await findHolder(given);
    const hash = await passwords.hash(given.password, requester);
    await database.transaction(async (tx) => {
      const isReplaced = await replacePassword(tx, held, hash, origin);
      // Lock the account first and take the token last, so that two tokens of one account never wait for each other.
      if (!isReplaced || !(await tokens.take(tx, given.token))) throw resetErrors.invalidToken();
      await tokens.revokeOfAccount(tx, held.accountId);
    });
  }

  /**
   * Replaces the password, but refuses the current one, which other people may know. A reset token must not help to guess
   * it, so the comparison is an attempt under the account's lockout. It counts as a failure unless the password is replaced.
   */
  async function compareAndReplace(
    given: Redemption,
    account: Account & { credential: Credential },
    requester: ReturnType<typeof requesterOf>,
    origin: Origin,
  ): Promise<AuthError | undefined> {
    await findHolder(given);
    const { matches } = await passwords.verify(account.credential.hash, given.password, requester);
    try {
      if (matches) requireAcceptable(account, given.password, origin, given.password);
      await replace(given, requester, origin);
      return undefined;
    } catch (error) {
      if (error instanceof AuthError) return error;
      throw error;
    }
  }

  return async (given, origin) => {
    const { account } = await findHolder(given);
    requireAcceptable(account, given.password, origin);
    const subject = accountSubject(account.id);
    const requester = requesterOf(origin, subject);
    const settled = await attempts.settle(
      subject,
      findLockoutPolicy(account, origin),
      () => compareAndReplace(given, account, requester, origin),
      async (_, refusal) => ({ proof: refusal ? 'wrong' : 'unchecked', result: refusal }),
    );
    // A locked account can still be reset. Its password is not compared then.
    if (!('result' in settled)) await replace(given, requester, origin);
    else if (settled.result) throw settled.result;
  };
}
