// The slice of introspection, revocation and forward-auth.
import type { ServiceKeys } from '../service-keys/index.ts';
import type { Capabilities, Slice } from '../slice.ts';
import { createActiveTokens } from './active-tokens.ts';
import { forwardAuthErrors } from './declarations.ts';
import { forwardAuthEndpoints } from './routes.forward-auth.ts';
import { introspectionEndpoints } from './routes.ts';

type Needs = Capabilities & { serviceKeys: ServiceKeys };

export const introspectionSlice = {
  declarations: { errors: [forwardAuthErrors] },
  create(capabilities: Needs) {
    const { serviceKeys, signOff, roles } = capabilities;
    const activeTokens = createActiveTokens(capabilities);
    const addIntrospection = introspectionEndpoints({
      activeTokens,
      authenticate: (key) => serviceKeys.authenticate(key, 'introspect'),
      signOff,
    });
    const addForwardAuth = forwardAuthEndpoints({ activeTokens, roles });
    return {
      endpoints(app, reader) {
        addIntrospection(app, reader);
        addForwardAuth(app, reader);
      },
    };
  },
} satisfies Slice<Needs>;
