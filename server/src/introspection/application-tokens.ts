// Tokens of applications that are valid now: their grant is open, and the account behind it is active.
import type { Account, AccountStore } from '../accounts/index.ts';
import type { Application } from '../applications/index.ts';
import { unlessRefused } from '../foundation/errors.ts';
import type { Origin } from '../foundation/events.ts';
import type { Grant, Grants } from '../grants/index.ts';
import type { Database } from '../storage/database.ts';
import { type ApplicationClaims, type ApplicationTokens, tokenErrors } from '../tokens/index.ts';

/** A valid access token, whose session is not restricted. `account` is null if the application acts for itself. */
export type ActiveApplicationToken = { readonly claims: ApplicationClaims; readonly account: Account | null };

/** Returns the account for each scope that discloses something of it: what the token's scopes do not allow has no account. */
export function disclosedBy(scopes: readonly string[], account: Account) {
  const by = (scope: string) => (scopes.includes(scope) ? account : undefined);
  return { profile: by('profile'), email: by('email'), roles: by('roles') };
}

export interface ActiveApplicationTokens {
  /** Returns what is behind a valid access token. @throws AuthError `token.invalid`, `token.expired`, `token.revoked`. */
  require(token: string): Promise<ActiveApplicationToken>;
  /** Returns the same, or `undefined` for a token that is refused. */
  find(token: string): Promise<ActiveApplicationToken | undefined>;
  /** Returns the open grant of a usable refresh token, and the account. The token endpoint also checks the application. */
  findRefreshable(token: string): Promise<{ grant: Grant; account: Account } | undefined>;
  /** Returns the open grant that has given this access or refresh token. */
  findGrant(token: string): Promise<Grant | undefined>;
  /** Ends a grant, and records that its application did. */
  end(grant: Grant, application: Application, origin: Origin): Promise<void>;
}

export function createActiveApplicationTokens(deps: {
  database: Database;
  accounts: AccountStore;
  applicationTokens: ApplicationTokens;
  grants: Grants;
}): ActiveApplicationTokens {
  const { database, accounts, applicationTokens, grants } = deps;

  async function requireActive(token: string): Promise<ActiveApplicationToken> {
    const claims = await applicationTokens.verify(token);
    const grant = await grants.findOpen(claims.sid, 'usable');
    if (!grant) throw tokenErrors.revoked();
    if (grant.accountId === null) return { claims, account: null };
    const account = await accounts.find(grant.accountId);
    if (!account?.isActive) throw tokenErrors.revoked();
    return { claims, account };
  }

  return {
    require: requireActive,
    find: (token) => unlessRefused(() => requireActive(token)),
    async findRefreshable(token) {
      const grant = await grants.findByRefreshToken(token, 'usable');
      const account = grant?.accountId ? await accounts.find(grant.accountId) : undefined;
      return grant && account?.isActive ? { grant, account } : undefined;
    },
    async findGrant(token) {
      const ofRefreshToken = await grants.findByRefreshToken(token);
      if (ofRefreshToken) return ofRefreshToken;
      const claims = await unlessRefused(() => applicationTokens.verify(token));
      return claims && grants.findOpen(claims.sid);
    },
    end: (grant, application, origin) =>
      database.transaction((tx) =>
        grants.endByRequest(tx, grant, application, { ...origin, frontEnd: application.frontEnd }),
      ),
  };
}
