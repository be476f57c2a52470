// The client of a soak: a process that keeps a number of sessions, in some of which people have signed in to an application.
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Application, grant } from '../../server/test/support/authorization.ts';
import { paths, signIns } from '../latchkey.ts';
import { type Call, CONNECTIONS, forms, type Seen, summarize } from '../load.ts';
import { type Operation, operationOf, operations, perOperation } from './mix.ts';
import { type Received, type ReceiverOptions, startReceiver } from './receiver.ts';

/** Where to send requests, with the tokens of open sessions, and where to receive what the service sends. */
export type SoakClientOptions = {
  readonly url: string;
  readonly tokens: readonly string[];
  readonly application: Application;
  readonly receiver: ReceiverOptions;
};

/** `measure`: sends as fast as it can. `begin`: sends evenly spaced until `end`. `sample`: sums up since the last one. */
export type SoakOrder =
  | { readonly does: 'measure'; readonly seconds: number }
  | { readonly does: 'begin'; readonly rate: number }
  | { readonly does: 'sample' | 'end' };

/** What was answered since the last sample, and how many sessions are open. */
export type SoakSample = Readonly<Record<Operation, Seen>> & {
  readonly received: Received;
  readonly done: number;
  readonly failures: number;
  readonly sessions: number;
};

/** An open session, and the refresh token of an application for it. */
type Session = { token: string; refreshToken?: string };

const [{ url, tokens, application, receiver }] = (await once(process, 'message')) as [SoakClientOptions];
const takeReceived = await startReceiver(receiver);

/** The open sessions that no operation uses. The next one is the one that was used longest ago. */
const free: Session[] = tokens.map((token) => ({ token }));
/** Operations that wait for a session: all are in use after the machine has stood still. Their latency counts on. */
const waiting: ((session: Session) => void)[] = [];
/** How many of them have one. Taking the first from an array of a million would move all others each time. */
let served = 0;
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
let signedIn = 0;
let sent = 0;
let failures = 0;
let latencies = perOperation((): number[] => []);
let sampledAt = performance.now();

/** Returns the answer to a request. @throws Error when its status is not 200. */
async function send(method: string, path: string, { headers, body }: Call) {
  const asked = request(url + path, { agent, method, headers });
  asked.end(body);
  const [answer] = await once(asked, 'response');
  const content = await text(answer);
  if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}: ${content}`);
  return JSON.parse(content);
}

const bearer = ({ token }: Session): Call => ({ headers: { authorization: `Bearer ${token}` } });

const run: Record<Operation, () => Promise<unknown>> = {
  async 'sign-in'() {
    const { result } = await send('POST', paths.authenticate, signIns[signedIn++ % signIns.length] as Call);
    release({ token: result.accessToken });
  },
  refresh: () =>
    withSession(async (session) => {
      session.token = (await send('POST', paths.refresh, bearer(session))).result.accessToken;
    }),
  check: () => withSession((session) => send('GET', paths.currentLogin, bearer(session))),
  'application sign-in': () =>
    withSession(async (session) => {
      session.refreshToken = (await grant(url, application, 'openid profile', session.token)).refreshToken;
    }),
  async 'application refresh'() {
    const at = free.findIndex(({ refreshToken }) => refreshToken !== undefined);
    // At the beginning, nobody has signed in to the application.
    if (at === -1) return run['application sign-in']();
    await withSession(async (session) => {
      const form = { grant_type: 'refresh_token', refresh_token: session.refreshToken ?? '' };
      const [call] = forms(application.basic, [form]);
      session.refreshToken = (await send('POST', paths.token, call as Call)).refresh_token;
    }, at);
  },
  async 'sign-off'() {
    const session = await take(0);
    await send('POST', paths.signOff, bearer(session));
  },
};

function take(at: number): Session | Promise<Session> {
  const [session] = free.splice(at, 1);
  return session ?? new Promise((resolve) => waiting.push(resolve));
}

function release(session: Session) {
  const next = waiting[served];
  if (!next) return void free.push(session);
  served += 1;
  next(session);
  if (served === waiting.length) {
    waiting.length = 0;
    served = 0;
  }
}

/** Uses a session. An operation that fails leaves it as it was. */
async function withSession(use: (session: Session) => Promise<unknown>, at = 0) {
  const session = await take(at);
  await use(session).finally(() => release(session));
}

/** Begins the next operation. Its latency counts from when it was due. */
async function next(dueAt: number) {
  const operation = operationOf(sent++);
  try {
    await run[operation]();
    latencies[operation].push(performance.now() - dueAt);
  } catch (error) {
    if (failures++ === 0) process.stderr.write(`${operation}: ${error}\n`);
  }
}

async function measure(seconds: number) {
  const endAt = performance.now() + seconds * 1000;
  const worker = async () => {
    for (let now = performance.now(); now < endAt; now = performance.now()) await next(now);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
}

let isOver = false;

async function keepSending(rate: number) {
  const startedAt = performance.now();
  for (let n = 0; !isOver; n++) {
    const dueAt = startedAt + (n * 1000) / rate;
    while (performance.now() < dueAt) await sleep(1);
    void next(dueAt);
  }
}

function sample(): SoakSample {
  const seconds = (performance.now() - sampledAt) / 1000;
  const summary = {
    ...perOperation((operation) => summarize(latencies[operation], seconds, 0)),
    received: takeReceived(seconds),
    done: operations.reduce((sum, operation) => sum + latencies[operation].length, 0),
    failures,
    sessions: free.length,
  };
  latencies = perOperation(() => []);
  failures = 0;
  sampledAt = performance.now();
  return summary;
}

process.on('message', async (order: SoakOrder) => {
  if (order.does === 'begin') void keepSending(order.rate);
  else if (order.does === 'measure') {
    sample();
    await measure(order.seconds);
  } else if (order.does === 'end') isOver = true;
  process.send?.(sample());
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
