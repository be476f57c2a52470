// The cookies of a session: its sealed tokens, and the sign-ins that a browser has begun.
import { toLocalUrl } from '../local-path.ts';
import type { Begun } from './application-tokens.ts';
import { type Attributes, readCookies, readSpread, spread, toName } from './cookies.ts';
import type { SessionRequest, SessionsOptions } from './interface.ts';
import type { Seals } from './seal.ts';
import { type Held, readClientId, toHeld } from './tokens.ts';

/** A sign-in must be completed within this time. So long the service waits, too. */
const REQUEST_SECONDS = 600;

/**
 * Each begun sign-in has a cookie of its own, so that two tabs do not disturb each other. Their names are few: each page view may begin
 * one, if the browser fetches links in advance, and parallel requests do not see each other's cookies.
 */
const PENDING_NAMES = ['r0', 'r1', 'r2', 'r3'];

/** Former versions named them by the beginning of the state. */
const FORMER_MARK_LENGTH = 8;

/**
 * The longest path to return to. With it, a begun sign-in takes less than 1,000 bytes. All of them and a session of one cookie must
 * fit into the 8 kB that nginx takes for a header.
 */
const MAX_PATH_LENGTH = 400;

/** So long browsers keep a cookie at most (RFC 6265bis, 5.5). The service says how long it trusts a device. */
const DEVICE_SECONDS = 400 * 86_400;

/** Hosts of this machine, for which browsers keep cookies without https. */
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** A sign-in that a browser has begun, and the path where it goes on. */
export type Pending = { readonly begun: Begun; readonly returnTo: string };

export interface Jar {
  read(request: SessionRequest): Promise<Held | undefined>;
  /** Returns headers that keep these tokens, or remove the former ones. */
  write(request: SessionRequest, held: Held | undefined): Promise<Headers>;
  /** Returns the secret of the trusted device that the browser is. */
  readDevice(request: SessionRequest): Promise<string | undefined>;
  keepDevice(request: SessionRequest, secret: string): Promise<Headers>;
  keepPending(request: SessionRequest, pending: Pending): Promise<Headers>;
  /** Returns the sign-in with this state, and headers that remove its cookie. */
  takePending(request: SessionRequest, state: string): Promise<{ pending: Pending; headers: Headers } | undefined>;
}

export function createJar(options: SessionsOptions, seals: Seals): Jar {
  const { cookieName = 'latchkey', maxAgeSeconds, application } = options;

  const attributesFor = ({ url }: SessionRequest, age: number | undefined): Attributes => {
    const { protocol, hostname } = new URL(application?.redirectUri ?? url);
    // Behind a proxy that ends TLS, a request says http, and its host tells.
    return { isSecure: protocol === 'https:' || !LOOPBACK.test(hostname), maxAgeSeconds: age };
  };
  /** Applications may have the same secret. A session of one of them is none of the others. Tokens of the service have no ID token. */
  const isOwn = (held: Held) =>
    application
      ? held.idToken !== undefined && readClientId(held) === application.clientId
      : held.idToken === undefined;
  const deviceName = `${cookieName}-device`;

  return {
    async read(request) {
      const name = toName(cookieName, attributesFor(request, undefined));
      const value = readSpread(readCookies(request.headers), name);
      const held = value === undefined ? undefined : toHeld(await seals.open('session', value));
      return held && isOwn(held) ? held : undefined;
    },
    async write(request, held) {
      const attributes = attributesFor(request, maxAgeSeconds);
      const value = held ? await seals.seal('session', held) : '';
      return spread(readCookies(request.headers), toName(cookieName, attributes), value, attributes);
    },
    async readDevice(request) {
      const name = toName(deviceName, attributesFor(request, undefined));
      const content = await seals.open('device', readCookies(request.headers).get(name) ?? '');
      return typeof content?.secret === 'string' ? content.secret : undefined;
    },
    async keepDevice(request, secret) {
      const attributes = attributesFor(request, DEVICE_SECONDS);
      return spread(new Map(), toName(deviceName, attributes), await seals.seal('device', { secret }), attributes);
    },
    async keepPending(request, pending) {
      const attributes = attributesFor(request, REQUEST_SECONDS);
      const cookies = readCookies(request.headers);
      const names = PENDING_NAMES.map((end) => toName(`${cookieName}.${end}`, attributes));
      const free = names.filter((name) => !cookies.has(name));
      const among = free.length > 0 ? free : names;
      // By the state, which is random: parallel requests take different ones.
      const [name = ''] = among.slice(pending.begun.state.charCodeAt(0) % among.length);
      return spread(new Map(), name, await seals.seal('request', pending), attributes);
    },
    async takePending(request, state) {
      const attributes = attributesFor(request, undefined);
      const cookies = readCookies(request.headers);
      for (const end of [...PENDING_NAMES, state.slice(0, FORMER_MARK_LENGTH)]) {
        const name = toName(`${cookieName}.${end}`, attributes);
        const pending = toPending(await seals.open('request', cookies.get(name) ?? ''), state);
        if (pending) return { pending, headers: spread(cookies, name, '', attributes) };
      }
      return undefined;
    },
  };
}

function toPending(content: Record<string, unknown> | undefined, state: string): Pending | undefined {
  // The seal says that this module has written it.
  const pending = content as Pending | undefined;
  return pending?.begun.state === state ? pending : undefined;
}

/** Returns a path of this application as it goes into `Location`. Any other text, and a path that is too long to keep, becomes `/`. */
export function toLocalPath(text: string): string {
  const url = toLocalUrl(text, 'https://app.invalid');
  const path = url ? url.pathname + url.search + url.hash : '/';
  return path.length > MAX_PATH_LENGTH ? '/' : path;
}
