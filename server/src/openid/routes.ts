// The calls with which the pages of this service let people sign in to applications.
import { type Static, Type } from 'typebox';
import { type Cookies, SESSION_COOKIE } from '../contract/cookies.ts';
import { defineRoute, type Route } from '../contract/route.ts';
import { Items, NamedObject, Nullable, Text, Uuid } from '../contract/schemas.ts';
import { type Clock, secondsUntil, toIsoString } from '../foundation/clock.ts';
import { requestErrors } from '../foundation/errors.ts';
import type { Decision, RateLimits } from '../rate-limits/index.ts';
import { rateLimitErrors } from '../rate-limits/index.ts';
import { AUTHORIZATION_COOKIE } from './cookies.ts';
import { deviceErrors } from './declarations.ts';
import type { OpenId } from './openid.ts';
import { MAX_QUESTION, REQUEST_SECONDS } from './request.ts';
import { signOutAddress } from './sign-out-address.ts';

const ApplicationName = NamedObject('ApplicationName', { name: Type.String() });

const AuthorizationDto = NamedObject('AuthorizationDto', {
  application: ApplicationName,
  frontEnd: Type.String(),
  loginHint: Nullable(Type.String()),
  prompt: Type.Array(Type.String()),
  acrValues: Type.Enum(['aal1', 'aal2']),
});

const ConsentDto = NamedObject('ConsentDto', {
  id: Type.String(),
  application: ApplicationName,
  scopes: Type.Array(Type.String()),
  at: Type.String({ format: 'date-time' }),
});

const ContinueResult = NamedObject('ContinueResult', {
  redirectTo: Type.Optional(
    Nullable(Type.String({ description: 'Where the browser goes next. Null: a device goes on by itself.' })),
  ),
  consentNeeded: Type.Optional(
    NamedObject('ConsentNeeded', { application: ApplicationName, scopes: Type.Array(Type.String()) }),
  ),
});

export type OpenIdRouteDeps = {
  readonly open: () => Promise<OpenId>;
  readonly cookies: Cookies;
  readonly rateLimits: RateLimits;
  readonly issuer: string;
  readonly clock: Clock;
};

export function openIdRoutes(deps: OpenIdRouteDeps): Route[] {
  return [...authorizationRoutes(deps), ...deviceRoutes(deps), ...consentRoutes(deps)];
}

function authorizationRoutes({ open, cookies, issuer, clock }: OpenIdRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/services/app/Authorization/Get',
      summary: 'What an application asks for, for the sign-in page. It needs the cookie that came with the request.',
      access: 'public',
      query: Type.Object({ authorization: Uuid }),
      result: AuthorizationDto,
      async handle({ input: { authorization: id }, header }) {
        const { authorizations } = await open();
        const secret = cookies.read(header('cookie'), `${AUTHORIZATION_COOKIE}${id}`);
        const { application, request } = await authorizations.find(id, secret);
        const { loginHint, prompts, level } = request;
        const { name, frontEnd } = application;
        return { application: { name }, frontEnd, loginHint, prompt: [...prompts], acrValues: level };
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/services/app/Authorization/Continue',
      summary:
        'Answer an application for the signed-in caller. The answer says where the browser goes, or what the caller would share. It needs the cookie that came with the request.',
      access: 'token',
      refusals: [403],
      body: Type.Object({
        authorization: Uuid,
        consent: Type.Optional(
          Type.Boolean({
            description: 'Whether the caller shares the data that were named. False refuses the application.',
          }),
        ),
        userId: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: Number.MAX_SAFE_INTEGER,
            description:
              'The account that the page named when it asked. If another one is signed in by now, it is asked in turn.',
          }),
        ),
        staySignedIn: Type.Optional(
          Type.Boolean({
            description:
              'Whether this browser may sign in to applications until the session ends. By default until it closes.',
          }),
        ),
      }),
      result: ContinueResult,
      async handle({ input, caller, origin, header, setCookie }): Promise<Static<typeof ContinueResult>> {
        const { authorizations } = await open();
        const { authorization: id, consent, userId: shownTo, staySignedIn = false } = input;
        const name = `${AUTHORIZATION_COOKIE}${id}`;
        const secret = cookies.read(header('cookie'), name);
        const outcome = await authorizations.proceed(caller, { id, secret, consent, shownTo }, origin);
        if ('consentNeeded' in outcome) {
          const { application, scopes } = outcome.consentNeeded;
          return { consentNeeded: { application: { name: application }, scopes: [...scopes] } };
        }
        const { redirectTo, browserSecret, expiresAt } = outcome;
        setCookie(cookies.write(name, '', { maxAgeSeconds: 0 }));
        if (browserSecret !== null && expiresAt !== null) {
          const maxAgeSeconds = staySignedIn ? secondsUntil(expiresAt, clock.now()) : undefined;
          setCookie(cookies.write(SESSION_COOKIE, browserSecret, { maxAgeSeconds }));
        }
        return { redirectTo };
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/services/app/Authorization/EndSession',
      summary: 'Sign out the person of this browser, who was asked by the page to which an application has led.',
      access: 'public',
      body: Type.Object({ question: Text({ minLength: 1, maxLength: MAX_QUESTION }) }),
      result: NamedObject('EndedSession', { redirectTo: Type.String() }),
      async handle({ input: { question }, origin, header, setCookie }) {
        const { endSession } = await open();
        const browserSecret = cookies.read(header('cookie'), SESSION_COOKIE);
        const step = await endSession.confirm(question, browserSecret, origin);
        setCookie(cookies.write(SESSION_COOKIE, '', { maxAgeSeconds: 0 }));
        return { redirectTo: signOutAddress(step, issuer) };
      },
    }),
  ];
}

function requireAllowed({ allowed, retryAfterSeconds }: Decision): void {
  if (!allowed) throw rateLimitErrors.exceeded({ retryAfterSeconds });
}

function deviceRoutes({ open, cookies, rateLimits, clock }: OpenIdRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/services/app/Device/Get',
      summary: 'The device that waits with a code. Ten wrong codes a minute and address.',
      access: 'public',
      query: Type.Object({ userCode: Text({ minLength: 1, maxLength: 40 }) }),
      result: NamedObject('WaitingDevice', {
        authorization: Type.String(),
        application: ApplicationName,
        ipAddress: Nullable(Type.String({ description: 'Where the device asked from.' })),
      }),
      async handle({ input: { userCode }, budgetKey, siteKey, header, setCookie }) {
        // A page of another site could use up the tries of its visitors.
        if (header('sec-fetch-site') === 'cross-site') throw requestErrors.crossSite();
        // A right code stores a request, as the beginning of a sign-in to an application does. First: a code that is refused here is no guess.
        requireAllowed(await rateLimits.take('authorization', budgetKey, siteKey));
        // Counted before it is looked at, so that parallel guesses are not more.
        requireAllowed(await rateLimits.countFailure('userCode', budgetKey, siteKey));
        const countedAt = clock.now();
        const { devices } = await open();
        const found = await devices.find(userCode);
        if (!found) throw deviceErrors.notFound();
        await rateLimits.takeBack('userCode', budgetKey, siteKey, countedAt);
        const { id, secret, application, ipAddress } = found;
        setCookie(cookies.write(`${AUTHORIZATION_COOKIE}${id}`, secret, { maxAgeSeconds: REQUEST_SECONDS }));
        return { authorization: id, application: { name: application }, ipAddress };
      },
    }),
  ];
}

function consentRoutes({ open }: OpenIdRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/services/app/Consent/GetAll',
      summary: 'What the caller shares with applications that ask first, newest first.',
      access: 'token',
      result: Items(ConsentDto),
      async handle({ caller }) {
        const { consents } = await open();
        const all = await consents.list(caller.accountId);
        const items = all.map(({ id, application, scopes, at }) => ({
          id,
          application: { name: application },
          scopes: [...scopes],
          at: toIsoString(at),
        }));
        return { items };
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/services/app/Consent/Withdraw',
      summary: 'Stop sharing with an application. What it was given ends at once.',
      access: 'token',
      body: Type.Object({ id: Uuid }),
      result: Type.Boolean(),
      async handle({ input: { id }, caller, origin }) {
        const { consents } = await open();
        await consents.withdraw(caller, id.toLowerCase(), origin);
        return true;
      },
    }),
  ];
}
