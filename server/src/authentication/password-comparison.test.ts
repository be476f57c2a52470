// Comparing a password: what is returned of the right one, and that nothing is of any other.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { hash as argon2 } from '@node-rs/argon2';
import { createTestAccounts } from '../../test/support/accounts.ts';
import { startTestService, type TestService, USER_PASSWORD } from '../../test/support/service.ts';
import { type ComparePassword, createComparePassword } from './password-comparison.ts';

const WRONG = 'not the password at all';
const VERSION = 3;

describe('comparing a password', () => {
  let test: TestService;
  let compare: (hash: string | null | undefined, password: string) => ReturnType<ComparePassword>;
  before(async () => {
    test = await startTestService('sqlite');
    const { accounts, passwords } = test.service;
    const { id } = await (await createTestAccounts(test)).add();
    const account = (await accounts.find(id)) ?? assert.fail();
    const comparePassword = createComparePassword({ passwords });
    compare = (hash, password) =>
      comparePassword({
        account: hash === undefined ? undefined : { ...account, credential: { hash, version: VERSION } },
        subject: 'account:1',
        password,
        origin: { ipAddress: '192.0.2.1', userAgent: null, frontEnd: 'default-app' },
      });
  });
  after(() => test.close());

  it('returns the version of the right one', async () => {
    const hash = await test.service.passwords.hash(USER_PASSWORD);
    assert.deepEqual(await compare(hash, USER_PASSWORD), { passwordVersion: VERSION, upgradedHash: undefined });
  });

  it('returns a stronger hash in place of a weak one', async () => {
    const weak = await argon2(USER_PASSWORD, { memoryCost: 8192, timeCost: 2, parallelism: 1 });
    const { passwordVersion, upgradedHash = '' } = (await compare(weak, USER_PASSWORD)) ?? assert.fail();
    assert.equal(passwordVersion, VERSION);
    const verified = await test.service.passwords.verify(upgradedHash, USER_PASSWORD);
    assert.deepEqual(verified, { matches: true, outdated: false });
    assert.equal(await compare(weak, WRONG), undefined);
  });

  it('returns nothing for a wrong one, an account without one, and an unknown name', async () => {
    assert.equal(await compare(await test.service.passwords.hash(USER_PASSWORD), WRONG), undefined);
    for (const none of [null, undefined]) assert.equal(await compare(none, USER_PASSWORD), undefined);
  });
});
