// What leaves the service while it is killed or loses its database: webhooks, the audit feed, and the chain under both.
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createChainSource, verifyChain } from '../../src/audit/index.ts';
import { openPatiently } from '../support/databases.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { itAtLength, often } from '../support/scale.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';
import { createChance } from './chance.ts';
import { findViolations, type Violation } from './checks.ts';
import type { Person } from './person.ts';
import { createGuardedDatabase } from './refusals.ts';
import { report } from './report.ts';
import { startWorld, type World, waitFor } from './world.ts';

const ROUNDS = often(1, 20);
const LONGEST_LIFE_MS = 1500;
const SIGNED_IN = 'signIn.password';

type Entry = { id: number; userName: string | null; action: string; outcome: string };
type Collected = Entry & { sequence: number };

/** Reads the audit feed by long polls, whatever happens to the service. */
function startCollector(world: World, key: string) {
  const items: Collected[] = [];
  let cursor = '';
  let isOver = false;
  async function collect() {
    while (!isOver && !world.isOver()) {
      const path = `/api/audit-feed?wait=1&after=${encodeURIComponent(cursor)}`;
      const answer = await fetch(`${world.url()}${path}`, { headers: { authorization: `Bearer ${key}` } }).catch(
        () => undefined,
      );
      if (answer?.status !== 200) {
        await sleep(50);
        continue;
      }
      const page = (await answer.json().catch(() => undefined)) as { items: Collected[]; next: string } | undefined;
      if (!page) continue;
      items.push(...page.items);
      cursor = page.next;
    }
  }
  const collecting = collect();
  return {
    items,
    async stop() {
      isOver = true;
      await collecting;
    },
  };
}

/** How often to try whether the nodes know a webhook: they learn of it within two seconds, and deliver within one. */
const ATTEMPT_MS = 2000;

/** Signs in at both nodes until both events come. @returns the newest entry then. */
async function waitForWebhook(world: World, person: Person, receiver: WebhookReceiver): Promise<number> {
  const path = `/api/services/app/Audit/GetAll?action=${SIGNED_IN}&maxResultCount=2`;
  let ids: number[] = [];
  let triedAt = Number.NEGATIVE_INFINITY;
  await waitFor('the webhook on all nodes', async () => {
    const arrived = new Set(receiver.received.map(({ body }) => JSON.parse(body).data.id));
    if (ids.length > 0 && ids.every((id) => arrived.has(id))) return true;
    if (performance.now() < triedAt + ATTEMPT_MS) return undefined;
    triedAt = performance.now();
    for (let node = 0; node < 2; node += 1) await person.signIn();
    ids = (await world.admin('GET', path)).items.map(({ id }: Entry) => id);
    return undefined;
  });
  return Math.max(...ids);
}

/** Answers as receivers do on bad days. Each event fails at most once: after two failures, the next try comes in five minutes. */
function answerBadly(receiver: WebhookReceiver, chance: () => number) {
  const tried = new Set<string>();
  receiver.answer((response) => {
    const id = receiver.received.at(-1)?.headers['webhook-id'] ?? '';
    const luck = tried.has(id) ? 1 : chance();
    tried.add(id);
    if (luck < 0.1) response.writeHead(500).end();
    else if (luck < 0.15) response.destroy();
    else if (luck < 0.2) setTimeout(() => response.writeHead(204).end(), 500);
    else response.writeHead(204).end();
  });
}

/** Every entry of a sign-in after `since` arrived under one id, and no event is of an entry that was undone. */
function findLostEvents(entries: readonly Entry[], since: number, receiver: WebhookReceiver): Violation[] {
  const idsByEntry = new Map<number, Set<string>>();
  for (const { headers, body } of receiver.received) {
    const { data } = JSON.parse(body);
    const ids = idsByEntry.get(data.id) ?? new Set();
    idsByEntry.set(data.id, ids.add(headers['webhook-id'] ?? ''));
  }
  const known = new Set(entries.map(({ id }) => id));
  return [
    ...entries.flatMap(({ id }): Violation[] => {
      const ids = idsByEntry.get(id)?.size ?? 0;
      return ids === 1 || id <= since
        ? []
        : [{ rule: 'events arrive under one id', what: `entry ${id}: ${ids} ids`, entries: [] }];
    }),
    ...[...idsByEntry.keys()]
      .filter((id) => !known.has(id))
      .map((id): Violation => ({ rule: 'events arrive under one id', what: `no entry ${id}`, entries: [] })),
  ];
}

/** The collector has each entry of the trail once, in the order of the chain. */
function findFeedGaps(items: readonly Collected[], trail: ReadonlySet<number>): Violation[] {
  const misplaced = items.filter(({ sequence }, index) => sequence !== index + 1);
  const missing = [...trail].filter((id) => !items.some((item) => item.id === id));
  return [...misplaced.map(({ id }) => id), ...missing].map((id) => ({
    rule: 'the feed has each entry once',
    what: `entry ${id}`,
    entries: [],
  }));
}

/** Every acknowledged sign-in has an entry. */
function findUnrecorded(world: World, entries: readonly Entry[]): Violation[] {
  const signIns = world.ledger.entries.filter(({ call }) => call === 'sign in');
  return [...new Set(signIns.map(({ caller }) => caller))].flatMap((caller): Violation[] => {
    const own = signIns.filter((one) => one.caller === caller);
    const done = own.filter(({ outcome }) => outcome === 'done').length;
    const possible = own.filter(({ outcome }) => outcome !== 'refused').length;
    const recorded = entries.filter(({ userName }) => userName === caller).length;
    const isRight = recorded >= done && recorded <= possible;
    return isRight
      ? []
      : [{ rule: 'what is done is recorded', what: `${caller}: ${recorded} of ${done}`, entries: own }];
  });
}

type Fault = { begin(): Promise<unknown>; end(): Promise<unknown> };

async function tryFault(world: World, fault: string, { begin, end }: Fault) {
  const chance = createChance(fault);
  const receiver = await startWebhookReceiver();
  const people: Person[] = await world.createPeople(4);
  const key = (
    await world.admin('POST', '/api/services/app/ServiceKey/Create', { name: 'collector', permissions: ['audit'] })
  ).key;
  const hook = { url: receiver.url, actions: [SIGNED_IN] };
  await world.admin('POST', '/api/services/app/Webhook/Create', hook);
  const since = await waitForWebhook(world, people[0] as Person, receiver);
  const collector = startCollector(world, key);
  answerBadly(receiver, chance);
  let isOver = false;
  const work = people.map(async (person) => {
    while (!isOver) if (!(await person.signIn())) await sleep(50);
  });
  for (let round = 0; round < ROUNDS; round += 1) {
    await sleep(chance() * LONGEST_LIFE_MS);
    await begin();
    await sleep(chance() * 300);
    await end();
  }
  await sleep(300);
  isOver = true;
  await Promise.all(work);
  await conclude();

  async function conclude() {
    receiver.answer((response) => response.writeHead(204).end());
    const database = await openPatiently(world.databaseUrl);
    await waitFor('every delivery', async () => {
      const queued = database.sql.selectFrom('webhook_delivery').select('id').where('state', '=', 'queued');
      return (await queued.limit(1).executeTakeFirst()) === undefined || undefined;
    });
    const rows = await database.sql.selectFrom('audit').select(['id', 'user_name', 'action', 'outcome']).execute();
    const trail: Entry[] = rows.map(({ user_name, ...same }) => ({ ...same, userName: user_name }));
    await waitFor('the whole feed', () => collector.items.length >= trail.length || undefined);
    await collector.stop();
    const { misfit } = await verifyChain(createChainSource(database));
    await database.close();
    await receiver.stop();
    const signIns = trail.filter(({ action, outcome }) => action === SIGNED_IN && outcome === 'success');
    const own = findViolations(world.ledger.entries);
    const lost = findLostEvents(signIns, since, receiver);
    report(`webhooks: ${fault}`, world.ledger, ROUNDS, [...own, ...lost]);
    const broken: Violation[] = misfit ? [{ rule: 'the chain fits', what: JSON.stringify(misfit), entries: [] }] : [];
    const gaps = findFeedGaps(collector.items, new Set(trail.map((one) => one.id)));
    report(`audit feed and chain: ${fault}`, world.ledger, ROUNDS, [
      ...findUnrecorded(world, signIns),
      ...gaps,
      ...broken,
    ]);
  }
}

/** Webhooks may call this machine, over http. */
const env = { LATCHKEY_MODE: 'development' };

describe('events', () => {
  let postgres: TestPostgres | undefined;
  const worlds: World[] = [];
  after(async () => {
    for (const world of worlds) await world.close();
    await postgres?.stop();
  });
  const startOwn = async (...given: Parameters<typeof startWorld>) => {
    const world = await startWorld(...given);
    worlds.push(world);
    return world;
  };

  it('are neither lost nor invented by kill -9 on SQLite', async () => {
    const world = await startOwn('sqlite', { env });
    await tryFault(world, 'kill -9, sqlite', { begin: () => world.kill(), end: () => world.start() });
  });

  it('are neither lost nor invented by kill -9 of one of two nodes on PostgreSQL', async () => {
    const world = await startOwn('postgres', { env });
    await world.startNode();
    await tryFault(world, 'kill -9 of one of two nodes, postgres', {
      begin: async () => {},
      end: () => world.restartNode(),
    });
  });

  itAtLength('are neither lost nor invented by a crash of PostgreSQL', async () => {
    const server = await startPostgres();
    postgres = server;
    const databaseUrl = await createGuardedDatabase(server, server.port);
    const world = await startOwn('postgres', { env, databaseUrl });
    await tryFault(world, 'PostgreSQL crashes and is started again', {
      begin: () => server.crash(),
      end: () => server.start(),
    });
  });
});
