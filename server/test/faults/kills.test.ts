// kill -9 at any moment: acknowledged operations hold, those under way happen once or not at all.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { often } from '../support/scale.ts';
import { createChance } from './chance.ts';
import { findViolations } from './checks.ts';
import { startLoad } from './load.ts';
import type { Held, Person } from './person.ts';
import { createRegistrants, type Registrant } from './registrants.ts';
import { report } from './report.ts';
import { takePin, takeReset, takeSession } from './single-use.ts';
import { startWorld, type World } from './world.ts';

const ROUNDS = { sqlite: often(1, 120), postgres: often(1, 80) };
const LONGEST_LIFE_MS = 200;

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`kill -9 on ${engine}`, () => {
    let world: World;
    let people: Person[];
    before(async () => {
      world = await startWorld(engine);
      people = await world.createPeople(8);
    });
    after(() => world.close());

    it('during refresh, sign-off, pin, password reset and registration loses and doubles nothing', async () => {
      const chance = createChance(`kill -9 on ${engine}`);
      const [busy, idle, leaving, changing, pinned, alsoPinned, resetting, alsoResetting] = people as [
        Person,
        Person,
        Person,
        Person,
        Person,
        Person,
        Person,
        Person,
      ];
      const registrants = createRegistrants(world);
      // The last round has no kill: in the others, all of one kind may happen without an answer.
      for (let round = 0; round <= ROUNDS[engine]; round += 1) {
        const kept = await takeSession(idle);
        const leavers = [await takeSession(leaving), await takeSession(leaving)];
        const changer = await takeSession(changing);
        const [pins, resets, arrivals] = await Promise.all([
          Promise.all([pinned, alsoPinned].map((person) => takePin(world, person))),
          Promise.all([resetting, alsoResetting].map((person) => takeReset(world, person))),
          Promise.all([registrants.prove(), registrants.prove()]),
        ]);
        const password = `staple gravel lantern ${round}`;

        const tryAll = () => [
          ...leavers.map((held) => leaving.signOff(held)),
          changing.changePassword(changer, password),
          ...pins.map(({ person, operationId, pin }) => person.givePin(operationId, pin)),
          ...resets.map(({ person, token }) => person.resetPassword(token, password)),
          ...arrivals.map((registrant: Registrant) => registrants.register(registrant)),
        ];
        const load = await startLoad(world, [busy]);
        const attempts = tryAll();
        if (round < ROUNDS[engine]) {
          await sleep(chance() * LONGEST_LIFE_MS);
          await world.kill();
          await Promise.all(attempts);
          await world.start();
        }
        await Promise.all(attempts);
        const last = await load.end();
        // People without an answer ask again.
        await Promise.all(tryAll());
        await checkTokens(busy, last);
        await checkTokens(leaving, leavers);
        await checkTokens(changing, [changer]);
        assert.equal((await idle.use(kept))?.status, 200);
        for (const person of [changing, resetting, alsoResetting]) await person.learnPassword(password);
      }
      const accounts = await registrants.listAccounts();
      report(`kill -9 on ${engine}`, world.ledger, world.kills(), findViolations(world.ledger.entries, { accounts }));
      const { refresh, 'give a pin': pin, 'reset password': reset, register } = world.ledger.summary();
      for (const counts of [refresh, pin, reset, register]) assert.ok((counts?.done ?? 0) > 0, 'there was work');
    });
  });
}

/** The ledger judges whether these tokens are still valid. */
async function checkTokens(person: Person, tokens: Held[]) {
  for (const held of tokens) {
    await person.use(held);
    await person.refresh(held);
    await person.use(held);
  }
}
