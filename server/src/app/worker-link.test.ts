// The worker's end of the link to its supervisor: duties, the stop, and the metrics of all workers.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createManualClock } from '../../test/support/clock.ts';
import type { ProcessMetrics } from '../http/metrics.ts';
import { openWorkerLink, type ToSupervisor, type ToWorker } from './worker-link.ts';

const settle = () => new Promise((resolve) => setImmediate(resolve));
const metricsOf = (name: string): ProcessMetrics => [
  { name, help: '', type: 'gauge', aggregator: 'sum', values: [{ value: Number.NaN, labels: {} }] },
];

/** A link to a supervisor that says what the test says. */
function openTestLink(number: number) {
  const sent: ToSupervisor[] = [];
  const clock = createManualClock();
  const repeated: { ms: number; task: () => unknown }[] = [];
  let say = (_: ToWorker) => {};
  const link = openWorkerLink(
    number,
    {
      send: (message) => sent.push(message),
      on(_event, listener) {
        say = listener;
      },
    },
    {
      ...clock,
      every(ms, task) {
        repeated.push({ ms, task });
        return () => {};
      },
    },
  );
  return { link, sent, clock, repeated, say: (message: ToWorker) => say(message) };
}

describe('the link of a worker', () => {
  it('gives the duties of a node to worker 1 alone', () => {
    assert.deepEqual(
      [1, 2, 10].map((number) => openTestLink(number).link.hasDuties),
      [true, false, false],
    );
  });

  it('tells the worker to stop', async () => {
    const { link, say } = openTestLink(1);
    let isStopped = false;
    void link.stop.then(() => {
      isStopped = true;
    });
    await settle();
    assert.equal(isStopped, false);
    say({ kind: 'stop' });
    await settle();
    assert.equal(isStopped, true);
  });

  it('says when the worker serves, and every ten seconds that its event loop runs', () => {
    const { link, sent, repeated } = openTestLink(1);
    assert.deepEqual(sent, []);
    link.reportReady();
    for (const { task } of repeated) task();
    assert.deepEqual(sent, [{ kind: 'ready' }, { kind: 'alive' }]);
    assert.deepEqual(
      repeated.map(({ ms }) => ms),
      [10_000],
    );
  });

  it('reports the metrics of this worker when asked', async () => {
    const { link, say, sent } = openTestLink(1);
    link.metrics.contribute(async () => metricsOf('own'));
    say({ kind: 'another' } as never);
    await settle();
    assert.deepEqual(sent, []);
    say({ kind: 'report', request: 7 });
    await settle();
    assert.deepEqual(sent, [{ kind: 'metrics', request: 7, metrics: metricsOf('own') }]);
  });

  it('gathers the metrics of all workers, each request with its own answer', async () => {
    const { link, say, sent } = openTestLink(1);
    const gathered = [link.metrics.gather(), link.metrics.gather()];
    assert.deepEqual(sent, [
      { kind: 'gather', request: 1 },
      { kind: 'gather', request: 2 },
    ]);
    say({ kind: 'gathered', request: 2, metrics: [metricsOf('second')] });
    say({ kind: 'gathered', request: 1, metrics: [metricsOf('first')] });
    assert.deepEqual(await Promise.all(gathered), [[metricsOf('first')], [metricsOf('second')]]);
  });

  it('refuses with service.unavailable when the supervisor does not answer', async () => {
    const { link, clock } = openTestLink(1);
    const gathered = link.metrics.gather();
    clock.advance(4);
    await assert.rejects(gathered, { reason: 'service.unavailable', retryAfterSeconds: 1 });
  });
});
