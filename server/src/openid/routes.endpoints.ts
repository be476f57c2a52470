// The endpoints of OAuth and OpenID Connect, which answer by their standards.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Application } from '../applications/index.ts';
import { type Cookies, SESSION_COOKIE } from '../contract/cookies.ts';
import { acceptForms, readForm } from '../contract/forms.ts';
import type { Endpoints, RequestReader } from '../contract/route.ts';
import { requestErrors, serviceErrors } from '../foundation/errors.ts';
import { OAuthError, type Parameters, readParameters, refuseByStandard } from '../oauth/index.ts';
import { rateLimitErrors } from '../rate-limits/index.ts';
import { AUTHORIZATION_COOKIE, staleCookies } from './cookies.ts';
import type { OpenId } from './openid.ts';
import { formPostPage, type Page, type Reader, refusalPage } from './pages.ts';
import { REQUEST_SECONDS, readLocales } from './request.ts';
import { signOutAddress } from './sign-out-address.ts';

/** The largest form, in bytes. */
const MAX_FORM_BYTES = 64 * 1024;

/** What a person reads of a refusal that ends by itself, by status. */
const transient: ReadonlyMap<number, string> = new Map([
  [429, rateLimitErrors.exceeded.message],
  [503, serviceErrors.unavailable.message],
]);

type Answer = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/** @param deps.open returns what answers. It is loaded with the first application. `issuer`: the public URL. */
export function openIdEndpoints(deps: { open: () => Promise<OpenId>; cookies: Cookies; issuer: string }): Endpoints {
  const { open, cookies, issuer } = deps;
  return (app, reader) => {
    app.register(async (scope) => {
      acceptForms(scope);
      scope.addHook('onRequest', async (_request, reply) => {
        reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache', 'referrer-policy': 'no-referrer' });
      });
      addBrowserEndpoints(scope, reader);
      addApplicationEndpoints(scope, reader);
    });
  };

  /** Those that a browser comes to, also from a page of an application. */
  function addBrowserEndpoints(scope: FastifyInstance, reader: RequestReader) {
    const config = { errorFormat: 'oauth', acceptsCrossSite: true } as const;
    const route = (url: string, method: ('GET' | 'POST')[], answer: Answer) => {
      const handler: Answer = async (request, reply) => {
        if (isWithoutCookies(request)) return reply.redirect(`${issuer}${url}?${readForm(request)}`, 303);
        try {
          return await answer(request, reply);
        } catch (error) {
          const { UnknownApplication } = await open();
          if (!(error instanceof UnknownApplication) && !(error instanceof OAuthError)) throw error;
          const reason = error instanceof OAuthError ? error.description : error.message;
          return sendPage(reply.code(400), await refusalTo(request, reason));
        }
      };
      // A person sees a page also while the database is away, or over the limit. Status and `Retry-After` stay.
      const onSend = async (request: FastifyRequest, reply: FastifyReply, payload: unknown) => {
        const reason = transient.get(reply.statusCode);
        if (reason === undefined || !request.headers.accept?.includes('text/html')) return payload;
        const page = await refusalTo(request, reason);
        addHeaders(reply, page);
        return page.html;
      };
      scope.route({ method, url, config, bodyLimit: MAX_FORM_BYTES, exposeHeadRoute: false, handler, onSend });
      refuseOtherMethods(scope, url, method);
    };

    route('/oauth/authorize', ['GET', 'POST'], async (request, reply) => {
      const { authorizations, signInAddress } = await open();
      const { cookie } = request.headers;
      const browserSecret = cookies.read(cookie, SESSION_COOKIE);
      const next = await authorizations.begin(
        readGiven(request),
        browserSecret,
        reader.readOrigin(request),
        async () => {
          if (isHidden(request)) throw requestErrors.crossSite();
          await reader.countAuthorization(request);
        },
      );
      if (next.kind === 'answer') return reply.redirect(next.address, 303);
      for (const stale of staleCookies(cookies, cookie)) reply.header('set-cookie', stale);
      const name = `${AUTHORIZATION_COOKIE}${next.id}`;
      reply.header('set-cookie', cookies.write(name, next.secret, { maxAgeSeconds: REQUEST_SECONDS }));
      return reply.redirect(signInAddress(next), 303);
    });

    route('/oauth/answer', ['GET'], async (request, reply) => {
      const { answers, randomNonce, UnknownApplication } = await open();
      const posted = answers.readPosted(readGiven(request).get('answer') ?? '');
      if (!posted) throw new UnknownApplication('The answer to this sign-in has expired.');
      return sendPage(reply, formPostPage(posted, randomNonce(), readerOf(request, posted.uiLocales)));
    });

    route('/oauth/end-session', ['GET', 'POST'], async (request, reply) => {
      const { endSession } = await open();
      const browserSecret = cookies.read(request.headers.cookie, SESSION_COOKIE);
      const parameters = readParameters(readGiven(request));
      const step = await endSession.begin(parameters, browserSecret, reader.readOrigin(request));
      if (step.kind === 'done') reply.header('set-cookie', cookies.write(SESSION_COOKIE, '', { maxAgeSeconds: 0 }));
      return reply.redirect(signOutAddress(step, issuer), 303);
    });
  }

  /** Those that applications call. */
  function addApplicationEndpoints(scope: FastifyInstance, reader: RequestReader) {
    const config = { errorFormat: 'oauth' } as const;

    /** Adds a call that an application makes after it has proven who it is. */
    const addForApplications = (
      url: string,
      answer: (
        openId: OpenId,
        given: Awaited<ReturnType<OpenId['authenticate']>> & { parameters: Parameters },
        request: FastifyRequest,
        reply: FastifyReply,
      ) => Promise<unknown>,
    ) => {
      scope.post(url, { config, bodyLimit: MAX_FORM_BYTES }, async (request, reply) =>
        refuseByStandard(reply, async () => {
          const openId = await open();
          const parameters = readParameters(readForm(request));
          const { authorization } = request.headers;
          const caller = await openId.authenticate(authorization, parameters, reader.readBudgetKey(request));
          return answer(openId, { ...caller, parameters }, request, reply);
        }),
      );
      refuseOtherMethods(scope, url);
    };

    /** Counts what is stored for an application that has proven nothing. */
    const count = async ({ authentication }: Application, request: FastifyRequest) => {
      if (authentication === 'none') await reader.countAuthorization(request);
    };

    addForApplications('/oauth/token', async ({ exchange }, { parameters, ...caller }, request) =>
      exchange(caller, parameters, reader.readOrigin(request)),
    );
    addForApplications('/oauth/par', async ({ authorizations }, { application, parameters }, request, reply) => {
      await count(application, request);
      const { requestUri, expiresIn } = await authorizations.push(application, parameters);
      return reply.code(201).send({ request_uri: requestUri, expires_in: expiresIn });
    });
    addForApplications('/oauth/device-authorization', async ({ devices }, { application, parameters }, request) => {
      await count(application, request);
      return devices.begin(application, parameters, reader.readOrigin(request));
    });

    scope.route({
      method: ['GET', 'POST'],
      url: '/oauth/userinfo',
      config,
      exposeHeadRoute: false,
      bodyLimit: MAX_FORM_BYTES,
      handler: async (request, reply) =>
        refuseByStandard(reply, async () => {
          const token = reader.readToken(request);
          // A request without a token gets a challenge without an error (RFC 6750, 3.1).
          if (token === undefined) return reply.code(401).header('www-authenticate', 'Bearer realm="Latchkey"').send();
          return (await open()).readUserinfo(token);
        }),
    });
    refuseOtherMethods(scope, '/oauth/userinfo', ['GET', 'POST']);
  }

  async function refusalTo(request: FastifyRequest, reason: string): Promise<Page> {
    const { randomNonce } = await open();
    const uiLocales = readLocales(readGiven(request).get('ui_locales') ?? '');
    const asked = request.routeOptions.url === '/oauth/end-session' ? 'signOut' : 'signIn';
    return refusalPage(asked, reason, randomNonce(), readerOf(request, uiLocales));
  }

  /** Sends a page under the policy that it needs. */
  function sendPage(reply: FastifyReply, page: Page) {
    return addHeaders(reply, page).send(page.html);
  }

  function addHeaders(reply: FastifyReply, { policy }: Page) {
    return reply.header('content-security-policy', policy).type('text/html; charset=utf-8');
  }
}

/**
 * Whether a page of another site has posted the request: browsers keep the cookies back then (`SameSite=Lax`), and send them with the
 * GET that they are redirected to.
 */
const isWithoutCookies = ({ method, headers }: FastifyRequest) =>
  method === 'POST' && headers['sec-fetch-site'] === 'cross-site';

/**
 * Whether a page of another site makes the request for a picture or frame. Browsers keep no cookie of its answer, so no person can go on
 * with it, and it must not use up the budget of the address.
 */
const isHidden = ({ headers }: FastifyRequest) =>
  headers['sec-fetch-site'] === 'cross-site' &&
  ![undefined, 'document'].includes(headers['sec-fetch-dest']?.toString());

const readerOf = ({ headers }: FastifyRequest, uiLocales: readonly string[]): Reader => ({
  uiLocales,
  acceptLanguage: headers['accept-language'],
});

/** Returns the parameters of the query, or of the form of a POST. */
const readGiven = (request: FastifyRequest): URLSearchParams => {
  if (request.method === 'POST') return readForm(request);
  const start = request.url.indexOf('?');
  return new URLSearchParams(start < 0 ? '' : request.url.slice(start + 1));
};

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** @param allowed not GET where its query would carry secrets into logs. */
function refuseOtherMethods(scope: FastifyInstance, url: string, allowed: readonly string[] = ['POST']) {
  scope.route({
    method: METHODS.filter((method) => !allowed.includes(method)),
    url,
    exposeHeadRoute: false,
    config: { errorFormat: 'oauth' },
    // Before the body, which need not be a form.
    onRequest: async (_request, reply) => {
      const error = { error: 'invalid_request', error_description: `Send a ${allowed.join(' or ')}.` };
      return reply.code(405).header('allow', allowed.join(', ')).send(error);
    },
    handler: async () => undefined,
  });
}
