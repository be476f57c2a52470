// The resolver: finds the addresses of a host name, and remembers them as long as its nameservers allow.
import { lookup, Resolver } from 'node:dns/promises';
import { type Clock, systemClock } from './clock.ts';

/** The addresses of a name, and for how many seconds they hold. */
type Found = { readonly addresses: readonly string[]; readonly ttl: number };

/** The longest time to remember addresses, in seconds: a host may move. */
const MOST_SECONDS = 60;

/** The hosts file says for no name how long it holds. */
const HOSTS_FILE_SECONDS = 5;

/** A nameserver gets so long for an answer, in milliseconds, and so many tries. */
const NAMESERVER = { timeout: 3000, tries: 2 };

/** @returns a function that finds all addresses of a name. It rejects with the error of the nameserver, and asks again then. */
export function createResolver({
  ask = askNameservers,
  clock = systemClock,
}: {
  ask?: (name: string) => Promise<Found>;
  clock?: Pick<Clock, 'elapsed'>;
} = {}): (name: string) => Promise<readonly string[]> {
  /** Administrators name the hosts, so there are few. */
  const known = new Map<string, { readonly found: Promise<Found>; endsAt: number }>();

  return async (name) => {
    const kept = known.get(name);
    if (kept && clock.elapsed() < kept.endsAt) return (await kept.found).addresses;
    const asked = { found: ask(name), endsAt: Number.POSITIVE_INFINITY };
    known.set(name, asked);
    try {
      const { addresses, ttl } = await asked.found;
      asked.endsAt = clock.elapsed() + Math.min(ttl, MOST_SECONDS) * 1000;
      return addresses;
    } catch (error) {
      known.delete(name);
      throw error;
    }
  };
}

/** Asks nameservers without a thread, which one that hangs would hold. What they do not know may stand in the hosts file. */
async function askNameservers(name: string): Promise<Found> {
  const resolver = new Resolver(NAMESERVER);
  const ttl = true;
  const answers = await Promise.allSettled([resolver.resolve4(name, { ttl }), resolver.resolve6(name, { ttl })]);
  const records = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (records.length > 0) {
    return { addresses: records.map(({ address }) => address), ttl: Math.min(...records.map((record) => record.ttl)) };
  }
  const isUnknown = answers.every((answer) => answer.status === 'rejected' && UNKNOWN.includes(answer.reason.code));
  if (!isUnknown) throw answers.find((answer) => answer.status === 'rejected')?.reason;
  const addresses = (await lookup(name, { all: true })).map(({ address }) => address);
  return { addresses, ttl: HOSTS_FILE_SECONDS };
}

const UNKNOWN = ['ENOTFOUND', 'ENODATA', 'ECONNREFUSED'];
