// Sessions that several clients use at once, on nodes that are killed: one order of all calls explains every answer.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { often } from '../support/scale.ts';
import { createChance } from './chance.ts';
import { findViolations } from './checks.ts';
import type { Held, Person } from './person.ts';
import { report } from './report.ts';
import { takeSession } from './single-use.ts';
import { startWorld, type World } from './world.ts';

const KILLS = { sqlite: often(2, 40), postgres: often(3, 40) };
const CLIENTS_OF_SESSION = 4;
const LONGEST_LIFE_MS = often(300, 1500);
const PAUSE_MS = 100;

/** The short form may be over before anybody has signed off. */
const MOST_WAITS = 600;

/** Sessions in use at once, each of another person. */
const SESSIONS = 3;

for (const engine of ['sqlite', 'postgres'] as const) {
  const nodes = engine === 'sqlite' ? 'the node' : 'one of two nodes';
  describe(`sessions of several clients on ${engine}`, () => {
    let world: World;
    let people: Person[];
    before(async () => {
      world = await startWorld(engine);
      people = await world.createPeople(SESSIONS);
      if (engine === 'postgres') await world.startNode();
    });
    after(() => world.close());

    it(`have one current token at each moment while ${nodes} is killed`, async () => {
      const chance = createChance(`sessions of several clients on ${engine}`);
      let isOver = false;

      /** One session after the other, each used by several clients until it has ended. */
      async function work(person: Person) {
        while (!isOver) {
          const opened = await person.signIn();
          if (opened) await useTogether(person, opened);
          else await sleep(PAUSE_MS);
        }
      }

      /** The clients share the tokens that they get, and now and then present a former one. */
      async function useTogether(person: Person, opened: Held) {
        const tokens = [opened];
        let hasEnded = false;
        const client = async () => {
          for (let refusals = 0; !isOver && !hasEnded && refusals < 6; ) {
            const held = tokens.at(-1 - Math.floor(chance() ** 2 * Math.min(3, tokens.length))) ?? opened;
            const drawn = chance();
            const answer = drawn < 0.55 ? await person.use(held) : await change(held, drawn);
            if (answer?.status === 401) refusals += 1;
            else refusals = 0;
            if (!answer || answer.status === 503) await sleep(PAUSE_MS);
          }
        };
        const change = async (held: Held, drawn: number) => {
          if (drawn > 0.985) {
            const answer = await person.signOff(held);
            if (answer?.status === 200) hasEnded = true;
            return answer;
          }
          const { held: next, answer } = await person.refresh(held);
          if (next) tokens.push(next);
          return answer;
        };
        await Promise.all(Array.from({ length: CLIENTS_OF_SESSION }, client));
        // A sign-off with any of its tokens ends the session, also for clients that have not heard of it.
        await person.signOff(opened);
        const last = tokens.slice(-3);
        await Promise.all([...last.map((held) => person.refresh(held)), ...last.map((held) => person.use(held))]);
        for (const held of last) await person.use(held);
      }

      const works = people.map(work);
      for (let kills = 0; kills < KILLS[engine]; kills += 1) {
        await sleep(chance() * LONGEST_LIFE_MS);
        if (engine === 'postgres' && kills % 2 === 1) await world.restartNode();
        else {
          await world.kill();
          await world.start();
        }
      }
      const isUsed = () => {
        const { refresh, 'sign off': signOff } = world.ledger.summary();
        return (refresh?.done ?? 0) > 0 && (signOff?.done ?? 0) > 0;
      };
      for (let waits = 0; waits < MOST_WAITS && !isUsed(); waits += 1) await sleep(PAUSE_MS);
      isOver = true;
      await Promise.all(works);
      for (const person of people) assert.equal((await person.use(await takeSession(person)))?.status, 200);
      const { entries } = world.ledger;
      assert.ok(isUsed(), 'there was work');
      const fault = `several clients of one session, ${nodes} is killed, ${engine}`;
      report(fault, world.ledger, world.kills(), findViolations(entries));
    });
  });
}
