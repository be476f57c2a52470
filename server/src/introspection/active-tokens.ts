// Active tokens: what other services learn of a token that this service would accept now.
import type { Account, AccountStore } from '../accounts/index.ts';
import type { Authorization } from '../authorization/index.ts';
import { unlessRefused } from '../foundation/errors.ts';
import { type Claims, type Sessions, tokenErrors } from '../tokens/index.ts';

/** A valid token. The account is as it is now: its name and roles may have changed since the token was issued. */
export type ActiveToken = { readonly claims: Claims; readonly account: Account };

export interface ActiveTokens {
  /**
   * Returns the claims and the account of a valid token.
   * @throws AuthError `token.invalid`, `token.expired`, `token.revoked`; `password.changeRequired` or
   *   `factor.enrollmentRequired` for a restricted session.
   */
  require(token: string): Promise<ActiveToken>;
  /** Returns the same, or `undefined` for a token that is refused. */
  find(token: string): Promise<ActiveToken | undefined>;
}

export function createActiveTokens(deps: {
  authorization: Authorization;
  accounts: AccountStore;
  sessions: Sessions;
}): ActiveTokens {
  const { authorization, accounts, sessions } = deps;

  async function requireActive(token: string): Promise<ActiveToken> {
    const { accountId } = await authorization.authorize(token, {});
    const account = await accounts.find(accountId);
    if (!account?.isActive) throw tokenErrors.revoked();
    return { claims: await sessions.readClaims(token), account };
  }

  return {
    require: requireActive,
    find: (token) => unlessRefused(() => requireActive(token)),
  };
}

/** Returns the level of a token (NIST SP 800-63B-4). Tokens of older versions name none. */
export const levelOf = ({ acr = 'aal1' }: { readonly acr?: Claims['acr'] }) => acr;
