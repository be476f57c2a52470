// Applications of the service: registered as an administrator does, with grants by the code flow over HTTP.
import { createHash, randomBytes } from 'node:crypto';
import type { Server } from './children.ts';
import { openAdministration, paths } from './latchkey.ts';

const REDIRECT_URI = 'https://app.example.com/callback';

/** Longer than a measurement, in seconds. */
const ACCESS_TOKEN_LIFETIME = 86_400;

/** A registered application. `basic`: the header by which it authenticates. */
export type Application = { readonly clientId: string; readonly basic: string };

/** What an application has got for a person. */
export type Granted = { readonly accessToken: string; readonly refreshToken: string };

/** Registers an application at a running service. */
export async function register(server: Server, idTokenAlgorithm: 'RS256' | 'ES256' = 'RS256'): Promise<Application> {
  const call = await openAdministration(server);
  const { clientId, clientSecret } = (await call(paths.createApplication, {
    name: `Application with ${idTokenAlgorithm}`,
    kind: 'web',
    redirectUris: [REDIRECT_URI],
    accessTokenLifetime: ACCESS_TOKEN_LIFETIME,
    idTokenAlgorithm,
  })) as { clientId: string; clientSecret: string };
  return { clientId, basic: `Basic ${btoa(`${clientId}:${clientSecret}`)}` };
}

/** Signs in to an application with these tokens of sessions, one after the other. */
export async function grantAll(
  server: Server,
  application: Application,
  scope: string,
  tokens: readonly string[],
): Promise<Granted[]> {
  const granted: Granted[] = [];
  for (const token of tokens) granted.push(await grant(server, application, scope, token));
  return granted;
}

async function grant({ url }: Server, { clientId, basic }: Application, scope: string, token: string) {
  const verifier = randomBytes(32).toString('base64url');
  const asked = new URLSearchParams({
    client_id: clientId,
    redirect_uri: REDIRECT_URI,
    response_type: 'code',
    scope,
    state: 'a state',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const begun = await fetch(`${url}${paths.authorize}?${asked}`, { redirect: 'manual' });
  const cookie = begun.headers.getSetCookie().map((line) => line.split(';')[0]);
  const authorization = new URL(begun.headers.get('location') ?? '').searchParams.get('authorization');
  const proceeded = await fetch(url + paths.proceed, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      cookie: cookie.join('; '),
    },
    body: JSON.stringify({ authorization }),
  });
  const { result } = (await proceeded.json()) as { result: { redirectTo: string } };
  const code = new URL(result.redirectTo).searchParams.get('code') ?? '';
  const form = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI, code_verifier: verifier };
  const exchanged = await fetch(url + paths.token, {
    method: 'POST',
    headers: { authorization: basic },
    body: new URLSearchParams(form),
  });
  if (!exchanged.ok) throw new Error(`The code was refused: ${await exchanged.text()}`);
  const answer = (await exchanged.json()) as { access_token: string; refresh_token: string };
  return { accessToken: answer.access_token, refreshToken: answer.refresh_token };
}
