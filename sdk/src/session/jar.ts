// The cookies of a session: its sealed tokens, and the sign-ins that a browser has begun.
import { toLocalUrl } from '../local-path.ts';
import type { Begun } from './application-tokens.ts';
import { type Attributes, readCookies, readSpread, spread, toName } from './cookies.ts';
import type { SessionRequest, SessionsOptions } from './interface.ts';
import type { Seals } from './seal.ts';
import { type Held, readClientId, toHeld } from './tokens.ts';

/** A sign-in must be completed within this time. So long the service waits, too. */
const REQUEST_SECONDS = 600;

/** Each sign-in has a cookie of its own, so that two tabs do not disturb each other. This much of the state tells them apart. */
const MARK_LENGTH = 8;

/**
 * The most sign-ins that a browser has begun and not completed. Each page view may begin one, if the browser fetches links in
 * advance, and servers refuse requests with too many cookies.
 */
const MOST_PENDING = 8;

/** The longest path to return to. All begun sign-ins together must fit into the header of a request. */
const MAX_PATH_LENGTH = 1000;

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
  takePending(request: SessionRequest, state: string): Promise<{ pending: Pending | undefined; headers: Headers }>;
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
  function isPending(name: string, attributes: Attributes) {
    const beginning = toName(`${cookieName}.`, attributes);
    return name.startsWith(beginning) && name.length === beginning.length + MARK_LENGTH;
  }
  const deviceName = `${cookieName}-device`;
  const markOf = (state: string) => `${cookieName}.${state.slice(0, MARK_LENGTH)}`;

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
      const name = toName(markOf(pending.begun.state), attributes);
      const headers = spread(new Map(), name, await seals.seal('request', pending), attributes);
      const cookies = readCookies(request.headers);
      // Browsers send the oldest first (RFC 6265, 5.4).
      const others = [...cookies.keys()].filter((one) => isPending(one, attributes));
      for (const one of others.slice(0, Math.max(0, others.length - MOST_PENDING + 1)))
        for (const line of spread(cookies, one, '', attributes).getSetCookie()) headers.append('set-cookie', line);
      return headers;
    },
    async takePending(request, state) {
      const attributes = attributesFor(request, undefined);
      const name = toName(markOf(state), attributes);
      const cookies = readCookies(request.headers);
      const content = await seals.open('request', cookies.get(name) ?? '');
      return { pending: toPending(content, state), headers: spread(cookies, name, '', attributes) };
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
