// What second factors cost an account that has none: nothing while every kind is off.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { useFactors } from '../support/factors.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { countStatements } from '../support/statements.ts';

/** As many as before the service knew second factors, and the one that revokes the former token for other services. */
const STATEMENTS = { signIn: 13, refresh: 6, check: 2 };

// Only PostgreSQL: each statement costs a round trip.
describe('the statements of a sign-in', () => {
  let test: TestService;
  before(async () => {
    test = await startTestService('postgres');
    await test.createUser('thandi', { roleNames: ['UserManager'] });
    await count(await test.signIn('thandi'));
  });
  after(() => test.close());

  const refresh = async (token: string) =>
    (await test.post('/api/TokenAuth/RefreshTokenAsync', { token })).result.accessToken;
  const check = async (token: string) =>
    assert.equal((await test.get('/api/services/app/Session/GetAll', { token })).status, 200);

  async function count(first: string, statements = { reset() {}, read: () => 0 }) {
    const counted = async <Result>(work: () => Promise<Result>): Promise<[Result, number]> => {
      statements.reset();
      return [await work(), statements.read()];
    };
    await refresh(first);
    const [token, signIn] = await counted(() => test.signIn('thandi'));
    const [refreshed, refreshing] = await counted(() => refresh(token));
    const [, checking] = await counted(() => check(refreshed));
    return { signIn, refresh: refreshing, check: checking };
  }

  it('are as many as ever while every kind is off, also if a front end requires one', async (context) => {
    const statements = countStatements(context);
    assert.deepEqual(await count(await test.signIn('thandi'), statements), STATEMENTS);
    await test.set('Latchkey.Factors.SecondFactor', 'required');
    assert.deepEqual(await count(await test.signIn('thandi'), statements), STATEMENTS);
    await test.set('Latchkey.Factors.SecondFactor', 'optional');
    await useFactors({ here: test, there: test, close: test.close }).allow();
    const { signIn, check: checking } = await count(await test.signIn('thandi'), statements);
    assert.ok(signIn > STATEMENTS.signIn, 'statements are counted');
    assert.equal(checking, STATEMENTS.check);
  });
});
