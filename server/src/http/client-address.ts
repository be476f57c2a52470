// The client's address and its rate-limit keys. Forwarding headers count only if a trusted proxy sent them.
import { isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { networksOf } from '../foundation/networks.ts';

/** The facts of a request that show its client. Node gives headers with several lines as one text or as a list. */
export type RequestSource = {
  /** The address of the connection's peer. Undefined if the connection is already closed. */
  readonly socketAddress: string | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
};

export type ClientAddress = {
  /** Canonical: dotted IPv4 (also for IPv4-mapped IPv6), or IPv6 as in RFC 5952. Without port and zone. */
  readonly address: string;
  /** The key of the rate-limit budget: the IPv4 address, or the /64 network for IPv6, which one subscriber controls. */
  readonly budgetKey: string;
  /** The key of a second budget: the /48 network for IPv6, which one subscriber may control. None for IPv4. */
  readonly siteKey: string | undefined;
  /** Whether a peer that is not a trusted proxy sent forwarding headers. If it is a proxy, all its clients share one budget. */
  readonly hasUntrustedForwarding: boolean;
};

/** The rate-limit budgets that a request uses. */
export type Budgets = Pick<ClientAddress, 'budgetKey' | 'siteKey'>;

type Ip = ReturnType<typeof ipaddr.parse>;
type Network = readonly [Ip, number];

/** Longer than any address with brackets, zone and port. Longer texts are ignored. */
const MAX_NODE_LENGTH = 100;

/** Longer than the element that a proxy writes about one hop. */
const MAX_ELEMENT_LENGTH = 1000;

/** The address of a peer that has already disconnected. All such peers share one budget. */
const UNKNOWN_PEER = ipaddr.parse('0.0.0.0');

/**
 * Parses `LATCHKEY_TRUSTED_PROXIES`: IP addresses and CIDR ranges, separated by commas or spaces.
 * @throws Error that names the first wrong entry.
 */
export function parseTrustedProxies(text: string): string[] {
  const entries = text.split(/[\s,]+/).filter((entry) => entry !== '');
  for (const entry of entries) parseNetwork(entry);
  return entries;
}

function parseNetwork(entry: string): Network {
  const [addressText = '', bitsText, ...rest] = entry.split('/');
  const bare = isIPv4(addressText) || (isIPv6(addressText) && !addressText.includes('%'));
  if (!bare || rest.length > 0) throw badEntry(entry);
  const given = ipaddr.parse(addressText);
  const address = ipaddr.process(addressText);
  const width = given.kind() === 'ipv4' ? 32 : 128;
  if (bitsText === undefined) return [address, address.kind() === 'ipv4' ? 32 : 128];
  const bits = /^\d{1,3}$/.test(bitsText) ? Number(bitsText) : Number.NaN;
  const dropped = given.kind() === address.kind() ? 0 : 96;
  if (!(bits >= dropped && bits <= width)) throw badEntry(entry);
  return [address, bits - dropped];
}

const badEntry = (entry: string) =>
  new Error(`"${entry}" is neither an IP address nor a CIDR range such as 10.0.0.0/8 or fd00::/8.`);

/**
 * Finds the client behind trusted proxies (RFC 7239, and `X-Forwarded-For`). Clients that forge these headers do not
 * escape their rate limit (authentik CVE-2024-47070). The walk starts at the peer and follows trusted hops from right to
 * left. The first untrusted hop is the client. An unreadable hop ends the walk at the hop before: at worst, the proxy.
 *
 * If a request has both headers, one may be forged: most proxies write one and forward the other unchanged. So the
 * headers count only if they agree. Otherwise the proxy's own address counts as the client.
 *
 * @param trustedProxies the result of `parseTrustedProxies`.
 */
export function createClientAddress({ trustedProxies }: { trustedProxies: readonly string[] }): {
  resolve(source: RequestSource): ClientAddress;
} {
  const networks = trustedProxies.map(parseNetwork);
  const isTrusted = (ip: Ip) =>
    networks.some(([network, bits]) => network.kind() === ip.kind() && ip.match(network, bits));

  function walk(peer: Ip, header: string, readHop: (element: string) => Ip | undefined): Ip {
    let current = peer;
    for (let end = header.length; end >= 0 && isTrusted(current); ) {
      const comma = end === 0 ? -1 : header.lastIndexOf(',', end - 1);
      const hop = readHop(header.slice(comma + 1, end));
      if (!hop) break;
      current = hop;
      end = comma;
    }
    return current;
  }

  return {
    resolve({ socketAddress, headers }) {
      const peer = parseAddress(socketAddress ?? '') ?? UNKNOWN_PEER;
      const xForwardedFor = joinLines(headers['x-forwarded-for']);
      const forwarded = joinLines(headers.forwarded);
      const isForwarded = xForwardedFor !== undefined || forwarded !== undefined;
      if (!isForwarded || !isTrusted(peer)) return describe(peer, isForwarded);
      const clients = [
        ...(xForwardedFor === undefined ? [] : [walk(peer, xForwardedFor, parseNode)]),
        ...(forwarded === undefined ? [] : [walk(peer, forwarded, parseForwardedElement)]),
      ];
      const [client = peer, other = client] = clients;
      return describe(client.toString() === other.toString() ? client : peer, false);
    },
  };
}

const joinLines = (header: string | readonly string[] | undefined) =>
  typeof header === 'string' || header === undefined ? header : header.join(',');

function describe(ip: Ip, hasUntrustedForwarding: boolean): ClientAddress {
  const address = ip.toString();
  const [budgetKey, siteKey] = networksOf(address);
  return { address, budgetKey, siteKey, hasUntrustedForwarding };
}

/** Parses only the strict spellings that Node's parser accepts: no octal, hexadecimal or shortened IPv4. */
function parseAddress(text: string): Ip | undefined {
  if (isIPv4(text)) return ipaddr.parse(text);
  if (!isIPv6(text)) return undefined;
  return ipaddr.process(text.replace(/%.*$/, ''));
}

/** Parses a hop as proxies write it: an address, bare or quoted, with or without brackets and port. */
function parseNode(text: string): Ip | undefined {
  if (text.length > MAX_NODE_LENGTH) return undefined;
  const node = text.trim().replace(/^"(.*)"$/, '$1');
  const address = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(node)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(node)?.[1] ?? node;
  if (node.startsWith('[') && !isIPv6(address)) return undefined;
  return parseAddress(address);
}

/**
 * Parses the `for` of one element of `Forwarded`. Elements are split at every comma, even inside quotes: otherwise a
 * client could leave a quote open around the element that the proxy adds. A piece of a quoted text never parses,
 * because its quotes are unbalanced.
 */
function parseForwardedElement(element: string): Ip | undefined {
  if (element.length > MAX_ELEMENT_LENGTH) return undefined;
  let node: string | undefined;
  for (const pair of element.split(';')) {
    const [, name, value] = /^[ \t]*([\w!#$%&'*+.^`|~-]+)=("(?:[^"\\]|\\.)*"|[^\s"\\]*)[ \t]*$/.exec(pair) ?? [];
    if (name === undefined) return undefined;
    if (name.toLowerCase() !== 'for') continue;
    if (node !== undefined) return undefined;
    node = value;
  }
  return node === undefined ? undefined : parseNode(node);
}
