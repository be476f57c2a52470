// Programs that follow the revocation feed, started as processes of their own.
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { TokenRejected } from '../sdk/src/verify/interface.ts';
import { createObservedVerifier } from '../sdk/src/verify/verifier.ts';
import { CONNECTIONS, type Seen, summarize } from './load.ts';

type Followed = { readonly issuer: string; readonly serviceUrl: string; readonly serviceKey: string };

/** Tokens to sign off, so many in a second, evenly spaced, or fewer if the service takes longer. */
type Refusing = { readonly signOffUrl: string; readonly tokens: readonly string[]; readonly perSecond: number };

/** What the process does. */
export type Following =
  | (Followed & { readonly does: 'refuse' } & Refusing)
  | (Followed & { readonly does: 'verify'; readonly how: Verifying; readonly tokens: readonly string[] })
  | (Followed & { readonly does: 'start' })
  | (Followed & { readonly does: 'listen'; readonly listeners: number });

/** By the verifier that has not seen the token, or has; by jose alone; or by a call to the service. */
export type Verifying = 'first' | 'again' | 'jose' | 'introspection';

/** What a verifier has read when it is ready. */
export type Started = { readonly seconds: number; readonly sessions: number; readonly bytes: number };

const AUDIENCE = 'latchkey';

/** At most so many at once. With few, each sign-off would begin right after a read of the feed. */
const SIGN_OFFS_AT_ONCE = 64;

/** How often the process looks whether a token is refused. To look all the time would take a core from the service. */
const LOOK_MS = 1;

const [following] = (await once(process, 'message')) as [Following];
const { issuer, serviceUrl, serviceKey } = following;
const createVerifier = (cached?: number) =>
  createObservedVerifier(
    {
      issuer,
      serviceUrl,
      serviceKey,
      audience: AUDIENCE,
      onError: ({ message }) => process.stderr.write(`${message}\n`),
    },
    cached === undefined ? {} : { cached },
  );

/** Signs each token off, and measures from the answer until the verifier refuses it, in milliseconds. */
async function refuse({ signOffUrl, tokens, perSecond }: Refusing): Promise<Seen> {
  const verifier = createVerifier();
  await verifier.ready();
  const latencies: number[] = [];
  const startedAt = performance.now();
  let next = 0;
  async function work() {
    for (let number = next++; number < tokens.length; number = next++) {
      const token = tokens[number] ?? '';
      await verifier.verify(token);
      const dueAt = startedAt + (number * 1000) / perSecond;
      await sleep(Math.max(0, dueAt - performance.now()));
      const answer = await fetch(signOffUrl, { method: 'POST', headers: { authorization: `Bearer ${token}` } });
      const answeredAt = performance.now();
      if (!answer.ok) throw new Error(`The sign-off answers ${answer.status}.`);
      while (await isAccepted(token)) await sleep(LOOK_MS);
      latencies.push(performance.now() - answeredAt);
      await answer.arrayBuffer();
    }
  }
  const isAccepted = (token: string) =>
    verifier.verify(token).then(
      () => true,
      (error) => {
        if (error instanceof TokenRejected && error.reason === 'revoked') return false;
        throw error;
      },
    );
  await Promise.all(Array.from({ length: SIGN_OFFS_AT_ONCE }, work));
  const seconds = (performance.now() - startedAt) / 1000;
  verifier.close();
  return summarize(latencies, seconds, 0);
}

/** Returns a function that verifies a token in this way. */
async function prepare(how: Verifying): Promise<(token: string) => Promise<unknown>> {
  if (how === 'introspection') {
    const headers = { authorization: `Bearer ${serviceKey}`, 'content-type': 'application/x-www-form-urlencoded' };
    return async (token) => {
      const answer = await fetch(`${serviceUrl}/oauth/introspect`, { method: 'POST', headers, body: `token=${token}` });
      if (((await answer.json()) as { active: boolean }).active !== true) throw new Error('The token is not active.');
    };
  }
  if (how === 'jose') {
    const keys = createLocalJWKSet(
      (await (await fetch(`${serviceUrl}/.well-known/jwks.json`)).json()) as JSONWebKeySet,
    );
    const options = { issuer, audience: AUDIENCE, typ: 'at+jwt', algorithms: ['ES256'], requiredClaims: ['exp'] };
    return (token) => jwtVerify(token, keys, options);
  }
  const verifier = createVerifier(how === 'first' ? 0 : undefined);
  await verifier.ready();
  return verifier.verify;
}

/** After so many calls, each worker lets the process read the feed. Tokens seen before are verified without any input or output. */
const CALLS_A_TURN = 100;

/** Verifies for some seconds, with as many calls at once as the driver has connections. */
async function verify(
  one: (token: string) => Promise<unknown>,
  tokens: readonly string[],
  seconds: number,
): Promise<Seen> {
  const latencies: number[] = [];
  const startedAt = performance.now();
  const endAt = startedAt + seconds * 1000;
  let next = 0;
  const worker = async () => {
    let calls = 0;
    for (let now = performance.now(); now < endAt; now = performance.now()) {
      await one(tokens[next++ % tokens.length] ?? '');
      latencies.push(performance.now() - now);
      if (++calls % CALLS_A_TURN === 0) await nextTurn();
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  return summarize(latencies, (performance.now() - startedAt) / 1000, 0);
}

/** Opens streams, and calls `onEvent` for each event of each. Resolves when all have begun. */
async function listen(listeners: number, onEvent: () => void) {
  const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });
  const headers = { accept: 'text/event-stream', authorization: `Bearer ${serviceKey}` };
  const page = await fetch(`${serviceUrl}/api/revocations`, { headers: { authorization: headers.authorization } });
  const { next } = (await page.json()) as { next: string };
  const open = async () => {
    const sent = request(`${serviceUrl}/api/revocations?after=${next}`, { agent, headers }).end();
    const [answer] = await once(sent, 'response');
    let isReady = false;
    await new Promise<void>((resolve) => {
      answer.on('data', (chunk: Buffer) => {
        if (chunk.includes('data: ')) onEvent();
        if (!isReady) resolve();
        isReady = true;
      });
    });
  };
  const opening = 100;
  for (let count = 0; count < listeners; count += opening) {
    await Promise.all(Array.from({ length: Math.min(opening, listeners - count) }, open));
  }
}

process.on('disconnect', () => process.exit());
if (following.does === 'refuse') {
  process.send?.(await refuse(following));
} else if (following.does === 'verify') {
  const { how, tokens } = following;
  const one = await prepare(how);
  process.on('message', async (seconds: number) => void process.send?.(await verify(one, tokens, seconds)));
  process.send?.({ port: 0 });
} else if (following.does === 'start') {
  const startedAt = performance.now();
  const verifier = createVerifier();
  await verifier.ready();
  const { size, bytes } = verifier.sessions;
  process.send?.({ seconds: (performance.now() - startedAt) / 1000, sessions: size, bytes } satisfies Started);
} else {
  const { listeners } = following;
  let arrivals: number[] = [];
  let whenAll = () => {};
  await listen(listeners, () => {
    arrivals.push(performance.now());
    if (arrivals.length === listeners) whenAll();
  });
  // The message is a token to sign off.
  process.on('message', async (token: string) => {
    arrivals = [];
    const all = new Promise<void>((resolve) => {
      whenAll = resolve;
    });
    const headers = { authorization: `Bearer ${token}` };
    await fetch(`${serviceUrl}/api/TokenAuth/SignOff`, { method: 'POST', headers });
    const answeredAt = performance.now();
    await all;
    process.send?.(
      summarize(
        arrivals.map((at) => Math.max(0, at - answeredAt)),
        0,
        0,
      ),
    );
  });
  process.send?.({ port: 0 });
}
