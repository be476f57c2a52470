// The dispatcher: how many tries a node begins at the same time, and that busy destinations leave room for others.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { systemClock } from './clock.ts';
import { createDispatcher } from './dispatcher.ts';

type Row = { readonly to: string; readonly end: () => void };

const SLOTS = 10;
const SHARED = 50;

/** A dispatcher of rows in memory, each of which is under way until the test ends it. */
function createExample(bounds: { slots: number; shared?: number }) {
  const waiting = new Map<string, number>();
  const underWay: Row[] = [];
  const claims: (() => void)[] = [];
  const dispatcher = createDispatcher<string, string>({
    kind: {
      ...bounds,
      findDestinations: async () => [...waiting.keys()],
      async claim(to, limit) {
        // All claims of a moment are answered together.
        await new Promise<void>((resolve) => claims.push(resolve));
        const count = Math.min(limit, waiting.get(to) ?? 0);
        waiting.set(to, (waiting.get(to) ?? 0) - count);
        return Array.from({ length: count }, () => to);
      },
      renew: async () => {},
      deliver: (to) =>
        new Promise((resolve) => {
          const row = {
            to,
            end() {
              underWay.splice(underWay.indexOf(row), 1);
              resolve();
            },
          };
          underWay.push(row);
        }),
    },
    clock: { ...systemClock, every: () => () => {} },
    onFailure: (error) => assert.fail(String(error)),
  });
  return {
    underWay,
    countOf: (to: string) => underWay.filter((row) => row.to === to).length,
    async deliver(to: string, count: number) {
      waiting.set(to, count);
      void dispatcher.deliverDue(to);
    },
    /** Lets all claims and ends take effect. */
    async settle() {
      do {
        for (const answer of claims.splice(0)) answer();
        await nextTurn();
      } while (claims.length > 0);
    },
  };
}

describe('a dispatcher', () => {
  it('fills the slots of each destination where it has no bound in all', async () => {
    const { deliver, settle, countOf } = createExample({ slots: SLOTS });
    for (const to of ['email', 'sms']) await deliver(to, 25);
    await settle();
    assert.deepEqual([countOf('email'), countOf('sms')], [SLOTS, SLOTS]);
  });

  it('begins no more tries than its bound, with one of each destination', async () => {
    const { deliver, settle, countOf, underWay } = createExample({ slots: SLOTS, shared: SHARED });
    const all = Array.from({ length: 50 }, (_, index) => `hook ${index}`);
    for (const to of all) await deliver(to, 25);
    await settle();
    assert.ok(all.every((to) => countOf(to) >= 1));
    assert.ok(underWay.length <= all.length + SHARED, `${underWay.length} tries`);
  });

  it('gives a destination its place while others hang, and an equal share when they end', async () => {
    const { deliver, settle, countOf, underWay } = createExample({ slots: SLOTS, shared: SHARED });
    const hanging = Array.from({ length: 10 }, (_, index) => `hanging ${index}`);
    for (const to of hanging) {
      await deliver(to, 100);
      await settle();
    }
    assert.equal(underWay.length, hanging.length + SHARED);
    await deliver('prompt', 25);
    await settle();
    assert.equal(countOf('prompt'), 1);
    // A round of the others ends: they may not take all of it again.
    for (const row of underWay.filter(({ to }) => to !== 'prompt')) row.end();
    for (const row of underWay.filter(({ to }) => to === 'prompt')) row.end();
    await settle();
    await settle();
    assert.ok(countOf('prompt') >= Math.floor(SHARED / (hanging.length + 1)), `${countOf('prompt')} tries`);
    assert.ok(underWay.length <= hanging.length + 1 + SHARED);
  });

  for (const failing of ['findDestinations', 'claim'] as const) {
    it(`reports an outage once, if ${failing} fails`, async () => {
      const reported: unknown[] = [];
      let isOut = true;
      let look = () => {};
      const failInOutage = async (what: string) => {
        if (isOut && what === failing) throw new Error('The database is out of reach.');
      };
      const dispatcher = createDispatcher<string, string>({
        kind: {
          slots: SLOTS,
          async findDestinations() {
            await failInOutage('findDestinations');
            return failing === 'claim' ? ['email', 'sms'] : [];
          },
          async claim() {
            await failInOutage('claim');
            return [];
          },
          renew: async () => {},
          deliver: async () => {},
        },
        clock: {
          ...systemClock,
          every(_, task) {
            look = () => void task();
            return () => {};
          },
        },
        onFailure: (error) => void reported.push(error),
      });
      const lookOften = async () => {
        for (let time = 0; time < 3; time += 1) {
          look();
          await nextTurn();
        }
      };
      dispatcher.start();
      await lookOften();
      assert.equal(reported.length, 1);
      isOut = false;
      await lookOften();
      isOut = true;
      await lookOften();
      assert.equal(reported.length, 2);
      await dispatcher.stop();
    });
  }
});
