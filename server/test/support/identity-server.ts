// A real identity server for tests, "Acme": exchanges one-time access codes for profiles, and misbehaves on demand.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { findFreePort } from './ports.ts';
import { readForm, sendForm } from './sign-in-form.ts';

/** A profile as Acme sends it. Of any shape: the service does not control an identity server. */
export type AcmeProfile = Record<string, unknown>;

export interface IdentityServer {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The people who can sign in on its page, `/sign-in`, by login. */
  readonly people: Map<string, AcmeProfile>;
  /** How many codes it received, and how many requests came to its other paths. */
  readonly counts: { exchanges: number; strays: number };
  /** An access code for this person, good for one exchange, as Acme's sign-in page gives to a front end. */
  issueCode(profile: AcmeProfile): string;
  /**
   * From now on it answers every exchange like this, with any code.
   * @returns `reached`: it has done so once; `left`: the connection of that answer is closed.
   */
  misbehave(answer: (response: ServerResponse) => void): { reached: Promise<void>; left: Promise<void> };
  /** Works normally again. */
  behave(): void;
  /** Drops all connections, and accepts no more. */
  stop(): Promise<void>;
  /** Accepts connections again, on the same port. */
  start(): Promise<void>;
}

/** The profile of a person with an account at Acme. */
export function createProfile(more: AcmeProfile = {}): AcmeProfile & { id: string; email: string } {
  const id = randomUUID();
  const names = { given_name: 'Thandi', family_name: 'Nkosi' };
  return { id, email: `thandi-${id}@example.com`, email_verified: true, ...names, ...more };
}

/** Starts on its own port on 127.0.0.1. */
export async function startIdentityServer(): Promise<IdentityServer> {
  const clientId = 'latchkey-at-acme';
  const clientSecret = `canary secret of Acme's & ${randomUUID()}`;
  const credentials = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
  const counts = { exchanges: 0, strays: 0 };
  const codes = new Map<string, AcmeProfile>();
  const people = new Map<string, AcmeProfile>();
  let fault: { answer: (response: ServerResponse) => void; reached: () => void; left: () => void } | undefined;
  const port = await findFreePort();

  function issueCode(profile: AcmeProfile) {
    const code = `canary code & ${randomUUID()}`;
    codes.set(code, profile);
    return code;
  }

  /** Shows the sign-in page, and redirects a person who has filled it in back to the front end. */
  async function signIn(request: IncomingMessage, response: ServerResponse) {
    if (request.method === 'GET') return sendForm(response, 'Acme');
    const login = await readForm(request);
    const { searchParams: question } = new URL(request.url ?? '', 'http://acme.example');
    const profile = people.get(login ?? '');
    const answer = profile
      ? { code: issueCode(profile), provider_key: String(profile.id) }
      : { error: login === undefined ? 'access_denied' : 'server_error' };
    const back = new URL(question.get('redirect_uri') ?? '');
    back.search = new URLSearchParams({ ...answer, state: question.get('state') ?? '' }).toString();
    response.writeHead(303, { location: back.href }).end();
  }

  const server = createServer(async (request, response) => {
    if (request.url?.startsWith('/sign-in?')) return signIn(request, response);
    const body = await readText(request).catch(() => undefined);
    if (request.method !== 'POST' || request.url !== '/profile') {
      counts.strays += 1;
      return sendJson(response, 404, { error: 'not_found' });
    }
    counts.exchanges += 1;
    if (fault) {
      response.on('close', fault.left);
      fault.answer(response);
      return fault.reached();
    }
    if (request.headers.authorization !== credentials) return sendJson(response, 401, { error: 'invalid_client' });
    const code = new URLSearchParams(body).get('code') ?? '';
    const profile = codes.get(code);
    codes.delete(code);
    return profile ? sendJson(response, 200, profile) : sendJson(response, 400, { error: 'invalid_code' });
  });

  async function start() {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  }

  await start();
  return {
    url: `http://127.0.0.1:${port}`,
    clientId,
    clientSecret,
    people,
    counts,
    issueCode,
    misbehave(answer) {
      const reached = Promise.withResolvers<void>();
      const left = Promise.withResolvers<void>();
      fault = { answer, reached: reached.resolve, left: left.resolve };
      return { reached: reached.promise, left: left.promise };
    },
    behave() {
      fault = undefined;
    },
    async stop() {
      if (!server.listening) return;
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
      // By then, clients in this process have noticed.
      await nextTurn();
    },
    start,
  };
}

/** Answers with this body, as JSON unless it is text. */
export function sendJson(response: ServerResponse, status: number, body: unknown) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json' }).end(text);
}

const CHUNK = 'x'.repeat(64 * 1024);

/** Sends this many bytes, or endlessly, for as long as the other side reads them. */
export function flood(response: ServerResponse, bytes = Infinity) {
  response.writeHead(200, { 'content-type': 'application/json' }).write('{"id":"');
  let left = bytes;
  const write = () => {
    while (left > 0 && !response.destroyed) {
      left -= CHUNK.length;
      if (!response.write(CHUNK)) return void response.once('drain', write);
    }
    response.end('"}');
  };
  write();
}
