// What tests with real clients share: the service on a port, and the browser of a person who signs in to applications.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { createRunningClock } from './clock.ts';
import type { Engine } from './databases.ts';
import { findFreePort } from './ports.ts';
import { startTestService, type TestService } from './service.ts';

/** The service with one person, `ann`, who has the role `editor`. */
export interface Provider {
  readonly test: TestService;
  /** The issuer. */
  readonly url: string;
  /** The `sub` of the person. */
  readonly sub: string;
  close(): Promise<void>;
}

/** Starts the service on a port of this machine. Its clock runs, because clients have clocks of their own. */
export async function startProvider(
  engine: Engine = 'sqlite',
  options: { trustedProxies?: string[] } = {},
): Promise<Provider> {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const test = await startTestService(engine, { ...options, publicUrl: url, clock: createRunningClock() });
  await test.app.listen({ host: '127.0.0.1', port });
  const person = { name: 'Ann', surname: 'Lee', emailAddress: 'ann@example.com', isEmailConfirmed: true };
  const id = await test.createUser('ann', { ...person, roleNames: ['editor'] });
  return { test, url, sub: String(id), close: () => test.close() };
}

/** Where a browser has come to. `form`: what it posts there. */
export type Arrival = {
  readonly url: URL;
  readonly status: number;
  readonly text: string;
  readonly form: string | null;
};

type Request = { readonly url: URL; readonly form: string | null };
type Sent = { readonly method?: string; readonly headers?: Readonly<Record<string, string>>; readonly body?: string };

/** What browsers send as they go from page to page. Programs tell them from scripts by it, and `fetch` cannot send it. */
const NAVIGATION = { accept: 'text/html,*/*;q=0.8', 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'cross-site' };

const MOST_STEPS = 25;

/** The browser of a person: it keeps cookies, follows redirects, posts forms that post themselves, and signs in where it is asked. */
export function openPerson({ test, url: issuer }: Provider, userName = 'ann') {
  /** By host name, as browsers keep them: the port does not count. */
  const jars = new Map<string, Map<string, string>>();
  const jarOf = ({ hostname }: URL) => {
    const jar = jars.get(hostname) ?? new Map<string, string>();
    jars.set(hostname, jar);
    return jar;
  };

  function keep(url: URL, lines: readonly string[]) {
    for (const line of lines) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      const [, expires] = /;\s*expires=([^;]*)/i.exec(line) ?? [];
      const isOver = /;\s*max-age=0\b/i.test(line) || (expires !== undefined && Date.parse(expires) < Date.now());
      if (isOver) jarOf(url).delete(name);
      else jarOf(url).set(name, value);
    }
  }

  async function send(url: URL, { method = 'GET', headers = {}, body = '' }: Sent = {}) {
    const cookie = [...jarOf(url)].map((pair) => pair.join('=')).join('; ');
    const sending = request(url, { method, headers: { ...headers, ...(cookie !== '' && { cookie }) } });
    sending.end(body);
    const [answer] = (await once(sending, 'response')) as [IncomingMessage];
    keep(url, answer.headers['set-cookie'] ?? []);
    const { statusCode: status = 0 } = answer;
    return { status, location: answer.headers.location, text: await readText(answer) };
  }

  /** Answers an application for the person, as the sign-in page does. @returns where the browser goes. */
  async function signIn(authorization: string, consent?: boolean): Promise<string | null> {
    const answer = await send(new URL('/api/services/app/Authorization/Continue', issuer), {
      method: 'POST',
      headers: { authorization: `Bearer ${await test.signIn(userName)}`, 'content-type': 'application/json' },
      body: JSON.stringify({ authorization, consent }),
    });
    assert.equal(answer.status, 200, answer.text);
    return JSON.parse(answer.text).result.redirectTo;
  }

  /** Makes one step. @returns the next one, or where the browser has come to. */
  async function step({ url, form }: Request): Promise<Request | Arrival> {
    const authorization = url.pathname === '/login' ? url.searchParams.get('authorization') : null;
    if (url.origin === issuer && authorization !== null) {
      return { url: new URL((await signIn(authorization)) ?? issuer), form: null };
    }
    const headers = form === null ? NAVIGATION : { ...NAVIGATION, 'content-type': 'application/x-www-form-urlencoded' };
    const sent = form === null ? { headers } : { method: 'POST', headers, body: form };
    const { status, location, text } = await send(url, sent);
    if (location !== undefined) return { url: new URL(location, url), form: null };
    const posted = status === 200 ? readForm(text) : undefined;
    if (posted) return { url: new URL(posted.action, url), form: posted.form };
    return { url, status, text, form };
  }

  return {
    jarOf: (url: string) => jarOf(new URL(url)),
    /**
     * Opens an address, and goes on until a page has come.
     * @param until the beginning of an address at which no server listens: the browser stops before it.
     */
    async open(start: string | URL, { until, form = null }: { until?: string; form?: string | null } = {}) {
      let next: Request = { url: new URL(start), form };
      for (let steps = 0; steps < MOST_STEPS; steps += 1) {
        if (until !== undefined && next.url.href.startsWith(until)) return { ...next, status: 0, text: '' };
        const done: Request | Arrival = await step(next);
        if ('status' in done) return done;
        next = done;
      }
      return assert.fail(`The browser was redirected ${MOST_STEPS} times, at last to ${next.url.href}.`);
    },
    /** Types the code of a device, and agrees. */
    async allowDevice(userCode: string) {
      const find = new URL('/api/services/app/Device/Get', issuer);
      find.searchParams.set('userCode', userCode);
      const { authorization } = JSON.parse((await send(find)).text).result;
      assert.equal(await signIn(authorization, true), null);
    },
  };
}
export type Person = ReturnType<typeof openPerson>;

/** Reads the form of a page whose script submits it. */
function readForm(html: string): { action: string; form: string } | undefined {
  const [, action] = /<form method="post" action="([^"]*)">/i.exec(html) ?? [];
  if (action === undefined || !/\.submit\(\)/.test(html)) return undefined;
  const fields = [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
  const form = new URLSearchParams(fields.map(([, name = '', value = '']) => [toText(name), toText(value)]));
  return { action: toText(action), form: form.toString() };
}

const toText = (html: string) => html.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));
