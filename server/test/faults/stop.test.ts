// SIGTERM under load: requests under way complete, no request fails, and the process exits by itself.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { often } from '../support/scale.ts';
import { findFailedBefore, findViolations } from './checks.ts';
import { startLoad } from './load.ts';
import { type Person, paths } from './person.ts';
import { report } from './report.ts';
import { startWorld, type World } from './world.ts';

const DRAIN_DELAY_MS = 150;
const SLOW_MS = 800;

/** Far beyond the ten seconds in which it exits. */
const HANGING_MS = 60_000;

describe('SIGTERM under load', () => {
  let world: World;
  let people: Person[];
  before(async () => {
    world = await startWorld('sqlite');
    people = await world.createPeople(5);
  });
  after(() => world?.close());

  /** A sign-in of which half has been sent. `finish` sends the rest and returns the answer's status. */
  async function beginSignIn({ userName, password }: Person) {
    const text = JSON.stringify({ userNameOrEmailAddress: userName, password: password() });
    const headers = { 'content-type': 'application/json', 'content-length': text.length };
    const { port } = world.process();
    const call = request({ host: '127.0.0.1', port, path: paths.signIn, method: 'POST', headers, agent: false });
    const answered = once(call, 'response');
    answered.catch(() => {});
    call.write(text.slice(0, 20));
    await once(call, 'socket');
    await sleep(20);
    return {
      async finish(): Promise<number | undefined> {
        call.end(text.slice(20));
        const [answer] = (await answered) as [IncomingMessage];
        answer.resume();
        return answer.statusCode;
      },
    };
  }

  it('fails no request, and ends the process', async () => {
    const rounds = often(1, 20);
    for (let round = 0; round < rounds; round += 1) {
      const before = world.ledger.entries.length;
      const load = await startLoad(world, people.slice(1));
      const slow = await beginSignIn(people[0] as Person);
      const timer = setTimeout(() => world.process().child.kill('SIGKILL'), HANGING_MS);
      const stoppedAt = performance.now();
      const stopping = world.process().stop();
      // The callers turn to other nodes soon after, as behind a load balancer.
      await sleep(DRAIN_DELAY_MS);
      await load.end();
      assert.deepEqual(findFailedBefore(world.ledger.entries.slice(before), stoppedAt + DRAIN_DELAY_MS), []);
      await sleep(SLOW_MS);
      assert.equal(await slow.finish(), 200, 'a request under way is finished, however long it takes to arrive');
      assert.equal(await stopping, 0, 'it ends by itself');
      clearTimeout(timer);
      await world.start();
    }
    const { entries } = world.ledger;
    report('SIGTERM under load', world.ledger, rounds, findViolations(entries));
  });
});
