// The end of the cookie that lets a browser through to applications: the person has signed in or off on a page of this service.
import { AuthenticateResult, ExternalAuthenticateResult } from '../authentication/index.ts';
import { type Cookies, SESSION_COOKIE } from '../contract/cookies.ts';
import type { Call, Route } from '../contract/route.ts';
import { isObject } from '../foundation/object.ts';

/** Whether the answer of a call begins a session, or comes after a sign-off. */
function changesPerson({ path, result }: Route, answer: unknown): boolean {
  if (path === '/api/TokenAuth/SignOff') return true;
  const isSignIn = result === AuthenticateResult || result === ExternalAuthenticateResult;
  // A sign-in that waits for a second factor has no token yet.
  return isSignIn && isObject(answer) && answer.accessToken !== null;
}

/**
 * Makes a call delete the cookie of the browser's session when another person may sit there from now on. The session goes on: the cookie
 * authorizes nothing here. `Authorization/Continue` sets the next one.
 */
export const forgettingBrowserSession = (route: Route, cookies: Cookies): Route => ({
  ...route,
  async handle(call: Call<never, never>) {
    const answer = await route.handle(call);
    const hasCookie = cookies.read(call.header('cookie'), SESSION_COOKIE) !== undefined;
    if (hasCookie && changesPerson(route, answer)) {
      call.setCookie(cookies.write(SESSION_COOKIE, '', { maxAgeSeconds: 0 }));
    }
    return answer;
  },
});
