// Egress: requests to addresses that administrators name. They reach the public internet, and nothing behind its edge.
import type { Agent, AgentOptions, IncomingMessage, RequestOptions } from 'node:http';
import { isIP } from 'node:net';
import { Readable } from 'node:stream';
import ipaddr from 'ipaddr.js';
import { isProperHost } from './host-name.ts';
import { createResolver } from './resolver.ts';
import { isSecureUrl } from './secure-url.ts';

/** An address that the service does not call. The message is a sentence for administrators, and names no address. */
export class EgressRefusal extends Error {
  override readonly name = 'EgressRefusal';
}

/** What else may be called: `LATCHKEY_EGRESS_ALLOW`. */
export type EgressAllowance = {
  readonly hosts: ReadonlySet<string>;
  readonly networks: readonly ReturnType<typeof ipaddr.parseCIDR>[];
};

/** What an address may be besides https. */
export type EgressOptions = {
  /** Whether it may lead to this machine, with http too. In development, http to it is open to all. */
  readonly allowsLoopback?: boolean;
};

export type EgressRequest = EgressOptions & {
  readonly method: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /**
   * Keeps the connection for some seconds, for calls like this one whose name has the same addresses. When the server ends it
   * meanwhile, the request is sent again over a new one. The server may get it twice.
   */
  readonly keepsConnection?: boolean;
  /** Ends the request, also while its answer is read. */
  readonly signal: AbortSignal;
};

export interface Egress {
  /**
   * Checks an address before it is stored: https, and no user name, password or fragment. In development also http to this
   * machine. A host that is an IP address is checked as `fetch` does.
   * @throws EgressRefusal
   */
  check(address: string, options?: EgressOptions): void;
  /**
   * Calls an address that passes all checks. All addresses of its name are checked, and the connection goes to one of them. It
   * follows no redirect, and does not decompress.
   * @returns the answer. Reading its body fails after 1 MiB. A caller that does not read it cancels it, and its connection ends.
   * @throws EgressRefusal before anything is sent, or the error of the resolver or the connection.
   */
  fetch(address: string, request: EgressRequest): Promise<Response>;
}

type Ip = ReturnType<typeof ipaddr.parse>;

/** A request, and the addresses to which it may go. */
type CheckedOptions = RequestOptions & { readonly checked: readonly string[] };

type Client = { readonly request: typeof import('node:http').request; readonly agent: Agent };

const MAX_BYTES = 1024 * 1024;

/** How long a connection is kept without a call. Most servers end it later than this. */
const KEPT_MS = 4000;

/** The server has ended a connection that was kept, before it answered. */
const keptEnded = new Error('The server has ended the connection.');
const ENDED = ['ECONNRESET', 'EPIPE'];

const NOT_PUBLIC =
  'This host is not on the public internet. If the service may call it, list it in LATCHKEY_EGRESS_ALLOW.';

/** All global unicast addresses of IPv6 are in this network (RFC 4291, 2.4). */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** @param deps.resolve returns all addresses of a name. */
export function createEgress(deps: {
  allowance: EgressAllowance;
  /** Whether plain http to loopback addresses is open. */
  isDevelopment: boolean;
  resolve?: (name: string) => Promise<readonly string[]>;
}): Egress {
  const { allowance, isDevelopment, resolve = createResolver() } = deps;
  const clients = new Map<string, Promise<Client>>();

  /** Loaded when first needed: with them Node loads its fetch. */
  function clientOf({ protocol }: URL): Promise<Client> {
    const client =
      clients.get(protocol) ?? (protocol === 'https:' ? import('node:https') : import('node:http')).then(toClient);
    clients.set(protocol, client);
    return client;
  }

  function parse(address: string, { allowsLoopback = isDevelopment }: EgressOptions): URL {
    if (!URL.canParse(address))
      throw new EgressRefusal('Write a whole address, such as https://app.example.com/events.');
    const url = new URL(address);
    if (url.protocol !== 'https:' && !(allowsLoopback && isSecureUrl(url)))
      throw new EgressRefusal('The address must begin with https://.');
    if (!isProperHost(url.hostname.replace(/\.$/, ''))) throw new EgressRefusal('The address has no proper host name.');
    if (url.username || url.password || url.hash)
      throw new EgressRefusal('The address must have no user name, password or fragment.');
    return url;
  }

  const allows = (host: string, ip: Ip) =>
    allowance.hosts.has(host) ||
    allowance.networks.some(([network, bits]) => network.kind() === ip.kind() && ip.match(network, bits));

  /** @throws EgressRefusal unless all of these addresses may be called. */
  function requirePermitted(url: URL, host: string, addresses: readonly string[], { allowsLoopback }: EgressOptions) {
    const isPlain = url.protocol === 'http:';
    for (const address of addresses) {
      const ip = ipaddr.parse(address);
      const isHere = ip.range() === 'loopback' && (isPlain || allowsLoopback === true);
      const isPermitted = isHere || (!isPlain && (isPublic(ip) || allows(host, ip)));
      if (!isPermitted) throw new EgressRefusal(isPlain ? 'Only a host on this machine may use http.' : NOT_PUBLIC);
    }
  }

  return {
    check(address, options = {}) {
      const url = parse(address, options);
      const host = hostOf(url);
      if (isIP(host)) requirePermitted(url, host, [host], options);
    },

    async fetch(address, { method, headers = {}, body, keepsConnection, signal, ...options }) {
      const url = parse(address, options);
      const host = hostOf(url);
      const addresses = isIP(host) ? [host] : await abortable(resolve(host), signal);
      requirePermitted(url, host, addresses, options);
      const found = addresses.map((one) => ({ address: one, family: isIP(one) }));
      const { request, agent } = await clientOf(url);
      const send = (through: Agent | false) =>
        new Promise<IncomingMessage>((answered, failed) => {
          const options: CheckedOptions = {
            method,
            headers: { ...headers, 'accept-encoding': 'identity' },
            signal,
            agent: through,
            checked: addresses,
            // Node asks for all addresses at once, to try them in turn.
            lookup: (_host, _options, done) => done(null, found),
          };
          const sent = request(url, options);
          const fail = (error: NodeJS.ErrnoException) =>
            failed(sent.reusedSocket && ENDED.includes(error.code ?? '') ? keptEnded : error);
          // After an answer that Node does not know, the connection ends without an error.
          const end = () => failed(new Error('The connection was closed without an answer.'));
          sent.once('response', answered).on('error', fail).once('close', end).end(body);
        });
      const answer = await send(keepsConnection ? agent : false).catch((error) => {
        if (error !== keptEnded) throw error;
        return send(false);
      });
      return toResponse(answer);
    },
  };
}

/** Reads the rest of an answer and forgets it, so that its connection can be used again. @returns the answer. */
export async function drain(answer: Response): Promise<Response> {
  // What went wrong while it was read changes nothing: the answer is in its head.
  await answer.body?.pipeTo(new WritableStream()).catch(() => {});
  return answer;
}

/**
 * Returns a `fetch` through the guard, for libraries that take one. It knows GET and POST, and bodies that are texts or forms.
 * A redirect is an answer like others: the caller refuses it.
 * @param signal aborts all requests, also while their answers are being read.
 */
export function createEgressFetch(egress: Egress, signal: AbortSignal): typeof fetch {
  return async (input, init = {}) => {
    const { method = 'GET', headers, body } = init;
    if (method !== 'GET' && method !== 'POST') throw new TypeError(`The method ${method} is not supported.`);
    return egress.fetch(input instanceof Request ? input.url : String(input), {
      method,
      headers: Object.fromEntries(new Headers(headers)),
      ...(body !== undefined && body !== null && { body: String(body) }),
      signal: init.signal ? AbortSignal.any([init.signal, signal]) : signal,
    });
  };
}

/** Keeps connections for calls of the same name with the same addresses. Each connection proves its certificate. */
function toClient({ request, Agent }: Pick<typeof import('node:http'), 'request' | 'Agent'>): Client {
  class CheckedAgent extends Agent {
    override getName(options: AgentOptions & Partial<CheckedOptions> = {}) {
      return `${super.getName(options)} ${options.checked?.toSorted()}`;
    }
  }
  const options = { keepAlive: true, timeout: KEPT_MS, maxCachedSessions: 0 };
  return { request, agent: new CheckedAgent(options) };
}

/** Returns the host as the operator lists it: in lower case, an IPv6 address without brackets, a name without a dot at its end. */
const hostOf = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');

/** Whether the address is global unicast, and no other one in disguise: mapped, translated or tunnelled (RFC 6890). */
function isPublic(ip: Ip): boolean {
  if (ip.range() !== 'unicast') return false;
  return ip.kind() === 'ipv4' || ip.match(GLOBAL_IPV6);
}

function abortable<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const aborted = new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  return Promise.race([work, aborted]);
}

/** Statuses whose answers have no body (RFC 9110, 15). */
const RESET_CONTENT = 205;
const WITHOUT_BODY = [204, RESET_CONTENT, 304];

function toResponse(answer: IncomingMessage): Response {
  const { statusCode = 0, headers } = answer;
  if (statusCode < 200 || statusCode > 599) {
    answer.destroy();
    throw new Error(`The answer has the unknown status ${statusCode}.`);
  }
  const given = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one]),
  );
  const init = { status: statusCode, headers: given };
  if (!WITHOUT_BODY.includes(statusCode)) return new Response(toBody(answer), init);
  // Some send a body nevertheless, without an end. Node would read that of a 205.
  if (statusCode === RESET_CONTENT) answer.destroy();
  else answer.resume();
  return new Response(null, init);
}

function toBody(answer: IncomingMessage): ReadableStream {
  const counted = answer.compose(countBytes);
  // Node and the types of the web name the same class twice.
  return Readable.toWeb(counted) as ReadableStream;
}

async function* countBytes(chunks: AsyncIterable<Buffer>) {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES) throw new Error(`The answer has more than ${MAX_BYTES} bytes.`);
    yield chunk;
  }
}

/**
 * Parses `LATCHKEY_EGRESS_ALLOW`: IP addresses, CIDR ranges and host names, separated by commas or spaces.
 * @throws Error that names the first wrong entry.
 */
export function parseEgressAllowance(text: string): EgressAllowance {
  const entries = text.split(/[\s,]+/).filter((entry) => entry !== '');
  const hosts = new Set<string>();
  const networks: EgressAllowance['networks'][number][] = [];
  for (const entry of entries) {
    const host = entry.toLowerCase().replace(/\.$/, '');
    if (isIP(entry)) networks.push(ipaddr.parseCIDR(`${entry}/${isIP(entry) === 4 ? 32 : 128}`));
    else if (ipaddr.isValidCIDR(entry)) networks.push(ipaddr.parseCIDR(entry));
    else if (isProperHost(host) && /[^\d.]/.test(host)) hosts.add(host);
    else
      throw new Error(`"${entry}" is no host name, IP address or CIDR range, such as hooks.internal or 10.1.0.0/16.`);
  }
  return { hosts, networks };
}
