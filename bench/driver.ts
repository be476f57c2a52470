// The driver: a separate process that sends loads, so that its work does not count for what it measures.
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import autocannon, { type Client, type Request } from 'autocannon';
import { bearers, type Call, forms, type Load, refreshes, type Seen, summarize, type TokenIn } from './load.ts';

export type Order = { readonly id: number; readonly load: Load };
export type Report = { readonly id: number; readonly seen?: Seen; readonly error?: string };

process.on('message', async ({ id, load }: Order) => {
  const report = await (load.rate === undefined ? flatOut(load) : paced(load, load.rate)).then(
    (seen): Report => ({ id, seen }),
    (error: Error): Report => ({ id, error: error.message }),
  );
  process.send?.(report);
});
process.on('disconnect', () => process.exit());

/** Each connection sends its next request as soon as it has the previous answer. */
async function flatOut(load: Load): Promise<Seen> {
  const { url, calls, connections, seconds = 1, amount } = load;
  const latencies: number[] = [];
  let clients = 0;
  let failures = 0;
  let startedAt = 0;
  let endedAt = 0;
  const options: autocannon.Options = {
    url,
    connections,
    ...(amount === undefined ? { duration: seconds } : { amount }),
    setupClient(client) {
      const share = Math.ceil(calls.length / connections);
      setUp(client, load, calls.slice(clients * share, ++clients * share));
    },
  };
  return new Promise((resolve, reject) => {
    const run = autocannon(options, (error, { errors }) => {
      if (error) reject(error);
      else resolve(summarize(latencies, ((endedAt || performance.now()) - startedAt) / 1000, failures + errors));
    });
    run.on('start', () => {
      startedAt = performance.now();
    });
    run.on('response', (_client, status, _bytes, milliseconds) => {
      if (status >= 200 && status < 300) latencies.push(milliseconds);
      else failures++;
      endedAt = performance.now();
    });
  });
}

function setUp(client: Client, { url, method, follows }: Load, calls: readonly Call[]) {
  const path = new URL(url).pathname;
  const requests: Request[] = calls.map((call) => ({ method, path, ...call }));
  if (!follows) return client.setRequests(requests);
  let [call] = calls;
  client.setRequests([
    {
      method,
      path,
      setupRequest: (next) => ({ ...next, ...call }),
      onResponse(status, body) {
        if (status === 200) call = callAfter[follows](JSON.parse(body), call);
      },
    },
  ]);
}

type Answer = {
  readonly result: { accessToken: string };
  readonly token: string;
  readonly data: { refresh_token: string };
  readonly refresh_token: string;
};

const callAfter: Record<TokenIn, (answer: Answer, call: Call | undefined) => Call | undefined> = {
  'result.accessToken': ({ result }) => bearers([result.accessToken])[0],
  token: ({ token }) => bearers([token])[0],
  'data.refresh_token': ({ data }) => refreshes([data.refresh_token])[0],
  refresh_token: ({ refresh_token }, call) =>
    forms(call?.headers.authorization ?? '', [{ grant_type: 'refresh_token', refresh_token }])[0],
};

/** Sends requests at a fixed interval; the time a request waits for a connection counts as its latency. */
async function paced({ url, method, calls, connections, seconds = 1 }: Load, rate: number): Promise<Seen> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const latencies: number[] = [];
  let failures = 0;
  const send = (call: Call | undefined, dueAt: number) =>
    new Promise<void>((resolve) => {
      const sent = request(url, { agent, method, headers: call?.headers ?? {} }, (answer) => {
        answer.resume().once('end', () => {
          if (answer.statusCode === 200) latencies.push(performance.now() - dueAt);
          else failures++;
          resolve();
        });
      });
      sent.once('error', () => {
        failures++;
        resolve();
      });
      sent.end(call?.body);
    });
  const startedAt = performance.now();
  const all: Promise<void>[] = [];
  for (let n = 0; n < rate * seconds; n++) {
    const dueAt = startedAt + (n * 1000) / rate;
    while (performance.now() < dueAt) await sleep(1);
    all.push(send(calls[n % calls.length], dueAt));
  }
  await Promise.all(all);
  agent.destroy();
  return summarize(latencies, (performance.now() - startedAt) / 1000, failures);
}
