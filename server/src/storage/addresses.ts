// Addresses: the PostgreSQL servers that one URL names, in libpq's form `postgres://USER:PASSWORD@HOST1:PORT,HOST2:PORT/DATABASE`.

const SEVERAL = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#,@]*(?:,[^/?#,@]*)+)([/?#].*)?$/s;

/** What libpq calls a server that takes writes; the service needs no other. */
const WRITABLE = ['read-write', 'primary'];

/** A URL for each server; the URL as it is when it names one. */
export function splitAddresses(url: string): string[] {
  const [, before, hosts, after = ''] = SEVERAL.exec(url) ?? [];
  return hosts === undefined ? [url] : hosts.split(',').map((host) => `${before}${host}${after}`);
}

/** What is wrong with an address, as the end of a sentence that repeats nothing of it: it may hold a password. */
export function findAddressProblem(url: string): string | undefined {
  const urls = splitAddresses(url);
  const servers = urls.filter((one) => URL.canParse(one)).map((one) => new URL(one));
  if (servers.length < urls.length || !servers.every(({ protocol }) => /^postgres(ql)?:$/.test(protocol))) {
    return 'must be sqlite:PATH or postgres://USER:PASSWORD@HOST/DATABASE; of several servers, HOST1:PORT,HOST2:PORT.';
  }
  return servers.length > 1 ? findContradiction(servers) : undefined;
}

function findContradiction(servers: readonly URL[]): string | undefined {
  const names = servers.map(({ hostname, port }) => `${hostname}:${port || 5432}`);
  if (servers.some(({ hostname }) => hostname === '')) return 'names several servers, but one of them has no name.';
  if (new Set(names).size < names.length) return 'names a server twice.';
  const parameters = servers[0]?.searchParams;
  if (parameters?.has('host') || parameters?.has('port')) {
    return 'names several servers, so it may have no parameter host or port.';
  }
  const wanted = parameters?.get('target_session_attrs') ?? 'read-write';
  if (WRITABLE.includes(wanted)) return undefined;
  return 'may have no target_session_attrs but read-write: the service writes.';
}
