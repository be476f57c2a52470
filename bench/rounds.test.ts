// The rounds: in which order contestants run, what counts, and which number a target is for.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Contestant, Outcome } from './contestants.ts';
import { countTurns, describeRounds, shortPlan, totalSeconds, turnsOf, wholePlan } from './rounds.ts';
import { runRounds } from './runner.ts';

const rounds = { warmUp: 20, leadIn: 1, seconds: 5, count: 2 };

/** A contestant that answers the outcomes in turn, whatever is asked. */
function contestant(name: string, outcomes: readonly Outcome[], more: Partial<Contestant> = {}): Contestant {
  let next = 0;
  return { name, ...more, run: async () => outcomes[next++] ?? { value: Number.NaN } };
}

describe('the turns', () => {
  it('warm all up, then run rounds in alternate order, each right after its own lead-in', () => {
    const turns = [...turnsOf(['a', 'b'], rounds)].map(
      ({ contestant: name, turn }) => `${name}${turn.number} ${turn.kind} ${turn.seconds}`,
    );
    assert.deepEqual(turns, [
      'a0 warm-up 20',
      'b0 warm-up 20',
      'b1 lead-in 1',
      'b2 round 5',
      'a1 lead-in 1',
      'a2 round 5',
      'a3 lead-in 1',
      'a4 round 5',
      'b3 lead-in 1',
      'b4 round 5',
    ]);
    assert.equal(countTurns(rounds), 5);
    assert.equal(totalSeconds(rounds), 32);
  });

  it('have neither warm-up nor lead-in where a round starts the contestant', () => {
    const kinds = [...turnsOf(['a'], wholePlan.starts)].map(({ turn }) => turn.kind);
    assert.deepEqual(new Set(kinds), new Set(['round']));
  });

  it('are described as they are', () => {
    assert.equal(describeRounds(rounds), '2 rounds of 5 s, each after a lead-in of 1 s, all after a warm-up of 20 s.');
    assert.equal(describeRounds(wholePlan.starts), '5 rounds.');
  });

  it('are as many and as long on the page as the targets ask for', () => {
    for (const kind of Object.values(wholePlan)) assert.ok(kind.count >= 5);
    assert.ok(wholePlan.hashes.warmUp >= 20 && wholePlan.hashes.seconds >= 20);
    assert.ok(wholePlan.calls.warmUp >= 20 && wholePlan.calls.seconds >= 5);
    for (const { count, seconds } of Object.values(shortPlan)) assert.ok(count * seconds <= 6);
  });
});

describe('the lines', () => {
  const noWarmUp = { ...rounds, warmUp: 0, leadIn: 0 };

  it('count rounds only', async () => {
    const outcomes = [1000, 500, 10, 500, 20].map((value) => ({ value }));
    const [line] = await runRounds([contestant('a', outcomes)], rounds);
    assert.deepEqual([line?.min, line?.median, line?.max], [10, 15, 20]);
  });

  it('miss their targets with failed requests, also those of the first contestant', async () => {
    const target = { atLeast: 1 };
    const outcome = (failures: number) => Array(2).fill({ value: 10, failures });
    const of = async (first: number, other: number) => {
      const lines = await runRounds(
        [
          contestant('first', outcome(first), { target }),
          contestant('other', outcome(other), { compared: { ratio: target } }),
        ],
        noWarmUp,
      );
      return lines.map(({ isMet, failures }) => [isMet, failures]);
    };
    assert.deepEqual(await of(0, 0), [
      [true, 0],
      [true, 0],
    ]);
    assert.deepEqual(await of(1, 0), [
      [false, 2],
      [false, 0],
    ]);
    assert.deepEqual(await of(0, 3), [
      [true, 0],
      [false, 6],
    ]);
  });

  it('compare with the first contestant, by rate or by CPU', async () => {
    const outcome = (value: number, cpu: number) => Array(2).fill({ value, cpu, requests: value });
    const first = contestant('first', outcome(100, 1));
    const byRate = contestant('rate', outcome(200, 4), { compared: { ratio: { atLeast: 0.6 } } });
    const byCpu = contestant('cpu', outcome(200, 4), { compared: { cpuRatio: { atLeast: 1.4 } } });
    const shown = contestant('shown', outcome(200, 4), { compared: 'shown' });
    const lines = await runRounds([first, byRate, byCpu, shown], noWarmUp);
    const judged = lines.map(({ ratio, cpuRatio, bounded, isMet }) => [ratio, cpuRatio, bounded, isMet]);
    assert.deepEqual(judged, [
      [undefined, undefined, 'median', undefined],
      [0.5, 2, 'ratio', false],
      [0.5, 2, 'cpuRatio', true],
      [0.5, 2, 'median', undefined],
    ]);
  });

  it('hold a target against the own median, and miss it without a number', async () => {
    const target = { atMost: 15 };
    const of = (value: number) => contestant('a', [{ value }, { value }], { target });
    for (const [value, isMet] of [
      [15, true],
      [15.1, false],
      [Number.NaN, false],
    ] as const) {
      const [line] = await runRounds([of(value)], noWarmUp);
      assert.equal(line?.isMet, isMet, String(value));
    }
  });
});
