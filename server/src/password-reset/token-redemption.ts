// Token redemption: exchanges a reset token for a new password.
import type { Account, Names } from '../accounts/index.ts';
import type { Attempts } from '../authentication/index.ts';
import type { Origin } from '../foundation/events.ts';
import type { SettingReader } from '../foundation/setting.ts';
import { accountSubject } from '../lockout/index.ts';
import { type Passwords, readPasswordPolicy, requesterOf, requireGoodPassword } from '../passwords/index.ts';
import type { OneTimeSecrets } from '../proofs/index.ts';
import type { Database } from '../storage/database.ts';
import { resetErrors } from './declarations.ts';
import { isAllowed, type ResetMethod, resetMethods } from './method.ts';
import type { Replacement, ReplacePassword } from './password-replacement.ts';

/** A reset token, the name that it belongs to, and the new password. */
export type Redemption = { name: string; token: string; password: string };

/**
 * Sets the password.
 * @throws AuthError `reset.invalidToken` for any fault of the token or the name; `password.policy`, and the token stays
 * valid.
 */
export type RedeemToken = (given: Redemption, origin: Origin) => Promise<void>;

type Requester = ReturnType<typeof requesterOf>;

export function createTokenRedemption(deps: {
  database: Database;
  names: Names;
  passwords: Passwords;
  oneTimeSecrets: OneTimeSecrets;
  replacePassword: ReplacePassword;
  attempts: Attempts;
  settings: SettingReader;
}): RedeemToken {
  const { database, names, passwords, oneTimeSecrets, replacePassword, attempts, settings } = deps;

  /**
   * Returns the token and its account. A number may be the user name of one account and the verified number of another: a token of
   * either is right.
   * @throws AuthError `reset.invalidToken`, also for a name of another account.
   */
  async function findHolder({ name, token }: Redemption) {
    const [held, ...named] = await Promise.all([
      oneTimeSecrets.findToken(token),
      names.resolve(name),
      names.resolveWithNumber(name),
    ]);
    const account = named.map((one) => one.account).find((one) => one && one.id === held?.accountId);
    const isHolder = account?.isActive && held?.passwordVersion === account.credential.version;
    const isOfMethod = (method: ResetMethod) => method === held?.method && isAllowed(settings, method);
    if (!held || !isHolder || !resetMethods.some(isOfMethod)) throw resetErrors.invalidToken();
    return { held, account };
  }

  function requireAcceptable(account: Account, password: string, origin: Origin, current?: string) {
    const { userName, emailAddress, name, surname } = account;
    const policy = readPasswordPolicy(settings, origin.frontEnd);
    requireGoodPassword(password, policy, [userName, emailAddress, name, surname], current ? { current } : {});
  }

  /**
   * Compares the new password with the current one, and hashes it. Returns an error instead of a refused password.
   * @throws AuthError `reset.invalidToken` when the token was redeemed while this call waited for its turn. The attempt
   * does not count then.
   */
  async function compare(given: Redemption, requester: Requester, origin: Origin) {
    const { held, account } = await findHolder(given);
    const { matches } = await passwords.verify(account.credential.hash, given.password, requester);
    try {
      if (matches) requireAcceptable(account, given.password, origin, given.password);
      return { token: given.token, held, hash: await passwords.hash(given.password, requester) };
    } catch (refused) {
      return { refused };
    }
  }

  /** A locked account can still be reset. Its password is not compared then. */
  async function replaceUncompared(replacement: Replacement, origin: Origin) {
    const isReplaced = await database.transaction((tx) => replacePassword(tx, replacement, origin));
    if (!isReplaced) throw resetErrors.invalidToken();
  }

  /**
   * Replaces the password, but refuses the current one, which other people may know. A reset token must not help to guess
   * it, so the comparison is an attempt under the account's lockout. It counts as a failure unless the password is replaced.
   */
  return async (given, origin) => {
    const { token, password } = given;
    const { held, account } = await findHolder(given);
    requireAcceptable(account, password, origin);
    const subject = accountSubject(account.id);
    const requester = requesterOf(origin, subject);
    const attempt = await attempts.reserve(subject, attempts.findPolicy(account, origin));
    if ('lockedUntil' in attempt) {
      return replaceUncompared({ token, held, hash: await passwords.hash(password, requester) }, origin);
    }
    const compared = await attempt.verify(() => compare(given, requester, origin));
    if ('refused' in compared) {
      // The refusal explains more than a failure to count it.
      await attempt.settle(async () => ({ proof: 'wrong', result: null })).catch(() => {});
      throw compared.refused;
    }
    const settled = await attempt.settle(async (tx) => {
      const isReplaced = await replacePassword(tx, compared, origin);
      return { proof: isReplaced ? 'unchecked' : 'wrong', result: isReplaced };
    });
    if ('lockedUntil' in settled) return replaceUncompared(compared, origin);
    if (!settled.result) throw resetErrors.invalidToken();
  };
}
