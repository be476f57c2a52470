// Load on several nodes at once: people sign in, use and refresh tokens and sign off, and accounts are created.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { callProcess } from '../support/process.ts';
import { ADMIN_PASSWORD, USER_PASSWORD } from '../support/service.ts';
import { type Deed, type Ledger, outcomeOf } from './ledger.ts';

const AUTHENTICATE = '/api/TokenAuth/Authenticate';
const REFRESH = '/api/TokenAuth/RefreshTokenAsync';
const SIGN_OFF = '/api/TokenAuth/SignOff';
const SESSIONS = '/api/services/app/Session/GetAll';
const CREATE = '/api/services/app/User/Create';
const UPDATE = '/api/services/app/Settings/UpdateValue';

/** A node counts as busy once it has completed each kind of call this often since the question. */
const BUSY = 2;
const REFRESHES = 3;
const LOOK_MS = 25;

/** Tokens to present again at the end: the newest of each kind. */
const SHOWN = 40;

/** A token as its bearer knows it. */
type Held = { caller: string; token: string; jti: string; sid: string };

export interface Load {
  /** Resolves when every node has signed in, refreshed and signed off repeatedly since the call. */
  untilBusy(): Promise<void>;
  /** Presents valid tokens and revoked tokens, and tries to refresh the revoked ones. */
  showAll(): Promise<void>;
  /** Resolves when no call is under way. */
  stop(): Promise<void>;
}

/** The outcome of a call to one node, for the ledger. */
async function call(url: string, method: 'GET' | 'POST', path: string, input: { token?: string; body?: unknown }) {
  const { status, result, error } = await callProcess(url, method, path, input);
  return { status, reason: error?.reason, result, text: JSON.stringify(result) ?? '' };
}

function hold(caller: string, token: string): Held {
  const { jti, sid } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  return { caller, token, jti, sid };
}

const shows = ({ jti, sid }: Held) => [`token:${jti}`, `session:${sid}`];

/** Calls of people, each to a random node. @param onDone receives each successful call and its node. */
function createCalls(ledger: Ledger, urls: readonly string[], onDone: (call: string, url: string) => void) {
  async function record(deed: Deed, method: 'GET' | 'POST', path: string, input: { token?: string; body?: unknown }) {
    const url = urls[Math.floor(Math.random() * urls.length)] as string;
    let held: Held | undefined;
    const answer = await ledger.record(
      deed,
      () => call(url, method, path, input),
      ({ status, result }) => {
        if (result?.accessToken) held = hold(deed.caller, result.accessToken);
        return { outcome: outcomeOf(status), ...(held && { gives: shows(held) }) };
      },
    );
    if (answer?.status === 200) onDone(deed.call, url);
    return { isDone: answer?.status === 200, held };
  }
  return {
    signIn: (caller: string) =>
      record({ call: 'sign in', caller }, 'POST', AUTHENTICATE, {
        body: { userNameOrEmailAddress: caller, password: USER_PASSWORD },
      }),
    use: (held: Held) => record({ call: 'use', caller: held.caller, shows: shows(held) }, 'GET', SESSIONS, held),
    refresh: (held: Held) => {
      const ends = [`token:${held.jti}`];
      const deed = { call: 'refresh', caller: held.caller, shows: shows(held), ends, uses: [`refresh of ${held.jti}`] };
      return record(deed, 'POST', REFRESH, { token: held.token });
    },
    signOff: (held: Held) =>
      record({ call: 'sign off', caller: held.caller, ends: shows(held) }, 'POST', SIGN_OFF, { token: held.token }),
    createAccount: (token: string, userName: string) => {
      const body = { userName, password: USER_PASSWORD };
      return record({ call: 'create account', caller: userName }, 'POST', CREATE, { token, body });
    },
  };
}

/** Creates the people, and has each of them work until stopped. */
export async function openLoad(ledger: Ledger, urls: readonly string[], people: number): Promise<Load> {
  const [first = ''] = urls;
  const admin = { userNameOrEmailAddress: 'admin', password: ADMIN_PASSWORD };
  const { accessToken } = (await call(first, 'POST', AUTHENTICATE, { body: admin })).result;
  const limits = { name: 'Latchkey.RateLimiting', value: { loginPermitLimit: 100_000 } };
  assert.equal((await call(first, 'POST', UPDATE, { token: accessToken, body: limits })).status, 200);

  const done = new Map<string, number>();
  const count = (name: string, url: string) => done.set(`${name} ${url}`, (done.get(`${name} ${url}`) ?? 0) + 1);
  const calls = createCalls(ledger, urls, count);
  const living: Held[] = [];
  const dead: Held[] = [];
  let isOver = false;

  /** One session, from its start to its end or as long as its token is known. */
  async function runSession(caller: string) {
    let { held } = await calls.signIn(caller);
    for (let refreshes = 0; held && refreshes < REFRESHES; refreshes += 1) {
      await calls.use(held);
      const next = await calls.refresh(held);
      if (next.held) dead.push(held);
      held = next.held;
    }
    if (held && Math.random() < 0.5) living.push(held);
    else if (held && (await calls.signOff(held)).isDone) dead.push(held);
    if (!held) await sleep(LOOK_MS);
  }
  const names = Array.from({ length: people }, (_, index) => `canary-p${index}`);
  for (const name of names) await calls.createAccount(accessToken, name);
  const workers = names.map(async (name) => {
    while (!isOver) await runSession(name);
  });
  workers.push(
    (async () => {
      for (let made = 0; !isOver; made += 1) {
        await calls.createAccount(accessToken, `canary-n${made}`);
        await sleep(LOOK_MS);
      }
    })(),
  );

  return {
    async untilBusy() {
      done.clear();
      const works = ['sign in', 'refresh', 'sign off', 'create account'];
      const isBusy = () => urls.every((url) => works.every((work) => (done.get(`${work} ${url}`) ?? 0) >= BUSY));
      while (!isBusy()) await sleep(LOOK_MS);
    },
    async showAll() {
      const shown = [
        ...living.slice(-SHOWN).map(calls.use),
        ...dead.slice(-SHOWN).flatMap((held) => [calls.use(held), calls.refresh(held)]),
      ];
      await Promise.all(shown);
    },
    async stop() {
      isOver = true;
      await Promise.all(workers);
    },
  };
}
