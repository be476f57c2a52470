// What introspection answers (RFC 7662, 2.2).
import type { Account } from '../accounts/index.ts';
import { toNumericDate } from '../foundation/clock.ts';
import type { Grant } from '../grants/index.ts';
import { type ActiveToken, levelOf } from './active-tokens.ts';
import { type ActiveApplicationToken, disclosedBy } from './application-tokens.ts';

/** Returns the answer about a token. It says nothing of why a token is not active. */
export function toIntrospection(active: ActiveToken | undefined) {
  if (!active) return { active: false };
  const { claims, account } = active;
  const { sub, sid, jti, iss, aud, iat, exp, auth_time, amr, client_id } = claims;
  return {
    active: true,
    sub,
    sid,
    jti,
    iss,
    aud,
    iat,
    exp,
    auth_time,
    amr,
    acr: levelOf(claims),
    client_id,
    username: account.userName,
    scope: '',
    roles: account.roleNames,
  };
}

/** Returns the answer about an access token of an application, with what its scopes tell of the account as it is now. */
export function toApplicationIntrospection({ claims, account }: ActiveApplicationToken) {
  const { sub, sid, jti, iss, aud, iat, nbf, exp, auth_time, amr, acr, client_id, scope } = claims;
  const about = { sub, sid, jti, iss, aud, iat, nbf, exp, auth_time, amr, acr, client_id, scope };
  return { active: true, token_type: 'Bearer', ...about, ...membersOf(account, scope.split(' ')) };
}

/** Returns the answer about a refresh token. It has no audience: no other service may accept it. */
export function toRefreshIntrospection(
  { grant, account }: { grant: Grant; account: Account },
  { clientId, issuer }: { clientId: string; issuer: string },
) {
  return {
    active: true,
    sub: String(account.id),
    sid: grant.id,
    iss: issuer,
    iat: toNumericDate(grant.refreshedAt ?? grant.redeemedAt ?? grant.createdAt),
    exp: toNumericDate(grant.expiresAt),
    client_id: clientId,
    scope: grant.scopes.join(' '),
    ...membersOf(account, grant.scopes),
  };
}

function membersOf(account: Account | null, scopes: readonly string[]) {
  if (!account) return {};
  const { profile, roles } = disclosedBy(scopes, account);
  return { ...(profile && { username: profile.userName }), ...(roles && { roles: roles.roleNames }) };
}
