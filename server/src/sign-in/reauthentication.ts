// Reauthentication: a signed-in caller proves again who they are, and gets a fresh token of the same session.
import { type Account, type AccountStore, accountErrors } from '../accounts/index.ts';
import {
  type Attempts,
  type AuthenticationMethod,
  type OwnerVerification,
  Refusal,
  refuseWith,
  type SecondFactors,
} from '../authentication/index.ts';
import { factorErrors } from '../factors/index.ts';
import type { SignedIn } from '../foundation/authority.ts';
import { isRefusal } from '../foundation/errors.ts';
import type { Origin } from '../foundation/events.ts';
import { accountSubject, factorsSubject } from '../lockout/index.ts';
import type { Tx } from '../storage/database.ts';
import { type IssuedToken, type Sessions, tokenErrors } from '../tokens/index.ts';
import { signInActions } from './declarations.ts';
import type { Renewals } from './renewals.ts';

/** A provider may take ten seconds to answer, and the database some more. A wrong proof that takes so long must count too. */
const FIRST_FACTOR_SECONDS = 20;

/** A signed-in caller, and the token of the request. */
export type Reauthenticating = { readonly owner: SignedIn; readonly token: string; readonly origin: Origin };

/** Each call revokes the token of the request, and renews `auth_time`. A wrong proof is 400, and counts in its own budget. */
export interface Reauthentication {
  /**
   * Verifies the password. It raises no session.
   * @throws AuthError `password.incorrect`; `signIn.lockedOut` with status 400; `token.revoked`.
   */
  byPassword(caller: Reauthenticating, password: string): Promise<IssuedToken>;
  /**
   * Verifies another first factor: a pin, or the identity at a provider that is linked to the account. It raises no session. A
   * proof that the method refuses counts against the account, so that a caller cannot have a provider asked without end.
   * @throws AuthError the error of a wrong proof and `signIn.lockedOut` with status 400; `token.revoked`; other errors of `find`.
   */
  byFirstFactor<Given>(
    caller: Reauthenticating,
    method: AuthenticationMethod<Given>,
    given: Given,
  ): Promise<IssuedToken>;
  /**
   * Verifies a second factor of the account, or a recovery code. It raises the session to `aal2`, and allows the session to
   * change factors for 5 minutes.
   * @throws AuthError `factor.disabled`; `factor.invalid` and `signIn.lockedOut` with status 400; `token.revoked`.
   */
  byFactor<Given>(caller: Reauthenticating, method: AuthenticationMethod<Given>, given: Given): Promise<IssuedToken>;
}

export function createReauthentication(deps: {
  accounts: AccountStore;
  attempts: Attempts;
  renewTokens: Renewals['renew'];
  ownerVerification: OwnerVerification;
  secondFactors: SecondFactors;
  sessions: Sessions;
}): Reauthentication {
  const { accounts, attempts, renewTokens, ownerVerification } = deps;
  const { secondFactors, sessions } = deps;
  const action = signInActions.reauthenticated;

  async function renew(
    tx: Tx,
    { token, origin }: Reauthenticating,
    { method, ...proof }: { method: string; amr: readonly string[]; passkeyId?: string | undefined },
  ): Promise<IssuedToken> {
    const verified = await sessions.verify(token);
    const [issued] = await renewTokens(tx, [
      { token: verified, occurrence: { action, origin, details: { method } }, proof },
    ]);
    if (!issued) throw tokenErrors.revoked();
    return issued;
  }

  async function renewByFirstFactor<Given>(
    caller: Reauthenticating,
    method: AuthenticationMethod<Given>,
    given: Given,
    account: Account,
  ): Promise<IssuedToken> {
    const { owner, origin } = caller;
    const attempt = await attempts.begin({
      account,
      subject: accountSubject(account.id),
      sessionId: owner.sessionId,
      seconds: FIRST_FACTOR_SECONDS,
      origin,
      action,
      details: { method: method.name },
    });
    const refuse = (error = method.wrong()) => ({ proof: 'wrong', result: new Refusal(error) }) as const;
    const proven = await attempt.verify(async () => {
      try {
        const found = await method.find(given, origin, account);
        return found?.account?.id === account.id ? { verified: await method.verify(found) } : refuse();
      } catch (error) {
        if (isRefusal(error) && error.reason === method.wrong().reason) return refuse(error);
        throw error;
      }
    });
    return attempt.settle<IssuedToken>(async (tx) => {
      await owner.authorize(tx);
      if (!('verified' in proven)) return proven;
      const outcome = await method.redeem(tx, proven.verified);
      if (outcome.proof !== 'right') return refuse();
      return { proof: 'right', result: await renew(tx, caller, { method: method.name, amr: [method.amr] }) };
    });
  }

  async function renewByFactor<Given>(
    caller: Reauthenticating,
    method: AuthenticationMethod<Given>,
    given: Given,
    account: Account,
  ): Promise<IssuedToken> {
    const { owner, origin } = caller;
    const found = await method.find(given, origin, account);
    if (found?.account?.id !== account.id) throw method.wrong();
    const attempt = await attempts.begin({
      account,
      subject: factorsSubject(account.id),
      sessionId: owner.sessionId,
      policy: attempts.findFactorPolicy([origin.frontEnd]),
      origin,
      action,
      details: { method: method.name },
    });
    const verified = await attempt.verify(() => method.verify(found));
    return attempt.settle<IssuedToken>(async (tx) => {
      await owner.authorize(tx);
      // Read before the proof is redeemed: a right recovery code may use up the last one.
      const isEnrolled = (await secondFactors.find(tx, account)).includes(method.name);
      if (!isEnrolled) return { proof: 'unchecked', result: new Refusal(method.wrong()) };
      const outcome = await method.redeem(tx, verified);
      if (outcome.proof !== 'right') return { proof: outcome.proof, result: new Refusal(method.wrong()) };
      const amr = [method.amr, ...(outcome.amr ?? []), 'mfa'];
      const { passkeyId } = outcome;
      return { proof: 'right', result: await renew(tx, caller, { method: method.name, amr, passkeyId }) };
    });
  }

  async function findAccount({ accountId }: SignedIn): Promise<Account> {
    const account = await accounts.find(accountId);
    if (!account) throw accountErrors.notFound();
    return account;
  }

  return {
    byPassword(caller, password) {
      const { owner, origin } = caller;
      return ownerVerification.withProvenOwner(owner, { password, action, origin, needsFactor: false }, (tx) =>
        renew(tx, caller, { method: 'password', amr: ['pwd'] }),
      );
    },

    async byFirstFactor(caller, method, given) {
      const account = await findAccount(caller.owner);
      return refuseWith(400, renewByFirstFactor(caller, method, given, account));
    },

    async byFactor(caller, method, given) {
      if (!secondFactors.isOffered(method)) throw factorErrors.disabled();
      const account = await findAccount(caller.owner);
      return refuseWith(400, renewByFactor(caller, method, given, account));
    },
  };
}
