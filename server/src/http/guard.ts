// The guard: who calls, and whether they may; every route's access is decided here and nowhere else.
import { type AuthError, permissionErrors } from '../foundation/errors.ts';
import type { Actor } from '../foundation/events.ts';
import type { Access, Permitted, Route, SignedIn } from './contract.ts';

/** What the guard asks of the service; `compose.ts` hands it in. */
export type GuardDeps = {
  /** The caller behind a token that is valid now. Ends in `token.invalid`, `token.expired`, `token.revoked`. */
  checkToken: (token: string) => Promise<SignedIn & { mustChangePassword: boolean }>;
  /** Name, roles and permissions as they are now: a token's own may be out of date. */
  findPermissions: (
    accountId: number,
  ) => Promise<{ actor: Actor; roleNames: readonly string[]; permissions: readonly string[] } | undefined>;
  missingToken: () => AuthError;
  revokedToken: () => AuthError;
  passwordChangeRequired: () => AuthError;
};

export interface Guard {
  /** The caller, if the route lets them in. Ends in a 401 or 403. */
  admit(
    route: Pick<Route, 'access' | 'whilePasswordChangeRequired'>,
    token: string | undefined,
  ): Promise<SignedIn | Permitted | undefined>;
}

export function createGuard(deps: GuardDeps): Guard {
  async function requirePermission(caller: SignedIn, permission: Access): Promise<Permitted> {
    const found = await deps.findPermissions(caller.accountId);
    if (!found) throw deps.revokedToken();
    if (!found.permissions.includes(permission)) throw permissionErrors.denied();
    return { ...caller, actor: found.actor, roleNames: found.roleNames };
  }
  return {
    async admit({ access, whilePasswordChangeRequired }, token) {
      if (access === 'public') return undefined;
      if (token === undefined) throw deps.missingToken();
      if (access === 'bearer') return undefined;
      const caller = await deps.checkToken(token);
      if (caller.mustChangePassword && !whilePasswordChangeRequired) throw deps.passwordChangeRequired();
      return access === 'token' ? caller : requirePermission(caller, access);
    },
  };
}

/** The token of an `Authorization: Bearer` header (RFC 6750, 2.1); no other place is looked at. */
export function readBearerToken(header: string | undefined): string | undefined {
  return /^bearer +(\S+) *$/i.exec(header ?? '')?.[1];
}
