// The client of a soak: a process that keeps a number of sessions, and signs in, refreshes, checks and signs off.
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { paths, signIns } from '../latchkey.ts';
import { type Call, CONNECTIONS, type Seen, summarize } from '../load.ts';
import { type Operation, operationOf, operations } from './mix.ts';

/** Where to send requests, with the tokens of open sessions. */
export type SoakClientOptions = { readonly url: string; readonly tokens: readonly string[] };

/** `measure`: sends as fast as it can. `begin`: sends evenly spaced until `end`. `sample`: sums up since the last one. */
export type SoakOrder =
  | { readonly does: 'measure'; readonly seconds: number }
  | { readonly does: 'begin'; readonly rate: number }
  | { readonly does: 'sample' | 'end' };

/** What was answered since the last sample, and how many sessions are open. */
export type SoakSample = Readonly<Record<Operation, Seen>> & {
  readonly requests: number;
  readonly failures: number;
  readonly sessions: number;
};

const [{ url, tokens }] = (await once(process, 'message')) as [SoakClientOptions];

/** The tokens of the open sessions that no request uses. The next one is the one that was used longest ago. */
const free = [...tokens];
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
let signedIn = 0;
let sent = 0;
let failures = 0;
let latencies = newLatencies();
let sampledAt = performance.now();

/** Returns the token in the answer, if it holds one. @throws Error when it is not 200. */
async function send(method: string, path: string, { headers, body }: Call): Promise<string | undefined> {
  const asked = request(url + path, { agent, method, headers });
  asked.end(body);
  const [answer] = await once(asked, 'response');
  const content = await text(answer);
  if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}: ${content}`);
  return JSON.parse(content).result?.accessToken;
}

const run: Record<Operation, () => Promise<unknown>> = {
  async 'sign-in'() {
    const token = await send('POST', paths.authenticate, signIns[signedIn++ % signIns.length] as Call);
    if (token) free.push(token);
  },
  refresh: () => withSession(async (call, token) => (await send('POST', paths.refresh, call)) ?? token),
  check: () =>
    withSession(async (call, token) => {
      await send('GET', paths.currentLogin, call);
      return token;
    }),
  'sign-off': () => withSession((call) => send('POST', paths.signOff, call)),
};

/** Uses a session, which has the token that `use` returns afterwards. */
async function withSession(use: (call: Call, token: string) => Promise<string | undefined>) {
  const token = free.shift();
  if (token === undefined) throw new Error('No session is free.');
  // A request that fails leaves the session as it was.
  let next: string | undefined = token;
  try {
    next = await use({ headers: { authorization: `Bearer ${token}` } }, token);
  } finally {
    if (next) free.push(next);
  }
}

/** Sends the next request. Its latency counts from when it was due. */
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

function newLatencies(): Record<Operation, number[]> {
  return { 'sign-in': [], refresh: [], check: [], 'sign-off': [] };
}

function sample(): SoakSample {
  const seconds = (performance.now() - sampledAt) / 1000;
  const of = (operation: Operation) => summarize(latencies[operation], seconds, 0);
  const requests = operations.reduce((sum, operation) => sum + latencies[operation].length, 0);
  const seen = { 'sign-in': of('sign-in'), refresh: of('refresh'), check: of('check'), 'sign-off': of('sign-off') };
  const summary = { ...seen, requests, failures, sessions: free.length };
  latencies = newLatencies();
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
