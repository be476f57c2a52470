// Networks: the address ranges that one subscriber, or one site, controls.
import ipaddr from 'ipaddr.js';

/**
 * Returns the networks that count as one caller, smallest first: the /64 (a subscriber) and the /48 (a site) of an IPv6
 * address, or the IPv4 address itself.
 * @param address canonical: dotted IPv4, or IPv6 as in RFC 5952.
 */
export function networksOf(address: string): [smallest: string, site?: string] {
  if (!address.includes(':')) return [address];
  const network = (bits: number) => `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/${bits}`)}/${bits}`;
  return [network(64), network(48)];
}
