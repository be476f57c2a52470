// Signing off: it ends the session of a token in any state, and records only an end.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createTestAccounts, type TestAccount, type TestAccounts } from '../../test/support/accounts.ts';
import { exchange } from '../../test/support/exchange.ts';
import { startTestService, type TestService } from '../../test/support/service.ts';
import { serviceErrors } from '../foundation/errors.ts';
import type { Occurrence } from '../foundation/events.ts';
import { sessionActions } from '../tokens/index.ts';
import { createSignOff } from './sign-off.ts';

const origin = { ipAddress: null, userAgent: null, frontEnd: 'default-app' };

describe('a sign-off', () => {
  let test: TestService;
  let accounts: TestAccounts;
  let person: TestAccount;
  let token: string;
  let heard: Occurrence[];
  before(async () => {
    test = await startTestService('sqlite');
    accounts = await createTestAccounts(test);
    test.service.events.subscribe((occurrence) => {
      if (occurrence.action === sessionActions.signedOff) heard.push(occurrence);
    });
  });
  after(() => test.close());
  beforeEach(async () => {
    person = await accounts.add();
    token = await accounts.open(person);
    heard = [];
  });

  const signOff = (one: string, more: Partial<Parameters<typeof createSignOff>[0]> = {}) =>
    createSignOff({ ...test.service, ...more })(one, origin);
  const end = (name: string | null) => {
    const user = { id: person.id, name };
    return { action: sessionActions.signedOff, outcome: 'success', user, origin };
  };
  const isOpen = () =>
    test.service.sessions.check(token).then(
      () => true,
      () => false,
    );

  it('ends the session, and is recorded once', async () => {
    await signOff(token);
    assert.equal(await isOpen(), false);
    await signOff(token);
    assert.deepEqual(heard, [end(person.userName)]);
  });

  it('is not lost against a refresh', async () => {
    const { database, sessions } = test.service;
    const verified = await sessions.verify(token);
    const subject = { ...person, fullName: '', email: null, roles: [] };
    const superseded = token;
    token = (await database.transaction((tx) => exchange(tx, sessions, verified, async () => subject))).accessToken;
    assert.equal(await isOpen(), true);
    await signOff(superseded);
    assert.equal(await isOpen(), false);
    assert.equal(heard.length, 1);
  });

  it('of an account that is gone is recorded without its name', async () => {
    await signOff(token, { accounts: { ...test.service.accounts, findIn: async () => undefined } });
    assert.deepEqual(heard, [end(null)]);
  });

  it('with a token that is none, or has expired, does nothing', async () => {
    await signOff('none');
    test.clock.advance(86_400);
    await signOff(token);
    assert.deepEqual(heard, []);
  });

  it('that fails says so: the session may still be open', async () => {
    for (const error of [new Error('fault'), serviceErrors.unavailable()]) {
      const { database } = test.service;
      const failing = { ...database, transaction: () => Promise.reject(error) };
      await assert.rejects(signOff(token, { database: failing }), error);
    }
    assert.equal(await isOpen(), true);
  });
});
