// The slice of introspection, revocation and forward-auth.
import type { Grants } from '../grants/index.ts';
import type { ClientAuthentication } from '../oauth/index.ts';
import type { ServiceKeys } from '../service-keys/index.ts';
import type { Capabilities, Slice } from '../slice.ts';
import type { ApplicationTokens } from '../tokens/index.ts';
import { createActiveTokens } from './active-tokens.ts';
import { createActiveApplicationTokens } from './application-tokens.ts';
import { forwardAuthErrors } from './declarations.ts';
import { forwardAuthEndpoints } from './routes.forward-auth.ts';
import { introspectionEndpoints } from './routes.ts';

type Needs = Capabilities & {
  serviceKeys: ServiceKeys;
  grants: Grants;
  applicationTokens: ApplicationTokens;
  clientAuthentication: ClientAuthentication;
};

export const introspectionSlice = {
  declarations: { errors: [forwardAuthErrors] },
  create(capabilities: Needs) {
    const { serviceKeys, sessions, signOff, roles, applications, clientAuthentication, issuer } = capabilities;
    const activeTokens = createActiveTokens(capabilities);
    const applicationTokens = createActiveApplicationTokens(capabilities);
    const addIntrospection = introspectionEndpoints({
      activeTokens,
      applicationTokens,
      isUsed: applications.isUsed,
      clientAuthentication,
      issuer,
      authenticate: (key) => serviceKeys.authenticate(key, 'introspect'),
      sessions,
      signOff,
    });
    const addForwardAuth = forwardAuthEndpoints({ activeTokens, applicationTokens, roles });
    return {
      endpoints(app, reader) {
        addIntrospection(app, reader);
        addForwardAuth(app, reader);
      },
    };
  },
} satisfies Slice<Needs>;
