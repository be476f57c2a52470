// Sessions of Next.js applications with the App Router: the proxy refreshes tokens, pages and actions read who is signed in.
import { cookies, headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { NextResponse } from 'next/server';
import { createError } from '../call.ts';
import type { Challenge } from '../challenge.ts';
import { toUrl } from '../session/adapters.ts';
import {
  type Credentials,
  type Parts,
  SessionRefused,
  type SessionRequest,
  type Sessions,
  type SessionsOptions,
  type SignedIn,
  type SignInOptions,
  SignOutFailed,
} from '../session/interface.ts';
import { createSessions } from '../session/sessions.ts';

export type { Challenge } from '../challenge.ts';
export {
  SessionRefused,
  type SessionsOptions,
  type SignedIn,
  type SignInOptions,
  SignOutFailed,
  type User,
} from '../session/interface.ts';

export type NextSessionsOptions = SessionsOptions & {
  /** The page that shows why a sign-in was refused, in its parameter `error`. Default: `/`. */
  readonly errorPage?: string;
};

/** The proxy tells pages by this header that a token has expired and could not be refreshed. */
const UNKNOWN = 'x-latchkey-unknown';

type Handler = (request: Request) => Promise<Response>;

export interface NextSessions {
  /** For `proxy.ts`: refreshes the token before pages render, because they cannot set cookies. */
  proxy(request: Request): Promise<Response>;
  /** For pages, actions and route handlers: who is signed in. @throws LatchkeyError, TokenRejected if nobody can tell now. */
  auth(): Promise<Omit<SignedIn, 'headers'> | null>;
  /**
   * For server actions: leads to the pages of the service, or with credentials signs in and leads to `/`. It returns only if the account
   * has a second factor: the challenge, which `{ call: 'TokenAuth/VerifySecondFactor', input }` completes.
   */
  signIn(options?: SignInOptions | Credentials): Promise<Challenge>;
  /** For server actions: ends the session everywhere, and leads on. It does not return. */
  signOut(): Promise<never>;
  /** For `app/auth/[action]/route.ts`: GET `sign-in?returnTo=` and `callback`, POST `sign-out`. */
  readonly handlers: { readonly GET: Handler; readonly POST: Handler };
}

/**
 * Creates the sessions of an application. The options are looked at by the first request: a build has no secrets. It then
 * throws a TypeError if one is wrong.
 */
export function createNextSessions({ errorPage = '/', ...options }: NextSessionsOptions): NextSessions {
  let created: Sessions | undefined;
  const open = (): Sessions => {
    created ??= createSessions(options);
    return created;
  };

  /** Returns what an action knows of its request. */
  const readRequest = async () => toSessionRequest(await headers(), '/');

  async function signOutParts(request: SessionRequest): Promise<Parts> {
    // The cookie is gone then, too. The application cannot tell the service later.
    return open()
      .signOut(request)
      .catch((error) => {
        if (error instanceof SignOutFailed) return error.parts;
        throw error;
      });
  }

  const handlers: Readonly<Record<string, Handler>> = {
    'GET sign-in': async (request) => {
      const returnTo = new URL(request.url).searchParams.get('returnTo') ?? '/';
      return toResponse(await open().signIn(asBrowsersSee(request), { returnTo }));
    },
    'GET callback': async (request) => toResponse(await open().callback(asBrowsersSee(request))),
    'POST sign-out': async (request) => toResponse(await signOutParts(asBrowsersSee(request))),
  };

  const handle: Handler = async (request) => {
    // Next.js with `trailingSlash` ends each path with a slash.
    const action = new URL(request.url).pathname.replace(/\/$/, '').split('/').at(-1);
    const handler = handlers[`${request.method} ${action}`];
    if (!handler) return new Response(null, { status: 404 });
    return handler(request).catch((error) => {
      if (!(error instanceof SessionRefused)) throw error;
      if (error.status === 403) return new Response(error.message, { status: 403 });
      return redirectTo(withReason(errorPage, error.reason), new Headers());
    });
  };

  return {
    async proxy(request) {
      const forwarded = new Headers(request.headers);
      forwarded.delete(UNKNOWN);
      const renewed = await open()
        .renew(asBrowsersSee(request))
        .catch(() => {
          // Pages that call `auth` tell what is wrong; those for everybody work on.
          forwarded.set(UNKNOWN, '1');
          return new Headers();
        });
      forwarded.set('cookie', withCookies(forwarded.get('cookie') ?? '', renewed));
      const response = NextResponse.next({ request: { headers: forwarded } });
      for (const [name, value] of renewed) response.headers.append(name, value);
      return response;
    },
    async auth() {
      // First: this tells a build that the page is rendered for each request.
      const request = await readRequest();
      const signedIn = await open().auth(request, { canSetCookies: false });
      if (!signedIn && request.headers.has(UNKNOWN)) {
        throw createError('The token has expired, and the service cannot be reached. Try again later.', {});
      }
      return signedIn && { user: signedIn.user, token: signedIn.token };
    },
    async signIn(given = {}) {
      const request = await readRequest();
      const parts = await open().signIn(request, given);
      return parts.challenge ?? goOn(parts);
    },
    signOut: async () => goOn(await signOutParts(await readRequest())),
    handlers: { GET: handle, POST: handle },
  };
}

/** Returns a request with the address that the browser has asked for, of which Next.js tells everywhere by these headers. */
function toSessionRequest(given: Headers, path: string): SessionRequest {
  const isSecure = given.get('x-forwarded-proto')?.startsWith('https');
  return { url: toUrl(isSecure ? 'https' : 'http', given, path), headers: given };
}

/** The URL of a request names the host and port of the process: behind a proxy, not those that the browser has asked for. */
function asBrowsersSee({ url, headers: given }: Request): SessionRequest {
  const { pathname, search } = new URL(url);
  return toSessionRequest(given, pathname + search);
}

/** Returns the address of a page with the parameter `error`, before its fragment. */
function withReason(page: string, reason: string): string {
  const [, address = '', fragment = ''] = /^([^#]*)(.*)$/.exec(page) ?? [];
  return `${address}${address.includes('?') ? '&' : '?'}${new URLSearchParams({ error: reason })}${fragment}`;
}

function redirectTo(location: string, given: Headers): Response {
  given.set('location', location);
  return new Response(null, { status: 303, headers: given });
}

const toResponse = (parts: Parts) =>
  parts.headers.has('location') ? new Response(null, parts) : redirectTo('/', parts.headers);

/** Sets the cookies, and leads where the parts lead. */
async function goOn({ headers: given }: Parts): Promise<never> {
  const jar = await cookies();
  for (const { name, value, isSecure, maxAge } of readSetCookies(given)) {
    const lifetime = maxAge === undefined ? {} : { maxAge };
    jar.set(name, value, { path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure, ...lifetime });
  }
  return redirect(given.get('location') ?? '/');
}

type SetCookie = {
  readonly name: string;
  readonly value: string;
  readonly isSecure: boolean;
  readonly maxAge: number | undefined;
};

/** Reads the cookies that sessions have written. */
function readSetCookies(given: Headers): SetCookie[] {
  return given.getSetCookie().map((line) => {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    const [, age] = /; Max-Age=(\d+)/.exec(line) ?? [];
    return { name, value, isSecure: line.includes('; Secure'), maxAge: age === undefined ? undefined : Number(age) };
  });
}

/** Returns a header `Cookie` with the cookies that a response sets. */
function withCookies(cookie: string, renewed: Headers): string {
  const set = readSetCookies(renewed);
  const names = new Set(set.map(({ name }) => name));
  const kept = cookie.split('; ').filter((pair) => pair !== '' && !names.has(pair.split('=')[0] ?? ''));
  const added = set.filter(({ maxAge }) => maxAge !== 0).map(({ name, value }) => `${name}=${value}`);
  return [...kept, ...added].join('; ');
}
