// What the service records of what happens: the audit trail, events for listeners, and counts by hour.
import type { Logger } from 'pino';
import {
  createAuditFeed,
  createAuditStore,
  createAuditTrail,
  createChainer,
  createChainStore,
} from '../audit/index.ts';
import { createCounterStore, createCounters } from '../counters/index.ts';
import type { Additions } from '../extensions/additions.ts';
import type { Clock } from '../foundation/clock.ts';
import { createEvents } from '../foundation/events.ts';
import type { Random } from '../foundation/random.ts';
import type { Database } from '../storage/database.ts';

/** Creates all three. Listeners of extensions receive events from then on. */
export function createRecords(deps: {
  database: Database;
  additions: Additions;
  clock: Clock;
  random: Random;
  log: Logger;
}) {
  const { database, additions, clock, random, log } = deps;
  const events = createEvents((error) => log.error({ err: error }, 'a subscriber to events failed'));
  for (const listener of additions.listeners) events.subscribe((occurrence) => listener(occurrence));
  const auditStore = createAuditStore(database);
  const audit = createAuditTrail({
    database,
    store: auditStore,
    events,
    clock,
    onError: (error) => log.warn({ err: error }, 'audit entries on repetitions could not be stored; they are kept'),
  });
  const chainStore = createChainStore(database);
  const chainer = createChainer({
    database,
    store: chainStore,
    clock,
    random,
    onError: (error) => log.error({ err: error }, 'audit entries could not be chained; they are chained later'),
  });
  audit.subscribe(async (tx) => tx.afterCommit(chainer.wake));
  const auditFeed = createAuditFeed({
    store: auditStore,
    chainStore,
    chainer,
    clock,
    onError: (error) => log.error({ err: error }, 'the audit feed cannot be read'),
  });
  const counters = createCounters({
    store: createCounterStore(database),
    clock,
    onError: (error) => log.warn({ err: error }, 'the figures of the overview could not be stored; they are kept'),
  });
  return { events, auditStore, audit, chainStore, chainer, auditFeed, counters };
}
