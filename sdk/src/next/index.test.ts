// The route handlers of Next.js applications. Nothing here calls Next.js, which the application brings.
import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { it } from 'node:test';

const nothing = 'export const [cookies, headers, redirect, NextResponse] = [];';
const hooks = registerHooks({
  resolve: (specifier, context, next) =>
    specifier.startsWith('next/')
      ? { url: `data:text/javascript,${encodeURIComponent(nothing)}`, shortCircuit: true }
      : next(specifier, context),
});
const loading = import('./index.ts').finally(() => hooks.deregister());

const APP = 'http://localhost:3000';

/** Comes back to the application without a sign-in that the browser has begun. @returns status and location of the answer. */
async function comeBack(path: string, more: { errorPage?: string } = {}) {
  const { createNextSessions } = await loading;
  const { handlers } = createNextSessions({
    baseUrl: 'http://localhost:8080',
    secret: 'a secret of at least thirty-two characters',
    application: { clientId: 'shop', clientSecret: 'secret', redirectUri: `${APP}/auth/callback` },
    ...more,
  });
  const { status, headers } = await handlers.GET(new Request(`${APP}${path}?code=code&state=state`));
  return [status, headers.get('location')];
}

it('the handlers of Next.js take a path with a slash at the end, as `trailingSlash` gives it', async () => {
  for (const path of ['/auth/callback', '/auth/callback/'])
    assert.deepEqual(await comeBack(path), [303, '/?error=request_expired'], path);
  for (const path of ['/auth/other', '/auth/', '/']) assert.deepEqual(await comeBack(path), [404, null], path);
});

it('the handlers of Next.js lead to the error page with the reason, whatever its address has', async () => {
  for (const [errorPage, location] of [
    ['/sign-in', '/sign-in?error=request_expired'],
    ['/help?topic=sign-in', '/help?topic=sign-in&error=request_expired'],
    ['/help?topic=sign-in#why', '/help?topic=sign-in&error=request_expired#why'],
  ] as const)
    assert.deepEqual(await comeBack('/auth/callback', { errorPage }), [303, location]);
});
