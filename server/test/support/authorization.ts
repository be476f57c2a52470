// Applications of a running service, over HTTP: registered as an administrator does, with grants by the code flow.
import { createHash, randomBytes } from 'node:crypto';

const REDIRECT_URI = 'https://app.example.com/callback';

/** Longer than what a test or a measurement takes, in seconds. */
const ACCESS_TOKEN_LIFETIME = 86_400;

/** A registered application. `basic`: the header by which it authenticates. */
export type Application = { readonly clientId: string; readonly basic: string };

/** What an application has got for a person. */
export type Granted = { readonly accessToken: string; readonly refreshToken: string };

/**
 * Registers an application.
 * @param create calls `Application/Create` as an administrator.
 * @param more members besides the common ones.
 */
export async function register(create: (input: object) => Promise<unknown>, more: object = {}): Promise<Application> {
  const { clientId, clientSecret } = (await create({
    name: 'Application',
    kind: 'web',
    redirectUris: [REDIRECT_URI],
    accessTokenLifetime: ACCESS_TOKEN_LIFETIME,
    ...more,
  })) as { clientId: string; clientSecret: string };
  return { clientId, basic: `Basic ${btoa(`${clientId}:${clientSecret}`)}` };
}

/**
 * Signs in to an application with the token of a session.
 * @param url of the service
 * @throws if the service refuses or does not answer
 */
export async function grant(
  url: string,
  { clientId, basic }: Application,
  scope: string,
  token: string,
): Promise<Granted> {
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
  const begun = await fetch(`${url}/oauth/authorize?${asked}`, { redirect: 'manual' });
  const cookie = begun.headers.getSetCookie().map((line) => line.split(';')[0]);
  const authorization = new URL(begun.headers.get('location') ?? '').searchParams.get('authorization');
  const proceeded = await fetch(`${url}/api/services/app/Authorization/Continue`, {
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
  const exchanged = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    headers: { authorization: basic },
    body: new URLSearchParams(form),
  });
  if (!exchanged.ok) throw new Error(`The code was refused: ${await exchanged.text()}`);
  const answer = (await exchanged.json()) as { access_token: string; refresh_token: string };
  return { accessToken: answer.access_token, refreshToken: answer.refresh_token };
}
