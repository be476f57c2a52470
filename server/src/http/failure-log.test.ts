// The failure log: what it summarizes, what it logs one by one, and that it loses nothing between two lines.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createManualClock } from '../../test/support/clock.ts';
import { createLogger } from '../app/log.ts';
import { defineErrors, requestErrors, serviceErrors } from '../foundation/errors.ts';
import { rateLimitErrors } from '../rate-limits/index.ts';
import { createFailureLog } from './failure-log.ts';

function createWorld() {
  const clock = createManualClock();
  const written: string[] = [];
  const log = createLogger('debug', { write: (line) => void written.push(line) });
  const failureLog = createFailureLog({ log, clock });
  const lines = () => written.splice(0).map((line) => JSON.parse(line));
  return { clock, failureLog, lines };
}

const outage = () => serviceErrors.unavailable({ cause: new Error('ECONNREFUSED') });

describe('the log of failures', () => {
  it('summarizes refusals once a second, by reason and without a stack, and counts them all', () => {
    const { clock, failureLog, lines } = createWorld();
    for (let n = 0; n < 100; n += 1) failureLog.note(serviceErrors.unavailable(), `trace ${n}`);
    const [first, ...more] = lines();
    assert.deepEqual([first.level, first.traceId, first.refused], ['warn', 'trace 0', { 'service.unavailable': 1 }]);
    assert.deepEqual([more, first.err], [[], undefined]);
    clock.advance(0.999);
    failureLog.note(rateLimitErrors.exceeded(), 'early');
    assert.deepEqual(lines(), []);
    clock.advance(0.001);
    failureLog.note(rateLimitErrors.exceeded(), 'late');
    const [{ refused }] = lines();
    assert.deepEqual(refused, { 'service.unavailable': 99, 'rateLimit.exceeded': 2 });
    assert.deepEqual(Object.fromEntries(failureLog.refusals()), {
      'service.unavailable': 100,
      'rateLimit.exceeded': 2,
    });
  });

  it('keeps the cause of an outage, once a second, beside the refusals', () => {
    const { clock, failureLog, lines } = createWorld();
    failureLog.note(serviceErrors.unavailable(), 'shed');
    for (let n = 0; n < 50; n += 1) failureLog.note(outage(), `trace ${n}`);
    clock.advance(1);
    failureLog.note(outage(), 'again');
    const [, first, again, ...more] = lines();
    assert.deepEqual([first.msg, first.traceId, first.requests], ['service.unavailable', 'trace 0', 1]);
    assert.match(first.err.stack, /ECONNREFUSED\n +at /);
    assert.deepEqual([again.traceId, again.requests, more], ['again', 50, []]);
    assert.deepEqual([...failureLog.refusals()], [['service.unavailable', 1]]);
  });

  it('logs each refusal whose table says so, with the messages of its causes and no stack', () => {
    const { failureLog, lines } = createWorld();
    const { refused } = defineErrors('test', { refused: { status: 401, isLogged: true, message: 'No.' } });
    const cause = new Error('the provider has refused it', { cause: new Error('it has expired') });
    for (let n = 0; n < 2; n += 1) failureLog.note(refused({ cause }).withStatus(400), `trace ${n}`);
    failureLog.note(refused(), 'trace 2');
    assert.deepEqual(
      lines().map(({ level, traceId, msg, why, err }) => [level, traceId, msg, why, err]),
      [0, 1, 2].map((n) => {
        const why = n < 2 ? 'the provider has refused it: it has expired' : undefined;
        return ['warn', `trace ${n}`, 'test.refused', why, undefined];
      }),
    );
  });

  it('logs every fault, and no error caused by a caller', () => {
    const { failureLog, lines } = createWorld();
    for (let n = 0; n < 3; n += 1) failureLog.note(serviceErrors.error({ cause: new Error('a bug') }), 'x');
    failureLog.note(requestErrors.invalid(), 'x');
    assert.deepEqual(
      lines().map(({ level, err }) => [level, err.message]),
      Array.from({ length: 3 }, () => ['error', 'a bug']),
    );
  });
});
