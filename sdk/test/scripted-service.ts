// A service whose clocks, network and feed a test moves by hand, and a verifier that follows it.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { type Claims, TokenRejected, type VerifierOptions } from '../src/verify/interface.ts';
import type { System } from '../src/verify/system.ts';
import { createObservedVerifier } from '../src/verify/verifier.ts';
import { toCanonical } from './token-spellings.ts';

export const ISSUER = 'https://id.example.com';
const START = Date.parse('2026-11-22T08:00:00Z');

/** How the network behaves: answers arrive, the connection fails, or nothing ever arrives. */
type Network = 'up' | 'refuses' | 'hangs';

type Key = Awaited<ReturnType<typeof generateKeyPair>> & { readonly kid: string };
type Stream = { readonly controller: ReadableStreamDefaultController<Uint8Array>; readonly beganAt: number };

const makeKey = async (kid: string): Promise<Key> => ({ ...(await generateKeyPair('ES256')), kid });

export async function startScript(options: Partial<VerifierOptions> = {}, network: Network = 'up') {
  const timers = new Set<{ at: number; task: () => void }>();
  const streams = new Set<Stream>();
  const requests: { path: string; at: number; body: string }[] = [];
  const problems: string[] = [];
  let elapsed = 0;
  let wall = START;
  let serviceTime = START;
  const script = {
    network,
    /** The status of each answer of a path. */
    statuses: {} as Record<string, number>,
    keys: [await makeKey('first')],
    /** What introspection answers. */
    answer: { active: true } as unknown,
    /** Introspection answers after this. */
    answering: Promise.resolve() as Promise<void>,
    items: [] as Record<string, unknown>[],
    pageSize: 1000,
  };

  const system: System = {
    now: () => wall,
    elapsed: () => elapsed,
    after(milliseconds, task) {
      const timer = { at: elapsed + milliseconds, task };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    random: () => 1,
    async fetch(url, init) {
      const path = url.slice(ISSUER.length);
      const pathname = new URL(url).pathname;
      requests.push({ path, at: elapsed, body: String(init.body ?? '') });
      if (script.network === 'refuses') throw new TypeError('fetch failed');
      if (script.network === 'hangs') return new Promise((_, reject) => onAbort(init.signal, reject));
      const status = script.statuses[pathname] ?? 200;
      if (status !== 200) return new Response('{}', { status });
      if (pathname === '/.well-known/jwks.json') return Response.json({ keys: await publicKeys() });
      if (pathname === '/oauth/introspect') {
        await script.answering;
        return Response.json(script.answer);
      }
      const headers = new Headers(init.headers);
      if (headers.get('accept') === 'text/event-stream') return openStream(headers, init.signal);
      return Response.json(readPage(new URL(url).searchParams.get('after') ?? ''));
    },
  };

  const publicKeys = () =>
    Promise.all(
      script.keys.map(async ({ publicKey, kid }) => ({ ...(await exportJWK(publicKey)), kid, alg: 'ES256' })),
    );

  function readPage(after: string) {
    const items = script.items.slice(Number(after), Number(after) + script.pageSize);
    const next = Number(after) + items.length;
    return { items, next: String(next), complete: next === script.items.length };
  }

  function openStream(headers: Headers, signal: AbortSignal | null | undefined) {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        const stream = { controller, beganAt: elapsed };
        streams.add(stream);
        onAbort(signal, (reason) => {
          if (streams.delete(stream)) controller.error(reason);
        });
        write(
          stream,
          script.items
            .slice(Number(headers.get('last-event-id')))
            .map(textOf)
            .join(''),
        );
        write(stream, beatOf(stream));
      },
    });
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  }

  const textOf = (item: object) => `id: ${script.items.indexOf(item as never) + 1}\ndata: ${JSON.stringify(item)}\n\n`;
  const beatOf = ({ beganAt }: Stream) => `: ${elapsed - beganAt} ${new Date(serviceTime).toISOString()}\n\n`;
  const write = ({ controller }: Stream, text: string) => controller.enqueue(new TextEncoder().encode(text));

  const verifier = createObservedVerifier(
    {
      issuer: ISSUER,
      audience: 'shop',
      serviceKey: 'lks_x',
      onError: ({ message }) => problems.push(message),
      ...options,
    },
    { system },
  );

  /** Lets promises settle that wait for nothing but each other. */
  async function settle() {
    for (let turn = 0; turn < 20; turn++) await nextTurn();
  }

  /** Lets time pass for both sides, and runs the timers that are due. The service beats every two seconds. */
  async function pass(seconds: number, { beats = script.network === 'up' } = {}) {
    const end = elapsed + seconds * 1000;
    while (elapsed < end) {
      elapsed += 50;
      wall += 50;
      serviceTime += 50;
      for (const timer of timers) {
        if (timer.at > elapsed) continue;
        timers.delete(timer);
        timer.task();
      }
      if (beats && elapsed % 2000 === 0) for (const stream of streams) write(stream, beatOf(stream));
      await settle();
    }
  }

  return {
    script,
    verifier,
    requests,
    problems,
    streams,
    settle,
    pass,
    system,
    /** Adds an item to the feed, and sends it to all streams. */
    async revoke(item: Record<string, unknown>) {
      const at = new Date(serviceTime).toISOString();
      const expiresAt = new Date(serviceTime + 3_600_000).toISOString();
      const whole = { at, expiresAt, ...item };
      script.items.push(whole);
      for (const stream of streams) write(stream, textOf(whole));
      await settle();
    },
    /** Writes to all streams a beat that was made before time passed. */
    beatsNow: () => [...streams].map((stream) => ({ stream, text: beatOf(stream) })),
    async deliver(beats: readonly { stream: Stream; text: string }[]) {
      for (const { stream, text } of beats) if (streams.has(stream)) write(stream, text);
      await settle();
    },
    /** Lets time pass while the process of the verifier is stopped: no timer runs, and nothing is read. */
    stopFor(seconds: number) {
      elapsed += seconds * 1000;
      wall += seconds * 1000;
      serviceTime += seconds * 1000;
    },
    /** Suspends the machine of the verifier: only the clock that can be set moves. */
    suspendFor(seconds: number) {
      wall += seconds * 1000;
      serviceTime += seconds * 1000;
    },
    setClock: (seconds: number) => {
      wall += seconds * 1000;
    },
    /** Ends all streams, as a service that stops. */
    async endStreams() {
      for (const stream of streams) stream.controller.close();
      streams.clear();
      await settle();
    },
    async addKey(kid: string) {
      script.keys.push(await makeKey(kid));
    },
    /** Issues a token of an hour with the newest key. */
    async issue(
      claims: Partial<Claims> & Record<string, unknown> = {},
      header: Record<string, unknown> = {},
    ): Promise<string> {
      const { privateKey, kid } = script.keys.at(-1) as Key;
      const now = Math.floor(serviceTime / 1000);
      const all = {
        iss: ISSUER,
        aud: 'shop',
        sub: '7',
        jti: crypto.randomUUID(),
        sid: crypto.randomUUID(),
        gen: 0,
        iat: now,
        nbf: now - 30,
        exp: now + 3600,
        auth_time: now,
        amr: ['pwd'],
        client_id: 'default-app',
        preferred_username: 'thandi',
        name: 'Thandi',
        roles: ['Clerk'],
        ...claims,
      };
      const protectedHeader = { alg: 'ES256', typ: 'at+jwt', kid, ...header };
      return toCanonical(await new SignJWT(all).setProtectedHeader(protectedHeader).sign(privateKey));
    },
    /** Returns `accepted`, or why the verifier rejects the token. */
    async judge(token: string): Promise<string> {
      try {
        await verifier.verify(token);
        return 'accepted';
      } catch (error) {
        if (error instanceof TokenRejected) return error.reason;
        throw error;
      }
    },
  };
}

function onAbort(signal: AbortSignal | null | undefined, task: (reason: unknown) => void) {
  if (signal?.aborted) task(signal.reason);
  else signal?.addEventListener('abort', () => task(signal.reason));
}
