// The soak: its mix of requests, the trend of its samples, and its plot and page.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { freePort } from '../children.ts';
import type { SoakSample } from './client.ts';
import { openCollector } from './collector.ts';
import { operationOf, operations, perOperation, SHARES } from './mix.ts';
import { type Moment, plotSoak, renderSoak } from './page.ts';
import { ticksOf } from './plot.ts';
import { BLOCKS, judge, trendOf } from './trend.ts';

const range = (count: number) => Array.from({ length: count }, (_, n) => n);

/** Numbers between -0.5 and 0.5 that look random, the same each time. */
function noise(count: number): number[] {
  let state = 1;
  return range(count).map(() => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647 - 0.5;
  });
}

describe('the mix', () => {
  it('has each operation as often as its share says, spread over the cycle', () => {
    const cycle = range(Object.values(SHARES).reduce((a, b) => a + b)).map(operationOf);
    for (const operation of operations) {
      assert.equal(cycle.filter((one) => one === operation).length, SHARES[operation], operation);
    }
    const refreshes = cycle.flatMap((operation, n) => (operation === 'refresh' ? [n] : []));
    const gaps = refreshes.slice(1).map((at, n) => at - (refreshes[n] ?? 0));
    assert.ok(Math.max(...gaps) - Math.min(...gaps) <= 2, String(gaps));
    assert.equal(SHARES['sign-in'], SHARES['sign-off']);
  });
});

describe('the collector', () => {
  it('empties the caches of tokens, and no other map', async () => {
    const program = `
      class Grouper extends Map {}
      const range = [...Array(1000).keys()];
      const grouper = new Grouper();
      const tokens = new Map(range.map((n) => ['eyJ' + n, Array(1000).fill(n)]));
      const addresses = new Map(range.map((n) => ['127.0.0.' + n, n]));
      process.on('message', () => process.send([tokens.size, addresses.size, grouper.size]));
      process.send('started');`;
    const port = await freePort();
    const child = spawn(process.execPath, [`--inspect=127.0.0.1:${port}`, '--eval', program], {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    await once(child, 'message');
    const collector = await openCollector(port);
    const heap = await collector.collect();
    assert.ok(heap > 1e6 && heap < 8e6, String(heap));
    child.send('count');
    const [sizes] = await once(child, 'message');
    assert.deepEqual(sizes, [0, 1000, 0]);
    await collector.stop();
    child.kill();
    await once(child, 'exit');
  });
});

describe('the trend', () => {
  it('is the slope, with an interval of no width where samples lie on a line', () => {
    const { slope, low, high } = trendOf(range(90).map((x) => ({ x, y: 100 + 3 * x })));
    for (const value of [slope, low, high]) assert.ok(Math.abs(value - 3) < 1e-9, String(value));
  });

  it('agrees with a regression computed elsewhere', () => {
    // scipy.stats.linregress(range(15), values): slope 0.43571, standard error 0.126856; t(0.975, 13) = 2.1604.
    const values = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9];
    const { slope, low, high } = trendOf(values.map((y, x) => ({ x, y })));
    assert.deepEqual(
      [slope, low, high].map((value) => value.toFixed(3)),
      ['0.436', '0.162', '0.710'],
    );
  });

  it('has an interval that holds the true slope about 19 times of 20', () => {
    const drawn = noise(90 * 200);
    const held = range(200).filter((run) => {
      const points = drawn.slice(run * 90, (run + 1) * 90).map((y, x) => ({ x, y: y + 0.1 * x }));
      const { low, high } = trendOf(points);
      return low <= 0.1 && 0.1 <= high;
    });
    assert.ok(held.length >= 180 && held.length < 200, String(held.length));
  });

  it('has a wider interval for samples that resemble their neighbours than single samples would give', () => {
    const drawn = noise(90);
    const smooth = drawn.map((_, n) => drawn.slice(Math.max(0, n - 30), n + 1).reduce((a, b) => a + b));
    assert.ok(trendOf(smooth.map((y, x) => ({ x, y }))).autocorrelation > 0.3);
  });

  it('is flat if its interval ends below 2 MB an hour, else growing if it begins above 0, else uncertain', () => {
    const judgeInterval = (low: number, high: number) => judge({ slope: 0, low, high, autocorrelation: 0 });
    for (const [low, high] of [
      [-3, -1],
      [-2.44, 1.57],
      [0.5, 1.9],
    ] as const) {
      assert.equal(judgeInterval(low, high), 'flat');
    }
    assert.deepEqual([judgeInterval(0.5, 2), judgeInterval(3, 9)], ['growing', 'growing']);
    assert.deepEqual([judgeInterval(0, 2), judgeInterval(-3.57, 2.22)], ['uncertain', 'uncertain']);
    // An interval that holds 0 proves nothing if it is wide.
    assert.equal(judgeInterval(-9, 9), 'uncertain');
  });

  it('needs a sample for each block', () => {
    assert.throws(() => trendOf(range(BLOCKS - 1).map((x) => ({ x, y: 0 }))));
  });
});

describe('the plot', () => {
  it('has round ticks from 0 that hold the largest value', () => {
    assert.deepEqual(ticksOf(143, 4), [0, 50, 100, 150]);
    assert.deepEqual(ticksOf(60, 10), [0, 10, 20, 30, 40, 50, 60]);
    assert.deepEqual(ticksOf(0.7, 4), [0, 0.2, 0.4, 0.6, 0.8]);
    assert.deepEqual(ticksOf(0, 4), [0, 1]);
  });
});

describe('the report', () => {
  const seen = { requests: 10, seconds: 10, p50: 1, p99: 4, max: 5, failures: 0 };
  const client: SoakSample = {
    ...perOperation(() => seen),
    received: { events: seen, signOuts: 2 },
    done: 40,
    failures: 0,
    sessions: 2000,
  };
  const moment = (n: number): Moment => ({
    minute: (n + 1) / 6,
    client,
    behind: 0,
    resident: { least: 140 + (n % 3), most: 170 },
    heap: 30,
    ...(n % 6 === 5 && { collected: { resident: 140 + (n % 12) / 6, heap: 30 } }),
    eventLoopDelay: 12,
    waiting: 1,
    database: 5 + n,
  });
  const soak = { date: '2026-11-23', minutes: 60, capacity: 2000, rate: 1000, moments: range(360).map(moment) };

  it('shows trends, both ends and the plot', () => {
    const page = renderSoak(soak, 'soak.svg');
    assert.match(page, /\| resident after a collection, MB \| +-?0\.\d\d\d? \| .* \| +flat \|/);
    assert.match(page, /\| database, MB +\| +34\.5 \| +335 \| +300 \|/);
    assert.match(page, /!\[[^\]]+\]\(soak\.svg\)/);
    assert.match(page, /14,400 operations, of which none failed\..* 3,600 events .* 720 sign-outs/);
  });

  it('says how many requests failed', () => {
    const [first, ...others] = soak.moments as [Moment, ...Moment[]];
    const moments = [{ ...first, client: { ...client, failures: 3 } }, ...others];
    assert.match(renderSoak({ ...soak, moments }, 'soak.svg'), /of which 3.* failed/);
  });

  it('draws every sample inside the picture, with a title and a description', () => {
    const svg = plotSoak(soak);
    const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg) ?? [];
    const points = [...svg.matchAll(/[ML](-?[\d.]+) (-?[\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)] as const);
    assert.ok(points.length >= 6 * 360);
    for (const [x, y] of points) assert.ok(x >= 0 && x <= Number(width) && y >= 0 && y <= Number(height), `${x} ${y}`);
    assert.match(svg, /<title id="title">60 minutes at 1,000 operations a second<\/title>/);
    assert.match(svg, /<desc id="description">[^<]+<\/desc>/);
    assert.doesNotMatch(svg, /NaN|undefined/);
  });

  it('draws no sample that has no value', () => {
    const [first, ...others] = soak.moments as [Moment, ...Moment[]];
    const none = { ...client, 'sign-in': { ...seen, p99: Number.NaN } };
    assert.doesNotMatch(plotSoak({ ...soak, moments: [{ ...first, client: none }, ...others] }), /NaN/);
  });
});
