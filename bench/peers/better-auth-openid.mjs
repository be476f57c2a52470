// better-auth with its OpenID provider as the documentation sets it up: sessions and tokens in SQLite, rate limits off.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { oauthProvider } from '@better-auth/oauth-provider';
import { betterAuth } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';
import { toNodeHandler } from 'better-auth/node';
import { jwt } from 'better-auth/plugins';

/** @type {[{ databaseFile: string, grants: number, scope: string }]} */
const [{ databaseFile, grants, scope }] = await once(process, 'message');

const database = new DatabaseSync(databaseFile);
database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');

const server = createServer();
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address();
const url = `http://127.0.0.1:${port}`;
const REDIRECT_URI = 'https://app.example.com/callback';

const options = {
  database,
  baseURL: url,
  secret: 'not a secret: this database lives as long as the benchmark',
  // Its people sign in once before the measurement, without the price of hashing.
  emailAndPassword: { enabled: true, password: { hash: async () => 'x', verify: async () => true } },
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
  logger: { disabled: true },
  disabledPaths: ['/token'],
  plugins: [
    jwt(),
    oauthProvider({
      loginPage: '/login',
      consentPage: '/consent',
      silenceWarnings: { oauthAuthServerConfig: true, openidConfig: true },
    }),
  ],
};
await (await getMigrations(options)).runMigrations();
const auth = betterAuth(options);

/** Signs a person up. @returns the cookies of the session. */
async function signUp(name) {
  const body = { email: `${name}@example.com`, name, password: 'correct horse battery staple' };
  const answer = await auth.api.signUpEmail({ body, asResponse: true });
  const cookies = answer.headers.getSetCookie().map((line) => line.split(';')[0]);
  return cookies.join('; ');
}

const client = await auth.api.adminCreateOAuthClient({
  body: {
    client_name: 'Application',
    redirect_uris: [REDIRECT_URI],
    grant_types: ['authorization_code', 'refresh_token'],
    scope: 'openid profile email offline_access',
    skip_consent: true,
  },
  headers: new Headers({ cookie: await signUp('owner') }),
});
const basic = `Basic ${btoa(`${client.client_id}:${client.client_secret}`)}`;

/** Signs a person up and in to the application. @returns the refresh token. */
async function grant(n) {
  const cookie = await signUp(`user${n}`);
  const verifier = 'a'.repeat(43);
  const request = new URLSearchParams({
    client_id: client.client_id,
    redirect_uri: REDIRECT_URI,
    response_type: 'code',
    scope,
    state: 'a state',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const authorized = await auth.handler(
    new Request(`${url}/api/auth/oauth2/authorize?${request}`, { headers: { cookie } }),
  );
  const code = new URL(authorized.headers.get('location')).searchParams.get('code');
  const form = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI, code_verifier: verifier };
  const answer = await auth.handler(
    new Request(`${url}/api/auth/oauth2/token`, {
      method: 'POST',
      headers: { authorization: basic, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form),
    }),
  );
  return (await answer.json()).refresh_token;
}

const refreshTokens = [];
for (let n = 0; n < grants; n++) refreshTokens.push(await grant(n));
server.on('request', toNodeHandler(auth));
process.send({ port, basic, refreshTokens });
