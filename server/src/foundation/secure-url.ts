// Addresses that nobody can listen in on the way to: https, or http that does not leave this machine.

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Whether this host, as URLs write it, is the very machine. */
export const isThisMachine = (hostname: string): boolean => LOOPBACK.test(hostname);

export const isSecureUrl = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || (protocol === 'http:' && isThisMachine(hostname));
