// The redirect address of providers that post their answers (OAuth 2.0 Form Post Response Mode).
import { acceptForms, readForm } from '../contract/forms.ts';
import type { Endpoints } from '../contract/route.ts';

/** The longest answer, in bytes. It goes on as an address, which proxies limit. */
const MAX_FORM_BYTES = 32 * 1024;

/** What a provider may post. */
const MEMBERS = ['code', 'state', 'iss', 'user', 'error'];

/**
 * Sends the posted answer to the page at the same address, in the fragment: browsers send that to no server. The page keeps
 * the request in its tab, which a page of another site cannot reach, and takes only the answer to that request.
 * @param basePath the path of the public URL.
 */
export const providerEndpoints =
  (basePath: string): Endpoints =>
  (app) => {
    app.register(async (scope) => {
      acceptForms(scope);
      scope.route({
        method: 'POST',
        url: '/login/external/*',
        config: { acceptsCrossSite: true },
        bodyLimit: MAX_FORM_BYTES,
        handler: async (request, reply) => {
          const posted = [...readForm(request)].filter(([name]) => MEMBERS.includes(name));
          const [path = ''] = request.url.split('?', 1);
          reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
          return reply.redirect(`${basePath}${path}#${new URLSearchParams(posted)}`, 303);
        },
      });
    });
  };
