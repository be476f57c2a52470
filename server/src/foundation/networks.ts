// Networks: which addresses one subscriber, or one site, has all of.
import ipaddr from 'ipaddr.js';

/**
 * The networks whose addresses count as one caller, smallest first: of an IPv6 address its /64 (a subscriber) and its /48
 * (a site); an IPv4 address itself.
 * @param address canonical: dotted IPv4, or IPv6 as in RFC 5952.
 */
export function networksOf(address: string): [smallest: string, site?: string] {
  if (!address.includes(':')) return [address];
  const network = (bits: number) => `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/${bits}`)}/${bits}`;
  return [network(64), network(48)];
}
