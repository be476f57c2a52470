// Secure URLs: traffic to them cannot be read on the network.

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Returns whether a host name, as in `URL.hostname`, is a loopback address. */
export const isLoopbackHost = (hostname: string): boolean => LOOPBACK.test(hostname);

/** Returns whether the URL uses https, or http to a loopback address. */
export const isSecureUrl = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname));
