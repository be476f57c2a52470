// Enumeration by time: whether a public call takes longer for a name with an account than for one without.
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { startPostgres } from '../server/test/support/postgres.ts';
import type { Arena } from './arena.ts';
import { type Server, startProgram } from './children.ts';
import type { Crowd, Somebody } from './crowd.ts';
import type { Gateways } from './gateways.ts';
import { change, environmentOf, PASSWORD, serve } from './latchkey.ts';
import { type Heard, type Probe, probes } from './probes.ts';
import { format, renderSection, type Section } from './report.ts';
import { median, type Separation, separate, shuffle } from './statistics.ts';

const GROUPS = ['known', 'deactivated', 'unknown'] as const;
type Group = (typeof GROUPS)[number];

/** A name with or without an account, with the service's answers so far. */
type Person = Somebody & { readonly group: Group; readonly heard: Heard };

/** How many names of each group a call receives; a third of them where it hashes. */
const NAMES = 400;

/** Accounts besides the probed ones. */
const OTHERS = 3000;

/** Concurrent requests to calls that answer at whole steps, during which the service has little to do. */
const CONNECTIONS = 8;

/** The first requests of each call warm the service up. */
const WARM_UP = 30;

/** How far from 0.5 an AUC may be. */
const TOLERANCE = 0.05;

function makePeople(count: number): Person[] {
  return Array.from({ length: count }, (_, n) => {
    const name = `person${10_000 + n}`;
    // Alternately, so that the names of each group lie among those of the others.
    const group = GROUPS[n % GROUPS.length] as Group;
    const isActive = group !== 'deactivated';
    return { name, email: `${name}@example.com`, number: `+2782${1_000_000 + n}`, isActive, group, heard: {} };
  });
}

async function start(engine: 'SQLite' | 'PostgreSQL', people: readonly Person[], arena: Arena): Promise<Server> {
  const program = (name: string) => join(import.meta.dirname, `${name}.ts`);
  const gateways = await startProgram<Gateways>(program('gateways'), {});
  arena.keep({
    async stop() {
      gateways.child.disconnect();
      await once(gateways.child, 'exit');
    },
  });
  const { mailUrl, smsUrl } = gateways.ready;
  const database = engine === 'PostgreSQL' ? { LATCHKEY_DATABASE_URL: await openPostgres(arena) } : {};
  const variables = environmentOf(arena.newFile(), {
    ...database,
    LATCHKEY_SMTP_URL: mailUrl,
    LATCHKEY_SMS_URL: smsUrl,
    LATCHKEY_LOG_LEVEL: 'warn',
  });
  const others = makePeople(people.length + OTHERS).slice(people.length);
  const members = [...people.filter(({ group }) => group !== 'unknown'), ...others];
  const crowd: Crowd = { variables, password: PASSWORD, people: members };
  const { child } = await startProgram(program('crowd'), crowd);
  child.disconnect();
  const server = arena.keep(await serve(variables));
  await change(server, {
    'Latchkey.RateLimiting': {
      loginPermitLimit: 100_000,
      loginWindowSeconds: 1,
      otpPermitLimit: 100_000,
      otpWindowSeconds: 1,
    },
    'Shesha.Otp': { resendCooldown: 0 },
    'Shesha.Security': { useResetPasswordViaSecurityQuestions: true },
  });
  return server;
}

async function openPostgres(arena: Arena): Promise<string> {
  const postgres = arena.keep(await startPostgres());
  process.once('exit', () => postgres.process.kill('SIGQUIT'));
  return postgres.url;
}

/** One connection. Gives the time of a request in milliseconds, from the first byte sent to the last received. */
function connect({ url }: Server) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return async (probe: Probe, person: Person): Promise<number> => {
    const { path, body, ends, keep } = probe;
    const content = body && JSON.stringify(body(person, person.heard));
    const headers = content === undefined ? {} : { 'content-type': 'application/json' };
    const method = content === undefined ? 'GET' : 'POST';
    const sent = request(url + path(person), { agent, method, headers });
    const startedAt = performance.now();
    sent.end(content);
    const [answer] = await once(sent, 'response');
    const received = await text(answer);
    const milliseconds = performance.now() - startedAt;
    const { result, error } = JSON.parse(received);
    const ending = error?.reason ?? (result?.isSuccess === false ? 'not proven' : 'success');
    if (ending !== ends) throw new Error(`${probe.name} for ${person.group}: ${received}`);
    keep?.(person.heard, result as never);
    return milliseconds;
  };
}

/** Sends all names in a new random order. */
async function ask(probe: Probe, people: readonly Person[], connections: readonly ReturnType<typeof connect>[]) {
  const seen: Record<Group, number[]> = { known: [], deactivated: [], unknown: [] };
  const order = shuffle(probe.isSlow ? people.slice(0, people.length / 3) : people).entries();
  const askInTurn = async (time: ReturnType<typeof connect>) => {
    for (const [index, person] of order) {
      const milliseconds = await time(probe, person);
      if (index >= WARM_UP) seen[person.group].push(milliseconds);
    }
  };
  await Promise.all(connections.slice(0, probe.waits ? connections.length : 1).map(askInTurn));
  process.stderr.write('.');
  return seen;
}

const HEAD = ['', 'known', 'deactivated', 'unknown', 'n', 'AUC known', 'AUC deactivated', 'target', ''];

function cells({ name }: Probe, seen: Record<Group, readonly number[]>): string[] {
  const medians = GROUPS.map((group) => format(median(seen[group])));
  const separations = [separate(seen.known, seen.unknown), separate(seen.deactivated, seen.unknown)];
  const show = ({ auc, margin }: Separation) => `${auc.toFixed(3)} ± ${margin.toFixed(3)}`;
  const tells = ({ auc, margin }: Separation) => Math.abs(auc - 0.5) > TOLERANCE + margin;
  const verdict = separations.some(tells) ? 'missed' : 'met';
  const target = `${0.5 - TOLERANCE}–${0.5 + TOLERANCE}`;
  return [name, ...medians, String(seen.unknown.length), ...separations.map(show), target, verdict];
}

/** `npm run bench -- enumeration-sqlite`, `enumeration-postgresql`. */
export const enumerations: readonly Section[] = (['SQLite', 'PostgreSQL'] as const).map((engine) => ({
  name: `enumeration-${engine.toLowerCase()}`,
  title: `Who has an account, by time, on ${engine}`,
  expect: () => 120,
  async measure(arena) {
    const people = makePeople(NAMES * GROUPS.length);
    const server = await start(engine, people, arena);
    const connections = Array.from({ length: CONNECTIONS }, () => connect(server));
    const rows: string[][] = [];
    for (const probe of probes) {
      if (probe.settings) await change(server, probe.settings);
      rows.push(cells(probe, await ask(probe, people, connections)));
    }
    process.stderr.write('\n');
    const members = (NAMES * GROUPS.length * 2) / 3 + OTHERS;
    const about = `Median times of an answer in ms, ${members} accounts. Each call is asked once for each name, in an order that is drawn anew: names that somebody has, that a deactivated account has, that nobody has; one request at a time, or ${CONNECTIONS} of the calls whose answers wait for a whole step. *AUC* is the probability that such a name takes longer than one that nobody has, with its 95 % interval: 0.5 tells nothing. *missed*: all of an interval lies outside the target.`;
    return renderSection({ title: `Who has an account, by time, on ${engine} (ms)`, about }, [HEAD, ...rows]);
  },
}));
