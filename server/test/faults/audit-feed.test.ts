// Collectors of the audit trail while the service is killed and started again: they miss no entry, and have each
// acknowledged sign-in.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AuditFeedItem } from '../../src/audit/index.ts';
import type { FeedPage } from '../../src/foundation/tail.ts';
import { openFeedStream } from '../support/feed-stream.ts';
import { often } from '../support/scale.ts';
import { createChance } from './chance.ts';
import { findViolations, type Violation } from './checks.ts';
import type { Person } from './person.ts';
import { report } from './report.ts';
import { startWorld, type World } from './world.ts';

const PATH = '/api/audit-feed';
const CREATE_KEY = '/api/services/app/ServiceKey/Create';
const ROUNDS = often(1, 40);
const LONGEST_LIFE_MS = 1500;
const PAUSE_MS = 25;
const LAST = 'last';

/** What a collector has read, in this order, with repetitions. */
type Collector = { readonly way: string; readonly items: AuditFeedItem[]; isGone: boolean };

const hasLast = ({ items }: Collector) => items.some(({ details }) => details?.name === LAST);

/** Reads until the last entry, in one of three ways. After a failure it goes on with its last cursor. */
async function collect(way: string, url: () => string, key: string): Promise<Collector> {
  const collector: Collector = { way, items: [], isGone: false };
  let cursor = '';
  const readPage = async (query: string) => {
    const headers = { authorization: `Bearer ${key}` };
    const response = await fetch(`${url()}${PATH}?after=${cursor}${query}`, { headers });
    if (response.status === 410) collector.isGone = true;
    if (response.status !== 200) throw new Error(`Status ${response.status}.`);
    const { items, next } = (await response.json()) as FeedPage<AuditFeedItem>;
    collector.items.push(...items);
    cursor = next;
    if (items.length === 0) await sleep(PAUSE_MS);
  };
  const readStream = async () => {
    const stream = await openFeedStream<AuditFeedItem>(url(), { key, path: PATH, ...(cursor && { cursor }) });
    if (stream.status === 410) collector.isGone = true;
    const isLast = () => stream.items.some(({ details }) => details?.name === LAST);
    await stream.until(isLast).catch(() => {});
    stream.close();
    collector.items.push(...stream.items);
    cursor = stream.items.at(-1)?.cursor ?? cursor;
  };
  while (!hasLast(collector) && !collector.isGone) {
    const reading = way === 'stream' ? readStream() : readPage(way === 'long poll' ? '&wait=25' : '');
    await reading.catch(() => sleep(PAUSE_MS));
  }
  return collector;
}

/** Returns what a collector missed, or has that the service does not have. */
function findMissed(collectors: readonly Collector[], world: World): Violation[] {
  const all = new Map(collectors.flatMap(({ items }) => items.map((item) => [item.hash, item])));
  const signIns = world.ledger.entries.filter(({ call, outcome }) => call === 'sign in' && outcome === 'done');
  return collectors.flatMap(({ way, items, isGone }) => {
    const own = new Map(items.map((item) => [item.hash, item]));
    const sequences = [...own.values()].map(({ sequence }) => sequence);
    const isSignIn = ({ action, outcome }: AuditFeedItem) => action === 'signIn.password' && outcome === 'success';
    const recorded = [...own.values()].filter(isSignIn).length;
    const broken = {
      'its cursor is gone': isGone,
      'it lacks an entry that another one has': own.size < all.size,
      'its order is another one': sequences.some((sequence, index) => sequence !== index + 1),
      'it lacks an acknowledged sign-in': recorded < signIns.length,
    };
    return Object.entries(broken).flatMap(([what, isBroken]) =>
      isBroken ? [{ rule: 'collectors miss nothing' as const, what: `${way}: ${what}`, entries: [] }] : [],
    );
  });
}

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`collectors of a service on ${engine}`, () => {
    let world: World;
    let people: Person[];
    let urls: (() => string)[];
    before(async () => {
      world = await startWorld(engine);
      people = await world.createPeople(4);
      const other = engine === 'postgres' ? await world.startNode() : undefined;
      urls = [world.url, ...(other ? [() => other.url] : [])];
    });
    after(() => world.close());

    it('survive kill -9 of the service, which writes and chains entries', async () => {
      const chance = createChance(`collectors on ${engine}`);
      const { key } = await world.admin('POST', CREATE_KEY, { name: 'collector', permissions: ['audit'] });
      const ways = ['page', 'long poll', 'stream'];
      const collecting = urls.flatMap((url) => ways.map((way) => collect(way, url, key)));
      let isOver = false;
      const working = people.map(async (person) => {
        while (!isOver) if (!(await person.signIn())) await sleep(PAUSE_MS);
      });
      for (let round = 0; round < ROUNDS; round += 1) {
        await sleep(chance() * LONGEST_LIFE_MS);
        await world.kill();
        await world.start();
      }
      isOver = true;
      await Promise.all(working);
      await world.admin('POST', CREATE_KEY, { name: LAST, permissions: ['audit'] });
      const collectors = await Promise.all(collecting);
      const violations = [...findViolations(world.ledger.entries), ...findMissed(collectors, world)];
      report(`kill -9 while collectors read, ${engine}`, world.ledger, world.kills(), violations);
      assert.ok((world.ledger.summary()['sign in']?.done ?? 0) > ROUNDS, 'there was work');
    });
  });
}
