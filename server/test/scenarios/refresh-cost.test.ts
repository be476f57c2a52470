// What a refresh costs on PostgreSQL: callers that refresh at once share statements, as decision 50 says.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { startTestService } from '../support/service.ts';
import { countStatements } from '../support/statements.ts';

const CALLERS = 20;
/** The messages of a group: begin, four statements, commit. Callers that come late are a second one. */
const STATEMENTS = 6;

it('refreshes of many callers at once share one transaction or two', async (context) => {
  const test = await startTestService('postgres');
  context.after(() => test.close());
  const tokens: string[] = [];
  for (let n = 0; n < CALLERS; n += 1) {
    await test.createUser(`person${n}`);
    tokens.push(await test.signIn(`person${n}`));
  }
  const count = countStatements(context);
  const answers = await Promise.all(tokens.map((token) => test.post('/api/TokenAuth/RefreshTokenAsync', { token })));
  assert.ok(answers.every(({ status }) => status === 200));
  assert.ok(count.read() <= 2 * STATEMENTS, `${count.read()} statements`);
});
