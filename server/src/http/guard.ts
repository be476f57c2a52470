// The guard: reads the token of a request, and authorizes its caller for the route.
import type { Authorization } from '../authorization/index.ts';
import type { Route } from '../contract/route.ts';
import type { Permitted, SignedIn } from '../foundation/authority.ts';
import type { AuthError } from '../foundation/errors.ts';
import type { ServiceKeys } from '../service-keys/index.ts';

export interface Guard {
  /**
   * Returns the caller if the route accepts it, and `undefined` for `public` and `bearer`. A route with a permission also
   * accepts service keys that manage with it, and so does `own or Pages.Users`.
   * @throws AuthError with status 401 or 403.
   */
  authorize(
    route: Pick<Route, 'access' | 'whileRestricted'>,
    token: string | undefined,
  ): Promise<SignedIn | Permitted | undefined>;
}

export function createGuard(deps: {
  authorization: Authorization;
  serviceKeys: Pick<ServiceKeys, 'findManager'>;
  missingToken: () => AuthError;
}): Guard {
  const { authorization, serviceKeys, missingToken } = deps;
  return {
    async authorize({ access, whileRestricted }, token) {
      if (access === 'public') return undefined;
      if (token === undefined) throw missingToken();
      if (access === 'bearer') return undefined;
      if (access === 'token') return authorization.authorize(token, { whileRestricted });
      if (access === 'own or Pages.Users') {
        const manager = await serviceKeys.findManager(token, 'Pages.Users');
        return manager ?? authorization.authorize(token, { whileRestricted });
      }
      const manager = await serviceKeys.findManager(token, access);
      return manager ?? authorization.permit(token, access, { whileRestricted });
    },
  };
}

/**
 * Returns the service key of an `Authorization` header: `Bearer KEY`, or `Basic` with the user name `service` (RFC 7617).
 */
export function readServiceKey(header: string | undefined): string | undefined {
  const [, encoded] = /^basic +([\w+/]+=*) *$/i.exec(header ?? '') ?? [];
  if (encoded === undefined) return readBearerToken(header);
  const [name, ...key] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  return name === 'service' ? key.join(':') : undefined;
}

/** Returns the token of an `Authorization: Bearer` header (RFC 6750, 2.1). Tokens in other places are ignored. */
export function readBearerToken(header: string | undefined): string | undefined {
  return /^bearer +(\S+) *$/i.exec(header ?? '')?.[1];
}
