// Sessions and grants that several clients use at once, on nodes that are killed: one order of all calls explains every answer.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Application, register } from '../support/authorization.ts';
import { often } from '../support/scale.ts';
import { createChance } from './chance.ts';
import { findViolations } from './checks.ts';
import { createGrantHolder } from './grants.ts';
import type { CallAnswer, Person } from './person.ts';
import { report } from './report.ts';
import { takeSession } from './single-use.ts';
import { startWorld, type World } from './world.ts';

const KILLS = { sqlite: often(2, 60), postgres: often(3, 60) };
const CLIENTS = 4;
const LONGEST_LIFE_MS = often(300, 15_000);
const PAUSE_MS = 100;

/** The short form may be over before anybody has signed off. */
const MOST_WAITS = 600;

/** Sessions and grants in use at once, of each so many, each of another person. */
const EACH = 3;

type Answer = Pick<CallAnswer, 'status'> | undefined;

/** What has tokens that replace each other: a session, or the grant of an application. */
type Tokens<Held> = {
  open(): Promise<Held | undefined>;
  use(held: Held): Promise<Answer>;
  refresh(held: Held): Promise<{ held: Held | undefined; answer: Answer }>;
  signOff(held: Held): Promise<Answer>;
};

const ofSession = ({ signIn, use, refresh, signOff }: Person) => ({ open: signIn, use, refresh, signOff });

for (const engine of ['sqlite', 'postgres'] as const) {
  const nodes = engine === 'sqlite' ? 'the node' : 'one of two nodes';
  describe(`sessions and grants of several clients on ${engine}`, () => {
    let world: World;
    let people: Person[];
    let application: Application;
    before(async () => {
      world = await startWorld(engine);
      people = await world.createPeople(2 * EACH);
      application = await register((input) => world.admin('POST', '/api/services/app/Application/Create', input), {
        idTokenAlgorithm: 'ES256',
      });
      if (engine === 'postgres') await world.startNode();
    });
    after(() => world.close());

    it(`have one current token at each moment while ${nodes} is killed`, async () => {
      const chance = createChance(`sessions and grants of several clients on ${engine}`);
      let isOver = false;

      /**
       * One after the other, each used by several clients until it has ended.
       * @param recent how likely the clients present the newest token, and not a former one
       */
      async function work<Held>(tokens: Tokens<Held>, recent: number) {
        while (!isOver) {
          const opened = await tokens.open();
          if (opened) await useTogether(tokens, opened, recent);
          else await sleep(PAUSE_MS);
        }
      }

      /** The clients share the tokens that they get, and now and then present a former one. */
      async function useTogether<Held>({ use, refresh, signOff }: Tokens<Held>, opened: Held, recent: number) {
        const known = [opened];
        let hasEnded = false;
        const client = async () => {
          for (let refusals = 0; !isOver && !hasEnded && refusals < 6; ) {
            const held = known.at(-1 - Math.floor(chance() ** recent * Math.min(3, known.length))) ?? opened;
            const drawn = chance();
            const answer = drawn < 0.55 ? await use(held) : await change(held, drawn);
            if (answer && answer.status >= 400 && answer.status < 500) refusals += 1;
            else refusals = 0;
            if (!answer || answer.status === 503) await sleep(PAUSE_MS);
          }
        };
        const change = async (held: Held, drawn: number) => {
          if (drawn > 0.985) {
            const answer = await signOff(held);
            if (answer?.status === 200) hasEnded = true;
            return answer;
          }
          const { held: next, answer } = await refresh(held);
          if (next) known.push(next);
          return answer;
        };
        await Promise.all(Array.from({ length: CLIENTS }, client));
        // A sign-off with any of its tokens ends it, also for clients that have not heard of it.
        await signOff(opened);
        const last = known.slice(-3);
        await Promise.all([...last.map(refresh), ...last.map(use)]);
        for (const held of last) await use(held);
      }

      const holders = people.slice(EACH).map((person) => createGrantHolder({ world, application, person }));
      const works = [
        ...people.slice(0, EACH).map((person) => work(ofSession(person), 2)),
        // A grant ends when a refresh token comes that is older than the former one.
        ...holders.map((holder) => work(holder, 8)),
      ];
      for (let kills = 0; kills < KILLS[engine]; kills += 1) {
        await sleep(chance() * LONGEST_LIFE_MS);
        if (engine === 'postgres' && kills % 2 === 1) await world.restartNode();
        else {
          await world.kill();
          await world.start();
        }
      }
      const isUsed = () => {
        const counts = world.ledger.summary();
        return ['refresh', 'sign off', 'refresh a grant', 'revoke a grant'].every((call) => counts[call]?.done);
      };
      for (let waits = 0; waits < MOST_WAITS && !isUsed(); waits += 1) await sleep(PAUSE_MS);
      isOver = true;
      await Promise.all(works);
      for (const person of people) assert.equal((await person.use(await takeSession(person)))?.status, 200);
      assert.ok(isUsed(), 'there was work');
      const [ofGrants, ofSessions] = [true, false].map((isGrant) =>
        world.ledger.entries.filter(({ grant }) => (grant !== undefined) === isGrant),
      );
      for (const [what, entries = []] of [
        ['session', ofSessions],
        ['grant', ofGrants],
      ] as const) {
        const fault = `several clients of one ${what}, ${nodes} is killed, ${engine}`;
        report(fault, { entries }, world.kills(), findViolations(entries));
      }
    });
  });
}
