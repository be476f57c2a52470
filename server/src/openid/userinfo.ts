// Userinfo: what an application may know of the person now (OpenID Connect Core, 5.3).
import type { AccountStore } from '../accounts/index.ts';
import { isRefusal } from '../foundation/errors.ts';
import type { Grants } from '../grants/index.ts';
import { OAuthError } from '../oauth/index.ts';
import type { ApplicationTokens } from '../tokens/index.ts';
import { claimsOf, type PersonClaims } from './claims.ts';

/** Returns the claims that the scopes of an access token give. @throws OAuthError `invalid_token`, `insufficient_scope`. */
export type ReadUserinfo = (accessToken: string) => Promise<PersonClaims>;

export function createUserinfo(deps: {
  applicationTokens: ApplicationTokens;
  grants: Grants;
  accounts: AccountStore;
}): ReadUserinfo {
  const { applicationTokens, grants, accounts } = deps;
  const invalid = () => new OAuthError('invalid_token', 'The access token is not valid, has expired, or has ended.');

  async function verify(token: string) {
    try {
      return await applicationTokens.verify(token);
    } catch (error) {
      if (isRefusal(error)) throw invalid();
      throw error;
    }
  }

  return async (accessToken) => {
    const { sid, scope } = await verify(accessToken);
    const grant = await grants.findOpen(sid, 'usable');
    const account = grant?.accountId ? await accounts.find(grant.accountId) : undefined;
    if (!account?.isActive) throw invalid();
    const scopes = scope.split(' ');
    if (!scopes.includes('openid')) throw new OAuthError('insufficient_scope', 'Userinfo needs the scope openid.');
    return { sub: String(account.id), ...claimsOf(account, scopes) };
  };
}
