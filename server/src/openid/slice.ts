// Signing in to applications, as a slice of the service.
import { createCookies } from '../contract/cookies.ts';
import { inRounds } from '../foundation/batch.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Grants } from '../grants/index.ts';
import type { ClientAuthentication } from '../oauth/index.ts';
import type { RateLimits } from '../rate-limits/index.ts';
import type { SignOuts } from '../sign-outs/index.ts';
import type { Capabilities, Slice } from '../slice.ts';
import type { ApplicationTokens, IdTokens, Revocations } from '../tokens/index.ts';
import { createBrowserSessions } from './browser-sessions.ts';
import { authorizationActions, authorizationErrors, consentErrors, deviceErrors } from './declarations.ts';
import type { OpenId } from './openid.ts';
import { openIdEndpoints } from './routes.endpoints.ts';
import { openIdRoutes } from './routes.ts';
import { createOpenIdStore } from './store.sql.ts';

/** The most requests, and devices, that wait for their persons: strangers can make them. */
const MOST_WAITING = 50_000;

type Needs = Capabilities & {
  revocations: Revocations;
  rateLimits: RateLimits;
  grants: Grants;
  signOuts: SignOuts;
  applicationTokens: ApplicationTokens;
  idTokens: IdTokens;
  clientAuthentication: ClientAuthentication;
  clock: Clock;
};

export const openIdSlice = {
  declarations: {
    errors: [authorizationErrors, consentErrors, deviceErrors],
    actions: [authorizationActions],
  },
  create(capabilities: Needs) {
    const { database, issuer, clock, applications, idTokens } = capabilities;
    const store = createOpenIdStore(database);
    const browserSessions = createBrowserSessions({ ...capabilities, store });
    const cookies = createCookies(issuer);
    applications.whenEnding(async (tx, { id }, what) => {
      if (what === 'deleted') await store.removeConsents(tx.sql, id);
    });
    let opened: Promise<OpenId> | undefined;
    const open = () => {
      opened ??= import('./openid.ts').then(({ createOpenId }) =>
        createOpenId({ ...capabilities, store, browserSessions }),
      );
      return opened;
    };
    return {
      routes: openIdRoutes({ ...capabilities, open, cookies }),
      endpoints: openIdEndpoints({ open, cookies, issuer }),
      jobs: [
        async () => {
          if (applications.isUsed()) await idTokens.ensureKeys();
          // What strangers and people typed is deleted also after the last application.
          await inRounds((most) => store.deleteOld(clock.now(), MOST_WAITING, most));
        },
      ],
    };
  },
} satisfies Slice<Needs>;
