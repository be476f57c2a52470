// Addresses: the PostgreSQL servers of one URL, in libpq's form `postgres://USER:PASSWORD@HOST1:PORT,HOST2:PORT/DATABASE`.
import { findTlsProblem } from './server-tls.ts';

const SEVERAL = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#,@]*(?:,[^/?#,@]*)+)([/?#].*)?$/s;

/** The values of libpq's `target_session_attrs` for a server that takes writes. The service needs such a server. */
const WRITABLE = ['read-write', 'primary'];

const POOLER = 'pgbouncer';

/**
 * Whether a pooler hands each transaction to another connection: the parameter `pgbouncer=true`, by which several drivers know it. Then a
 * connection keeps no prepared statement, and has no settings of its own.
 */
export const sharesConnections = (url: string): boolean =>
  splitAddresses(url).some((one) => new URL(one).searchParams.get(POOLER) === 'true');

/** Returns one URL for each server. Returns the URL unchanged if it names one server. */
export function splitAddresses(url: string): string[] {
  const [, before, hosts, after = ''] = SEVERAL.exec(url) ?? [];
  return hosts === undefined ? [url] : hosts.split(',').map((host) => `${before}${host}${after}`);
}

/** Returns the problem of an address as the end of a sentence. It never quotes the address, which may hold a password. */
export function findAddressProblem(url: string): string | undefined {
  const urls = splitAddresses(url);
  const servers = urls.filter((one) => URL.canParse(one)).map((one) => new URL(one));
  if (servers.length < urls.length || !servers.every(({ protocol }) => /^postgres(ql)?:$/.test(protocol))) {
    return 'must be sqlite:PATH or postgres://USER:PASSWORD@HOST/DATABASE; for several servers, HOST1:PORT,HOST2:PORT.';
  }
  if (servers.some(({ searchParams }) => !/^(true|false)$/.test(searchParams.get(POOLER) ?? 'false'))) {
    return `has a parameter ${POOLER} that is neither true nor false.`;
  }
  return (servers.length > 1 ? findContradiction(servers) : undefined) ?? findTlsProblem(urls[0] ?? url);
}

function findContradiction(servers: readonly URL[]): string | undefined {
  const names = servers.map(({ hostname, port }) => `${hostname}:${port || 5432}`);
  if (servers.some(({ hostname }) => hostname === ''))
    return 'names several servers, but one of them has no host name.';
  if (new Set(names).size < names.length) return 'names a server twice.';
  const parameters = servers[0]?.searchParams;
  if (parameters?.has('host') || parameters?.has('port')) {
    return 'names several servers: remove the parameters host and port.';
  }
  const wanted = parameters?.get('target_session_attrs') ?? 'read-write';
  if (WRITABLE.includes(wanted)) return undefined;
  return 'has a target_session_attrs other than read-write, but the service writes.';
}
