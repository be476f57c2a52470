// The service as operators run it: production mode, a separate process, limits raised by its own setting.
import { join } from 'node:path';
import { freePort, runCommand, type Server, startCommand, startProgram } from './children.ts';
import { posts } from './load.ts';
import type { Preparation, Prepared } from './prepare.ts';

const root = join(import.meta.dirname, '..');

/** The password of every account; hashing costs the same for any. */
export const PASSWORD = 'correct horse battery staple';

export const ACCOUNTS = 1000;

/** A data directory, and the service on it. */
export type Latchkey = {
  /** Opens sessions through the service's own code while it is not running: a sign-in would need a hash for each. */
  prepare(tokens: number): Promise<Prepared>;
  start(): Promise<Server>;
};

export const paths = {
  authenticate: '/api/TokenAuth/Authenticate',
  refresh: '/api/TokenAuth/RefreshTokenAsync',
  currentLogin: '/api/services/app/Session/GetCurrentLoginInfo',
  signOff: '/api/TokenAuth/SignOff',
  updateSetting: '/api/services/app/Settings/UpdateValue',
  keys: '/.well-known/jwks.json',
  discovery: '/.well-known/openid-configuration',
  createApplication: '/api/services/app/Application/Create',
  token: '/oauth/token',
  userinfo: '/oauth/userinfo',
  introspect: '/oauth/introspect',
  ready: '/health/ready',
};

const signInOf = (n: number) => ({ userNameOrEmailAddress: `user${n}`, password: PASSWORD });

/** A sign-in for each account. */
export const signIns = posts(Array.from({ length: ACCOUNTS }, (_, n) => signInOf(n)));

/** The service's environment: production on this data directory, with `more` in place of the common variables. */
export const environmentOf = (dataDir: string, more: Readonly<Record<string, string>> = {}) => ({
  LATCHKEY_MODE: 'production',
  LATCHKEY_PUBLIC_URL: 'https://auth.example.com',
  LATCHKEY_DATA_DIR: dataDir,
  LATCHKEY_SECRET: 'not a secret: this data lives as long as the benchmark',
  LATCHKEY_ADMIN_PASSWORD: PASSWORD,
  LATCHKEY_ADMIN_PASSWORD_FINAL: 'true',
  LATCHKEY_SMTP_URL: 'smtp://127.0.0.1:1',
  LATCHKEY_MAIL_FROM: 'bench@example.com',
  LATCHKEY_SMS_URL: 'http://127.0.0.1:1',
  LATCHKEY_SMS_SECRET: 'not a secret: nobody listens at this address',
  LATCHKEY_LOG_LEVEL: 'info',
  ...more,
});

/** As in `npm start`, see scripts/bundle/latchkey.mjs. */
const latchkeyArgs = (...words: string[]) => ['--max-semi-space-size=4', 'dist/package/server/main.js', ...words];

/** The caller's own LATCHKEY_ variables may name a real database. */
const withInherited = (variables: Readonly<Record<string, string>>) => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('LATCHKEY_'))),
  ...variables,
});

/** Starts the service; the caller stops it. */
export async function serve(variables: Readonly<Record<string, string>>): Promise<Server> {
  const port = await freePort();
  const env = withInherited({ ...variables, LATCHKEY_PORT: String(port) });
  return startCommand(latchkeyArgs('serve'), { cwd: root, env, port, path: paths.ready });
}

/** Runs a command of the service to its end. @returns the most memory that it had resident, in MB. */
export const run = (variables: Readonly<Record<string, string>>, ...words: string[]): Promise<number> =>
  runCommand(latchkeyArgs(...words), { cwd: root, env: withInherited(variables) });

/** Signs in as the administrator. @returns a function that posts to a path, and returns the result. */
export async function openAdministration({ url }: Server): Promise<(path: string, body: object) => Promise<unknown>> {
  const administrator = { userNameOrEmailAddress: 'admin', password: PASSWORD };
  const { accessToken } = (await post(url + paths.authenticate, administrator)) as { accessToken: string };
  return (path, body) => post(url + path, body, accessToken);
}

/** Changes settings as an administrator does: they stay in the data directory from then on. */
export async function change(server: Server, settings: Readonly<Record<string, object>>): Promise<void> {
  const call = await openAdministration(server);
  for (const [name, value] of Object.entries(settings)) await call(paths.updateSetting, { name, value });
}

/** @param more variables besides the common ones. */
export function createLatchkey(dataDir: string, more: Readonly<Record<string, string>> = {}): Latchkey {
  const variables = environmentOf(dataDir, more);
  const start = () => serve(variables);
  let areLimitsRaised = false;

  async function raiseLimits() {
    const server = await start();
    await change(server, { 'Latchkey.RateLimiting': { loginPermitLimit: 100_000, loginWindowSeconds: 1 } });
    await server.stop();
  }

  return {
    start,
    async prepare(tokens) {
      const preparation: Preparation = { variables, password: PASSWORD, accounts: ACCOUNTS, tokens };
      const { child, ready } = await startProgram<Prepared>(join(import.meta.dirname, 'prepare.ts'), preparation);
      child.disconnect();
      if (!areLimitsRaised) await raiseLimits();
      areLimitsRaised = true;
      return ready;
    },
  };
}

async function post(url: string, body: object, token?: string): Promise<unknown> {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return ((await answer.json()) as { result: unknown }).result;
}
