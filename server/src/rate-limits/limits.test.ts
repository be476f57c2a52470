// The rate limits that endpoints use, their setting, headers and error.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Value } from 'typebox/value';
import { createManualClock } from '../../test/support/clock.ts';
import type { SettingReader } from '../foundation/setting.ts';
import { createMemoryRateLimitStore, createRateLimits, rateLimitErrors, rateLimitHeaders } from './index.ts';
import { rateLimitingSetting } from './settings.ts';

function createWorld() {
  const clock = createManualClock();
  const setting = { value: rateLimitingSetting.default };
  const settings = { read: () => setting.value } as unknown as SettingReader;
  const limits = createRateLimits({ store: createMemoryRateLimitStore(), settings, clock });
  return { clock, setting, limits };
}

describe('rate limits', () => {
  it('give ten sign-ins, five pins, 300 answers and 300 sign-ins to applications a minute by default', async () => {
    const { limits, clock } = createWorld();
    for (const [policy, budget] of [
      ['login', 10],
      ['answers', 300],
      ['otp', 5],
      ['authorization', 300],
    ] as const) {
      for (let n = 1; n <= budget; n += 1) assert.equal((await limits.take(policy, '192.0.2.1')).remaining, budget - n);
      assert.equal((await limits.take(policy, '192.0.2.1')).retryAfterSeconds, 60);
    }
    clock.advance(60);
    assert.equal((await limits.take('login', '192.0.2.1')).allowed, true);
  });

  it('give a site sixteen budgets, and report the budget that has less left', async () => {
    const { limits, clock, setting } = createWorld();
    setting.value = { ...setting.value, loginPermitLimit: 2 };
    const take = (address: number) => limits.take('login', `address ${address}`, 'site');
    for (let address = 1; address <= 15; address += 1) {
      for (const left of [1, 0]) assert.deepEqual([(await take(address)).remaining, left], [left, left]);
      assert.deepEqual([(await take(address)).allowed, (await take(address)).limit], [false, 2]);
    }
    const { remaining, limit } = await take(16);
    assert.deepEqual([remaining, limit], [1, 2], 'of two budgets with the same remainder, the own one');
    clock.advance(10);
    const last = await take(17);
    assert.deepEqual([last.allowed, last.remaining, last.limit, last.resetSeconds], [true, 0, 32, 50]);
    const refused = await take(18);
    assert.deepEqual(
      [refused.allowed, refused.limit, refused.firstRefusal, refused.retryAfterSeconds],
      [false, 32, true, 50],
    );
    assert.deepEqual([(await take(19)).firstRefusal, (await take(1)).retryAfterSeconds], [false, 50]);
    assert.equal((await limits.take('login', 'address 20', 'other site')).allowed, true);
    assert.equal((await limits.take('login', 'address 20')).allowed, true);
  });

  it('make a caller wait until both of its budgets have a request left', async () => {
    const { limits, clock, setting } = createWorld();
    setting.value = { ...setting.value, loginPermitLimit: 1 };
    for (let address = 1; address <= 16; address += 1) await limits.take('login', `address ${address}`, 'site');
    clock.advance(40);
    const first = await limits.take('login', 'late', 'site');
    assert.deepEqual(
      [first.allowed, first.limit, first.retryAfterSeconds],
      [false, 16, 60],
      'it has used up its own budget',
    );
    assert.equal((await limits.take('login', 'later', 'site')).retryAfterSeconds, 20);
    clock.advance(20);
    assert.equal((await limits.take('login', 'later', 'site')).allowed, true);
    assert.deepEqual([(await limits.take('login', 'late', 'site')).retryAfterSeconds], [40]);
    clock.advance(40);
    assert.equal((await limits.take('login', 'late', 'site')).allowed, true);
  });

  it('refuse whose failures have used up their budget, and count no others', async () => {
    const { limits, clock } = createWorld();
    const fail = () => limits.countFailure('client', 'application');
    assert.equal(limits.findRefusal('client', 'application'), undefined);
    for (let failures = 1; failures <= 60; failures += 1) assert.equal((await fail()).allowed, true);
    assert.equal((await fail()).allowed, false);
    assert.equal(limits.findRefusal('client', 'application')?.retryAfterSeconds, 60);
    assert.equal(limits.findRefusal('client', 'another application'), undefined);
    clock.advance(60);
    assert.equal(limits.findRefusal('client', 'application'), undefined);
  });

  it('bound the failures of a site by sixteen budgets', async () => {
    const { limits } = createWorld();
    const fail = (address: number) => limits.countFailure('userCode', `address ${address}`, 'site');
    for (let address = 1; address <= 16; address += 1) {
      for (let failures = 1; failures <= 10; failures += 1) assert.equal((await fail(address)).allowed, true);
    }
    assert.equal((await fail(17)).allowed, false);
  });

  it('take back what was no failure, of the address and of its site', async () => {
    const { limits, clock } = createWorld();
    const fail = (address: number) => limits.countFailure('userCode', `address ${address}`, 'site');
    for (let address = 1; address <= 16; address += 1) {
      for (let failures = 1; failures <= 10; failures += 1) await fail(address);
    }
    await limits.takeBack('userCode', 'address 16', 'site', clock.now());
    assert.deepEqual([(await fail(16)).allowed, (await fail(16)).allowed], [true, false]);
    await limits.takeBack('userCode', 'address 1', undefined, clock.now());
    assert.equal((await fail(17)).allowed, false, 'the budget of the site is used up again');
    const own = () => limits.countFailure('userCode', 'address 1');
    assert.deepEqual([(await own()).allowed, (await own()).allowed], [true, false]);
  });

  it('apply a changed setting to the next request', async () => {
    const { limits, setting } = createWorld();
    setting.value = { ...setting.value, otpPermitLimit: 1, otpWindowSeconds: 120, retryAfterSeconds: 200 };
    await limits.take('otp', '192.0.2.1');
    assert.equal((await limits.take('otp', '192.0.2.1')).retryAfterSeconds, 200);
    setting.value = { ...setting.value, otpPermitLimit: 2 };
    assert.equal((await limits.take('otp', '192.0.2.1')).allowed, true);
  });

  it('delete windows that have ended by the longest of the settings', async () => {
    const { limits, clock } = createWorld();
    await limits.take('login', '192.0.2.1');
    assert.equal(await limits.deleteExpired(), 0);
    clock.advance(121);
    assert.equal(await limits.deleteExpired(), 1);
  });

  it('write the budget as structured fields', async () => {
    const { limits } = createWorld();
    assert.deepEqual(rateLimitHeaders('login', await limits.take('login', '192.0.2.1')), {
      'RateLimit-Policy': '"login";q=10;w=60',
      RateLimit: '"login";r=9;t=60',
    });
  });

  it('answer 429 with the seconds to wait', () => {
    const error = rateLimitErrors.exceeded({ retryAfterSeconds: 7 });
    assert.deepEqual([error.status, error.reason, error.retryAfterSeconds], [429, 'rateLimit.exceeded', 7]);
  });

  it('accept the ranges of the setting and nothing else', () => {
    const { schema, default: usual } = rateLimitingSetting;
    const accepts = (change: object) => Value.Check(schema, { ...usual, ...change });
    assert.ok(accepts({}));
    assert.ok(accepts({ loginPermitLimit: 100_000, loginWindowSeconds: 3600, retryAfterSeconds: 3600 }));
    assert.ok(accepts({ otpPermitLimit: 1, otpWindowSeconds: 1, retryAfterSeconds: 0 }));
    for (const wrong of [0, 100_001, 1.5, '10', null]) assert.ok(!accepts({ loginPermitLimit: wrong }));
    for (const wrong of [0, 3601, -1]) assert.ok(!accepts({ otpWindowSeconds: wrong }));
    for (const wrong of [-1, 3601]) assert.ok(!accepts({ retryAfterSeconds: wrong }));
    assert.ok(!accepts({ surprise: 1 }));
  });
});
