// Attempts: what a verdict does to the failures of a subject, and what a refusal leaves in the audit trail.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { startTestService, type TestService } from '../../test/support/service.ts';
import { factorErrors } from '../factors/index.ts';
import { AuthError } from '../foundation/errors.ts';
import type { Occurrence } from '../foundation/events.ts';
import type { SettingReader } from '../foundation/setting.ts';
import type { LockoutPolicy } from '../lockout/index.ts';
import { RESERVATION_SECONDS } from '../lockout/lockout.ts';
import { lockoutSettings } from '../lockout/settings.ts';
import type { Roles } from '../roles/index.ts';
import { type Attempt, type Attempts, createAttempts, Refusal, type Verdict } from './attempts.ts';

const origin = { ipAddress: null, userAgent: null, frontEnd: 'default-app' };
const action = { name: 'test.attempt', description: '' };
const twice: LockoutPolicy = { enabled: true, maxFailures: 2, seconds: 60 };
const account = { id: 7, userName: 'thandi', roleNames: [] };
const { isEnabled, maxFailures } = lockoutSettings;

/** Settings that give a front end its policy. Attempts read these three settings only. */
const settingsOf = (policyOf: (frontEnd: string) => LockoutPolicy) => {
  const read = ({ name }: { name: string }, frontEnd = '') => {
    const policy = policyOf(frontEnd);
    if (name === isEnabled.name) return policy.enabled;
    return name === maxFailures.name ? policy.maxFailures : policy.seconds;
  };
  return { read } as SettingReader;
};

describe('an attempt', () => {
  let test: TestService;
  let heard: Occurrence[];
  let subject: string;
  let subjects = 0;
  before(async () => {
    test = await startTestService('sqlite');
    test.service.events.subscribe((occurrence) => {
      if (occurrence.action.name === action.name) heard.push(occurrence);
    });
  });
  after(() => test.close());
  beforeEach(() => {
    heard = [];
    subjects += 1;
    subject = `name:attempt ${subjects}`;
  });

  const create = (found: LockoutPolicy = twice) => {
    return createAttempts({ ...test.service, settings: settingsOf(() => found) });
  };
  /** Makes an attempt whose refusal is not recorded. */
  async function settle<Verified>(
    verdict: (verified: Verified) => Promise<Verdict<unknown>>,
    work: () => Promise<Verified>,
    policy = twice,
    attempts = create(),
  ) {
    const attempt = await attempts.reserve(subject, policy);
    if ('lockedUntil' in attempt) return attempt;
    const verified = await attempt.verify(work);
    return attempt.settle(() => verdict(verified));
  }
  const check = async () => 'checked';
  const give = (proof: Verdict<unknown>['proof'], policy = twice) =>
    settle(async (checked) => ({ proof, result: checked }), check, policy);
  const lockEnd = async () => (await test.service.lockouts.readLocks([subject])).get(subject) ?? null;
  const countEntries = async () => {
    const rows = test.service.database.sql.selectFrom('audit').select('id').where('action', '=', action.name);
    return (await rows.execute()).length;
  };

  it('that is wrong counts, and one that is right starts again', async () => {
    const open = { result: 'checked' };
    assert.deepEqual(await give('wrong'), open);
    for (const proof of ['partial', 'unchecked', 'right', 'wrong'] as const) assert.deepEqual(await give(proof), open);
    const lockedUntil = test.clock.now() + 60_000;
    assert.deepEqual(await give('wrong'), open);
    assert.equal(await lockEnd(), lockedUntil);
  });

  it('that checks a part of the proof, or nothing, leaves failures as they are', async () => {
    await give('wrong');
    await give('partial');
    await give('unchecked');
    await give('wrong');
    assert.notEqual(await lockEnd(), null);
  });

  it('whose reservation has expired gets the same answer for each proof', async () => {
    for (const proof of ['wrong', 'right', 'partial', 'unchecked'] as const) {
      const late = settle(
        async () => ({ proof, result: proof }),
        async () => test.clock.advance(RESERVATION_SECONDS),
      );
      await assert.rejects(late, { reason: 'service.unavailable' });
    }
  });

  it('on a locked subject checks nothing', async () => {
    await give('wrong');
    await give('wrong');
    assert.deepEqual(await give('right'), { lockedUntil: await lockEnd() });
  });

  it('that fails to be checked or settled is not pending, and does not count', async () => {
    const once = { ...twice, maxFailures: 1 };
    const fault = new Error('fault');
    const failed = async () => Promise.reject(fault);
    const right = async () => ({ proof: 'right', result: 1 }) as const;
    for (let turn = 0; turn < 3; turn += 1) {
      const before = test.clock.elapsed();
      await assert.rejects(settle(right, failed, once), fault);
      await assert.rejects(settle(failed, check, once), fault);
      assert.deepEqual(await give('right', once), { result: 'checked' });
      assert.equal(test.clock.elapsed(), before);
    }
  });

  it('reports its own fault, not that of the release', async () => {
    const { lockouts } = test.service;
    const fault = new Error('fault');
    const attempts = createAttempts({
      ...test.service,
      lockouts: { ...lockouts, release: () => Promise.reject(new Error('of the release')) },
      settings: settingsOf(() => twice),
    });
    const failed = async () => Promise.reject(fault);
    await assert.rejects(settle(failed, failed, twice, attempts), fault);
    await assert.rejects(settle(failed, check, twice, attempts), fault);
  });

  describe('has a policy', () => {
    const lax = { enabled: false, maxFailures: 50, seconds: 10 };
    const strict = { enabled: true, maxFailures: 3, seconds: 600 };
    const permissionsOf: Roles['permissionsOf'] = (names) => (names.includes('clerk') ? ['Pages.Users'] : []);
    const portal = { ...origin, frontEnd: 'portal' };
    let attempts: Attempts;
    before(() => {
      // `portal` is lax, and every other front end strict.
      const settings = settingsOf((frontEnd) => (frontEnd === 'portal' ? lax : strict));
      attempts = createAttempts({ ...test.service, settings, roles: { ...test.service.roles, permissionsOf } });
    });

    it('of the front end for names without account, and for accounts without permissions', () => {
      for (const one of [undefined, { roleNames: ['guest'] }]) assert.deepEqual(attempts.findPolicy(one, portal), lax);
    });

    it('at least as strict as that of default-app for accounts with permissions', () => {
      assert.deepEqual(attempts.findPolicy({ roleNames: ['clerk'] }, portal), strict);
    });

    it('that locks after five wrong second factors under any settings, for the longest time', () => {
      const policy = { enabled: true, maxFailures: 5, seconds: 600 };
      assert.deepEqual(attempts.findFactorPolicy(['portal']), policy);
    });
  });

  /** Makes an attempt whose refusal is recorded. */
  async function make(verdict: Verdict<string | Refusal>, more: Partial<Attempt> = {}, found?: LockoutPolicy) {
    const attempt = await create(found).begin({ account, subject, origin, action, ...more });
    await attempt.verify(check);
    return attempt.settle(async () => verdict);
  }
  const right = { proof: 'right', result: 'in' } as const;
  const wrong = { proof: 'wrong', result: new Refusal(factorErrors.invalid()) } as const;
  const lockedOut = { reason: 'signIn.lockedOut', status: 401 };

  it('returns its result, and no refusal', async () => {
    assert.equal(await make(right), 'in');
    assert.deepEqual(heard, []);
  });

  it('is refused with an error of its own, which is recorded with the account', async () => {
    const details = { method: 'test' };
    await assert.rejects(make(wrong, { details }), { reason: 'factor.invalid' });
    const user = { id: 7, name: 'thandi' };
    assert.deepEqual(heard, [{ action, outcome: 'refused', reason: 'factor.invalid', user, origin, details }]);
    assert.equal(await countEntries(), 1);
  });

  it('on a name without account is recorded without one', async () => {
    await assert.rejects(make(wrong, { account: undefined }), { reason: 'factor.invalid' });
    assert.deepEqual(heard, [{ action, outcome: 'refused', reason: 'factor.invalid', origin }]);
  });

  it('may be refused although its proof is right, which starts again', async () => {
    await assert.rejects(make(wrong));
    await assert.rejects(make({ proof: 'right', result: new Refusal(factorErrors.notEnrolled()) }), {
      reason: 'factor.notEnrolled',
    });
    await assert.rejects(make(wrong), { reason: 'factor.invalid' });
    assert.equal(await lockEnd(), null);
  });

  it('that locks the subject says for how long, and so does each later one', async () => {
    await assert.rejects(make(wrong));
    heard = [];
    const before = await countEntries();
    for (const verdict of [wrong, right, right]) {
      await assert.rejects(make(verdict), (error) => {
        assert.ok(error instanceof AuthError);
        assert.deepEqual([error.reason, error.status, error.retryAfterSeconds], ['signIn.lockedOut', 401, 60]);
        return true;
      });
    }
    assert.deepEqual(new Set(heard.map(({ reason }) => reason)), new Set(['signIn.lockedOut']));
    assert.equal((await countEntries()) - before, 3);
  });

  it('on a locked subject is recorded once a minute within a session', async () => {
    for (let turn = 0; turn < 2; turn += 1) await assert.rejects(make(wrong));
    const before = await countEntries();
    for (let turn = 0; turn < 3; turn += 1) await assert.rejects(make(right, { sessionId: subject }), lockedOut);
    assert.equal((await countEntries()) - before, 1);
  });

  it('has the policy of its account and front end, or its own', async () => {
    const never = { ...twice, enabled: false };
    for (let turn = 0; turn < 3; turn += 1) await assert.rejects(make(wrong, {}, never), { reason: 'factor.invalid' });
    subject += ' with a policy';
    await assert.rejects(make(wrong, { policy: { ...twice, maxFailures: 1 } }, never), lockedOut);
  });

  it('gets nothing if others lock the subject while it is verified, and what it did is undone', async () => {
    const { database, lockouts } = test.service;
    const lax = { ...twice, maxFailures: 100 };
    const rows = () => database.sql.selectFrom('audit').select('id').where('action', '=', 'undone').execute();
    for (const proof of ['right', 'partial', 'unchecked', 'wrong'] as const) {
      subject += ` ${proof}`;
      const held = await lockouts.reserve(subject, { ...twice, maxFailures: 1 });
      assert.ok('id' in held);
      const lock = () => database.transaction((tx) => lockouts.fail(tx, held, { ...twice, maxFailures: 1 }));
      const attempt = await create(lax).begin({ account, subject, origin, action });
      await attempt.verify(lock);
      const settling = attempt.settle<string>(async (tx) => {
        if (proof === 'wrong') return { proof, result: new Refusal(factorErrors.invalid()) };
        await test.service.audit.record(tx, {
          action: { name: 'undone', description: '' },
          outcome: 'success',
          origin,
        });
        return { proof, result: 'in' };
      });
      await assert.rejects(settling, { reason: 'signIn.lockedOut', retryAfterSeconds: 60 });
      assert.deepEqual(await rows(), []);
      test.clock.advance(60);
      // Nothing is pending.
      const policy = { ...twice, maxFailures: 1 };
      assert.equal(await make(right, { policy }), 'in');
    }
    assert.deepEqual(
      heard.map(({ reason }) => reason),
      Array(4).fill('signIn.lockedOut'),
    );
  });
});
