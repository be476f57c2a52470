// Verifiers of a service on two nodes, while the primary of its database is killed and the standby promoted under load.
// In the long form alone: it starts and promotes servers of PostgreSQL.
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { isReady, type TestProcess } from '../support/process.ts';
import { often } from '../support/scale.ts';
import { type StandbyPair, startStandbyPair } from '../support/standby.ts';
import { createChance } from './chance.ts';
import { startVerifiers, type Verifiers } from './verifiers.ts';
import { startWorld, type World, waitFor } from './world.ts';

const FAILOVERS = often(1, 8);
const LONGEST_GAP_MS = 1000;
const PEOPLE = 5;

describe('verifiers of two nodes whose database fails over', () => {
  const chance = createChance('verifiers of two nodes');
  let pair: StandbyPair;
  let world: World;
  let other: TestProcess;
  let verifiers: Verifiers;
  before(async () => {
    pair = await startStandbyPair();
    world = await startWorld('postgres', { databaseUrl: `postgres://postgres@${pair.addresses}/postgres` });
    other = await world.startNode();
    verifiers = await startVerifiers(world, await world.createPeople(PEOPLE));
  });
  after(async () => {
    await verifiers?.close();
    await world?.close();
    await pair?.stop();
  });

  it('refuse each dead token in time, whichever node ended it, and accept live ones again in time', async () => {
    for (let failover = 0; failover < FAILOVERS; failover += 1) {
      if (failover > 0) await pair.rejoin();
      await verifiers.during(async () => {
        // What is written from now on is lost with the primary, and is not acknowledged.
        pair.cut();
        await sleep(chance() * LONGEST_GAP_MS);
        await pair.kill();
        await pair.promote();
        for (const url of [world.url(), other.url]) await waitFor('both nodes', () => isReady(url));
      });
      await verifiers.settle();
    }
    await verifiers.conclude('PostgreSQL fails over', FAILOVERS);
  });
});
