// Reviews of new people: the strictest verdict counts, and without a verdict the sign-in fails.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createManualClock } from '../../test/support/clock.ts';
import { AuthError } from '../foundation/errors.ts';
import type { ExternalUser } from './profile.ts';
import { createReview, type Reviewer, type ReviewVerdict } from './review.ts';

const user: ExternalUser = {
  provider: 'Acme',
  providerKey: 'key-1',
  emailAddress: 'ann@example.com',
  name: 'Ann',
  surname: 'Lee',
};
const review = (reviewers: Reviewer[], clock = createManualClock()) => createReview({ reviewers, clock })(user);

describe('a review', () => {
  const verdicts: [said: ReviewVerdict[], verdict: ReviewVerdict][] = [
    [[], 'register'],
    [['register'], 'register'],
    [['hold'], 'hold'],
    [['refuse'], 'refuse'],
    [['register', 'register'], 'register'],
    [['register', 'hold', 'register'], 'hold'],
    [['hold', 'refuse', 'register'], 'refuse'],
    [['refuse', 'hold'], 'refuse'],
  ];
  for (const [said, verdict] of verdicts) {
    it(`of [${said}] results in ${verdict}, from synchronous and asynchronous reviewers`, async () => {
      assert.equal(await review(said.map((one) => () => one)), verdict);
      assert.equal(await review(said.map((one) => async () => nextTurn(one))), verdict);
    });
  }

  it('gives each reviewer the user, read-only', async () => {
    const seen: ExternalUser[] = [];
    const look: Reviewer = (shown) => {
      seen.push(shown);
      assert.throws(() => Object.assign(shown, { emailAddress: 'admin@example.com' }), TypeError);
      return 'register';
    };
    await review([look, look]);
    assert.deepEqual(seen, [user, user]);
    assert.equal(user.emailAddress, 'ann@example.com');
  });
});

describe('a reviewer that gives no verdict', () => {
  const odd: unknown[] = [undefined, null, true, false, '', 'Register', 'REFUSE', ['refuse'], {}, 0, 'toString'];
  const silent: [what: string, reviewer: Reviewer][] = [
    ['throws', () => assert.fail('the list is out of reach')],
    ['rejects', () => Promise.reject(new Error('the list is out of reach'))],
    ['throws nothing', () => Promise.reject(undefined)],
    ...odd.map((said): [string, Reviewer] => [`says ${JSON.stringify(said)}`, () => said as ReviewVerdict]),
  ];
  for (const [what, reviewer] of silent) {
    it(`stops the sign-in: ${what}`, async () => {
      const expected = { reason: 'external.unavailable', status: 502 };
      await assert.rejects(review([reviewer]), expected);
      await assert.rejects(review([() => 'register', reviewer, () => 'refuse']), expected);
    });
  }

  it('logs the cause, without its other members', async () => {
    const failure = Object.assign(new Error('the list is out of reach'), { config: { token: 'canary' } });
    const error = await review([() => Promise.reject(failure)]).catch((thrown) => thrown);
    assert.ok(error instanceof AuthError);
    const { message, cause } = error.cause as Error;
    assert.equal(message, 'onExternalUserRegistering gave no verdict');
    assert.equal((cause as Error).message, 'the list is out of reach');
    assert.equal('config' in (cause as Error), false);
  });

  it('has ten seconds', async () => {
    const clock = createManualClock();
    const ends: unknown[] = [];
    const reviewing = review([() => new Promise(() => {})], clock).catch(({ reason }) => ends.push(reason));
    clock.advance(9.999);
    for (let turn = 0; turn < 100; turn += 1) await nextTurn();
    assert.deepEqual(ends, []);
    clock.advance(0.001);
    await reviewing;
    assert.deepEqual(ends, ['external.unavailable']);
  });
});
