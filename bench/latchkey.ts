// The service as its users run it: production mode, a process of its own, limits raised by its own setting.
import { join } from 'node:path';
import { freePort, type Server, startCommand, startProgram } from './children.ts';
import type { Preparation, Prepared } from './prepare.ts';

const root = join(import.meta.dirname, '..');

/** Everybody's; what it is does not matter to a hash. */
export const PASSWORD = 'correct horse battery staple';

export const ACCOUNTS = 1000;

/** A data directory, and the service on it. */
export type Latchkey = {
  /** Opens sessions through the service's own code while it is not running: signing in would take a hash for each. */
  prepare(tokens: number): Promise<Prepared>;
  start(): Promise<Server>;
};

export const paths = {
  authenticate: '/api/TokenAuth/Authenticate',
  refresh: '/api/TokenAuth/RefreshTokenAsync',
  currentLogin: '/api/services/app/Session/GetCurrentLoginInfo',
  updateSetting: '/api/services/app/Settings/UpdateValue',
  keys: '/.well-known/jwks.json',
  ready: '/health/ready',
};

export const signInOf = (n: number) => ({ userNameOrEmailAddress: `user${n}`, password: PASSWORD });

export function createLatchkey(dataDir: string): Latchkey {
  const variables = {
    LATCHKEY_MODE: 'production',
    LATCHKEY_PUBLIC_URL: 'https://auth.example.com',
    LATCHKEY_DATA_DIR: dataDir,
    LATCHKEY_SECRET: 'not a secret: this data lives as long as the benchmark',
    LATCHKEY_ADMIN_PASSWORD: PASSWORD,
    LATCHKEY_SMTP_URL: 'smtp://127.0.0.1:1',
    LATCHKEY_MAIL_FROM: 'bench@example.com',
    LATCHKEY_SMS_URL: 'http://127.0.0.1:1',
    LATCHKEY_SMS_SECRET: 'nobody listens there',
    LATCHKEY_LOG_LEVEL: 'info',
  };
  let areLimitsRaised = false;

  async function start() {
    const port = await freePort();
    // The caller's own LATCHKEY_ variables may name a real database.
    const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('LATCHKEY_'));
    const env = { ...Object.fromEntries(inherited), ...variables, LATCHKEY_PORT: String(port) };
    // As `npm start` does it, see scripts/run.mjs.
    return startCommand(['--max-semi-space-size=4', 'server/src/cli.ts', 'serve'], {
      cwd: root,
      env,
      port,
      path: paths.ready,
    });
  }

  return {
    start,
    async prepare(tokens) {
      const preparation: Preparation = { variables, password: PASSWORD, accounts: ACCOUNTS, tokens };
      const { child, ready } = await startProgram<Prepared>(join(import.meta.dirname, 'prepare.ts'), preparation);
      child.disconnect();
      if (!areLimitsRaised) await raiseLimits(await start());
      areLimitsRaised = true;
      return ready;
    },
  };
}

/** As an administrator would: a setting, kept in the data directory from then on. */
async function raiseLimits({ url, stop }: Server) {
  const administrator = { userNameOrEmailAddress: 'admin', password: PASSWORD };
  const { accessToken } = (await post(url + paths.authenticate, administrator)) as { accessToken: string };
  const value = { loginPermitLimit: 100_000, loginWindowSeconds: 1 };
  await post(url + paths.updateSetting, { name: 'Latchkey.RateLimiting', value }, accessToken);
  await stop();
}

async function post(url: string, body: object, token?: string): Promise<unknown> {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return ((await answer.json()) as { result: unknown }).result;
}
