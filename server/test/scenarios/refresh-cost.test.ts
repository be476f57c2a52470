// What a refresh costs on PostgreSQL: callers that refresh at once share statements, as decision 50 says.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { startTestService } from '../support/service.ts';
import { countStatements } from '../support/statements.ts';

const CALLERS = 20;
/** The messages of a group: begin, four statements, commit. Callers that come late are a second one. */
const STATEMENTS = 6;

const REFRESH = '/api/TokenAuth/RefreshTokenAsync';

it('refreshes of many callers at once share one transaction or two', async (context) => {
  const test = await startTestService('postgres');
  context.after(() => test.close());
  const tokens: string[] = [];
  for (let n = 0; n < CALLERS; n += 1) {
    await test.createUser(`person${n}`);
    tokens.push(await test.signIn(`person${n}`));
  }
  const count = countStatements(context);
  const answers = await Promise.all(tokens.map((token) => test.post(REFRESH, { token })));
  assert.ok(answers.every(({ status }) => status === 200));
  assert.ok(count.read() <= 2 * STATEMENTS, `${count.read()} statements`);
});

it('refused refreshes at once share them too, so that one revoked token is no burden for others', async (context) => {
  const test = await startTestService('postgres');
  context.after(() => test.close());
  await test.createUser('thandi');
  const [left, superseded] = [await test.signIn('thandi'), await test.signIn('thandi')];
  await test.post('/api/TokenAuth/SignOff', { token: left });
  // Twice, because the first refusal of a minute has an entry in the audit trail.
  for (const status of [200, 401]) assert.equal((await test.post(REFRESH, { token: superseded })).status, status);
  assert.equal((await test.post(REFRESH, { token: left })).status, 401);
  const count = countStatements(context);
  const tokens = Array.from({ length: CALLERS }, (_, n) => (n % 2 === 0 ? left : superseded));
  const answers = await Promise.all(tokens.map((token) => test.post(REFRESH, { token })));
  assert.ok(answers.every(({ status, error }) => status === 401 && error.reason === 'token.revoked'));
  assert.ok(count.read() <= 2 * STATEMENTS, `${count.read()} statements`);
});
