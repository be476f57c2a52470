// Who is asking: the client's address and its rate-limit key, taken from forwarding headers only where a trusted proxy
// wrote them.
import { isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { networksOf } from '../foundation/networks.ts';

/** What a request tells of where it came from. Headers as Node gives them; several lines may be one text or a list. */
export type Arrival = {
  /** The peer of the connection; undefined when it has gone already. */
  readonly socketAddress: string | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
};

export type ClientAddress = {
  /** Canonical: dotted IPv4 (also for IPv4-mapped IPv6), or IPv6 as in RFC 5952; no port, no zone. */
  readonly address: string;
  /** Whose rate-limit budget it uses: the address, or its /64 network for IPv6, of which one subscriber has all. */
  readonly budgetKey: string;
  /** Whose budget it uses besides: its /48 network for IPv6, of which one subscriber may have all; none for IPv4. */
  readonly siteKey: string | undefined;
  /**
   * Did a peer that is no trusted proxy send forwarding headers? If it is a proxy, all its clients share one budget.
   */
  readonly forwardedByStranger: boolean;
};

/** The rate-limit budgets that a request uses. */
export type Budgets = Pick<ClientAddress, 'budgetKey' | 'siteKey'>;

type Ip = ReturnType<typeof ipaddr.parse>;
type Network = readonly [Ip, number];

/** Longer than any address with brackets, zone and port; nothing longer is looked at. */
const MAX_NODE_LENGTH = 100;

/** Longer than what a proxy writes about one hop. */
const MAX_ELEMENT_LENGTH = 1000;

/** Stands for a peer that is not known any more: all of those share one budget. */
const NOBODY = ipaddr.parse('0.0.0.0');

/**
 * Reads `LATCHKEY_TRUSTED_PROXIES`: IP addresses and CIDR ranges, separated by commas or spaces.
 * @throws Error whose message says which entry is wrong.
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
 * Finds the client behind trusted proxies (RFC 7239; the de-facto `X-Forwarded-For`), against who writes these headers
 * to get past a limit (authentik CVE-2024-47070). From the peer on, hops are followed from right to left for as long as
 * they are trusted; the first one that is not is the client. What cannot be read ends the walk at the last hop that
 * could: at worst the proxy itself.
 *
 * Both headers at once: most proxies write one and pass the other through as the client sent it, and nothing tells
 * which. So they are believed where they agree; where they differ, neither is, and the client is counted under the
 * proxy's own address.
 *
 * @param trustedProxies as `parseTrustedProxies` gives them.
 */
export function createClientAddress({ trustedProxies }: { trustedProxies: readonly string[] }): {
  resolve(arrival: Arrival): ClientAddress;
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
      const peer = parseAddress(socketAddress ?? '') ?? NOBODY;
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

function describe(ip: Ip, forwardedByStranger: boolean): ClientAddress {
  const address = ip.toString();
  const [budgetKey, siteKey] = networksOf(address);
  return { address, budgetKey, siteKey, forwardedByStranger };
}

/** Only the strict spellings that Node's own parser takes: no octal, hexadecimal or shortened IPv4. */
function parseAddress(text: string): Ip | undefined {
  if (isIPv4(text)) return ipaddr.parse(text);
  if (!isIPv6(text)) return undefined;
  return ipaddr.process(text.replace(/%.*$/, ''));
}

/** A hop as proxies spell it: an address, bare, quoted, in brackets, with a port or without. */
function parseNode(text: string): Ip | undefined {
  if (text.length > MAX_NODE_LENGTH) return undefined;
  const node = text.trim().replace(/^"(.*)"$/, '$1');
  const address = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(node)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(node)?.[1] ?? node;
  if (node.startsWith('[') && !isIPv6(address)) return undefined;
  return parseAddress(address);
}

/**
 * The `for` of one element of `Forwarded`. Elements are cut at every comma, also one in quotes, because who writes the
 * left part of the header could leave a quote open around what the proxy adds; a piece of a quoted text never reads as
 * an element, its quotes being uneven.
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
