// Second factors: which methods a sign-in asks for, whether any is offered, and when an account must enroll one.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Account } from '../accounts/index.ts';
import type { SettingReader } from '../foundation/setting.ts';
import type { Tx } from '../storage/database.ts';
import type { Factor } from './method.ts';
import { createSecondFactors } from './second-factors.ts';

// The factors of this test read nothing of them.
const tx = {} as Tx;
const account = { id: 7 } as Account;
const action = { name: 'test', description: '' };

const method = (name: string, more: Partial<Factor> = {}): Factor => ({ name, amr: name, action, ...more });
const enrolled = { isEnrolled: async () => true };
const password = method('password');
const app = method('app', enrolled);
const code = method('code', { ...enrolled, isFallback: true });
const switchedOff = method('key', { ...enrolled, kind: 'passkeys' });

function create(methods: readonly Factor[], isRequired = false) {
  // They read one setting only.
  const settings = { read: () => ({ passkeys: false, authenticator: true }) } as unknown as SettingReader;
  const secondFactors = createSecondFactors({ settings, requiresSecondFactor: async () => isRequired });
  for (const one of methods) secondFactors.register(one);
  return secondFactors;
}

describe('the second factors of an account', () => {
  it('are the enrolled methods that are offered, in the order of their registration', async () => {
    const notEnrolled = method('pin', { isEnrolled: async () => false });
    const switchedOn = method('key', { ...enrolled, kind: 'authenticator' });
    assert.deepEqual(await create([password, notEnrolled, app, switchedOn]).find(tx, account), ['app', 'key']);
    assert.deepEqual(await create([password, switchedOff]).find(tx, account), []);
    assert.deepEqual([...create([password, app]).methods.keys()], ['password', 'app']);
  });

  it('are other ones than the first factor', async () => {
    const both = create([app, method('key', enrolled)]);
    assert.deepEqual(await both.find(tx, account, app), ['key']);
    assert.deepEqual(await both.find(tx, account, password), ['app', 'key']);
  });

  it('have a fallback beside them, which is none alone', async () => {
    assert.deepEqual(await create([app, code]).find(tx, account), ['app', 'code']);
    assert.deepEqual(await create([app, code]).find(tx, account, app), []);
    assert.deepEqual(await create([switchedOff, code]).find(tx, account), []);
  });

  it('are offered while one is that is no fallback', () => {
    assert.equal(create([password, app]).areOffered(), true);
    assert.equal(create([password, switchedOff, code]).areOffered(), false);
  });

  it('must be enrolled where the policy requires one and the account has none', async () => {
    assert.equal(await create([switchedOff, code], true).mustEnroll(tx, account, 'app'), true);
    assert.equal(await create([app], true).mustEnroll(tx, account, 'app'), false);
    assert.equal(await create([switchedOff], false).mustEnroll(tx, account, 'app'), false);
  });
});
