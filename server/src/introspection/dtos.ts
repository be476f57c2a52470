// What introspection answers (RFC 7662, 2.2).
import { type ActiveToken, levelOf } from './active-tokens.ts';

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
