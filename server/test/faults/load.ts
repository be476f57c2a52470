// Load: people who use and refresh their tokens continuously, under every fault of the service.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Held, Person } from './person.ts';
import { takeSession } from './single-use.ts';
import type { World } from './world.ts';

/** Time for calls to be under way. */
const SETTLE_MS = 300;
const PAUSE_MS = 50;

/** Ends the load. @returns the last token that each person had. */
export type Load = { end(): Promise<Held[]> };

/** Starts people working, until `end` or until the world is closed. */
export async function startLoad(world: World, people: readonly Person[]): Promise<Load> {
  let isOver = false;

  async function work(person: Person, first: Held) {
    let held = first;
    while (!isOver && !world.isOver()) {
      await person.use(held);
      const { held: next, answer } = await person.refresh(held);
      held = next ?? held;
      // A refresh without an answer may have succeeded all the same.
      if (answer?.status === 401) held = (await person.signIn()) ?? held;
      if (answer?.status !== 200) await sleep(PAUSE_MS);
    }
    return held;
  }

  const sessions: Held[] = [];
  for (const person of people) sessions.push(await takeSession(person));
  const works = people.map((person, index) => work(person, sessions[index] as Held));
  await sleep(SETTLE_MS);
  return {
    end() {
      isOver = true;
      return Promise.all(works);
    },
  };
}
