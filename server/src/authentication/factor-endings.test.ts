// Factor endings: which changes end challenges, factor operations and trusted devices, and of which accounts.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createTestAccounts, type TestAccount, type TestAccounts } from '../../test/support/accounts.ts';
import { startTestService, type TestService } from '../../test/support/service.ts';
import { addSeconds } from '../foundation/clock.ts';
import type { Tx } from '../storage/database.ts';
import { createLoginFlowStore } from './store.sql.ts';

const origin = { ipAddress: null, userAgent: null, frontEnd: 'default-app' };

describe('what a sign-in has begun or remembered of factors', () => {
  let test: TestService;
  let accounts: TestAccounts;
  let own: TestAccount;
  let other: TestAccount;
  let left: () => Promise<string[]>;

  before(async () => {
    test = await startTestService('sqlite');
    accounts = await createTestAccounts(test);
  });
  after(() => test.close());
  beforeEach(async () => {
    await set(30);
    [own, other] = [await accounts.add(), await accounts.add()];
    const reads = [await begin('own', own), await begin('other', other)];
    left = async () => (await Promise.all(reads.map((read) => read()))).flat();
  });

  const within = <Result>(work: (tx: Tx) => Promise<Result>) => test.service.database.transaction(work);
  const set = (trustedDeviceDays: number) =>
    test.set('Latchkey.Factors', {
      passkeys: true,
      authenticator: true,
      requireForPermissions: false,
      trustedDeviceDays,
    });

  /** Begins one of each kind. @returns a function that tells which are left. */
  async function begin(whose: string, { id }: TestAccount) {
    const { database, factorOperations, trustedDevices, clock } = test.service;
    const flows = createLoginFlowStore(database);
    const mac = `mac ${id}`;
    const expiresAt = addSeconds(clock.now(), 300);
    const flow = { mac, accountId: id, frontEnd: 'default-app', completed: [], passwordVersion: 1, lockoutSubject: '' };
    await flows.add(database.sql, { ...flow, expiresAt });
    const operation = await within((tx) => factorOperations.begin(tx, 'register-passkey', id, 'content'));
    const device = (await within((tx) => trustedDevices.trust(tx, id, origin))) ?? assert.fail();
    return async () => {
      const isLeft = {
        challenge: await flows.find(database.sql, mac, clock.now()),
        operation: await factorOperations.find(operation, 'register-passkey', id),
        device: await within((tx) => trustedDevices.recognize(tx, id, device, origin)),
      };
      return Object.entries(isLeft).flatMap(([kind, is]) => (is ? [`${whose} ${kind}`] : []));
    };
  }
  const all = (whose: string) => ['challenge', 'operation', 'device'].map((kind) => `${whose} ${kind}`);
  const endOf = (sessionId: string) => ({ kind: 'session', sessionId, expiresAt: test.clock.now() }) as const;

  it('stays when one session ends', async () => {
    const { revocations } = test.service;
    await within((tx) =>
      revocations.record(tx, [endOf('one'), { ...endOf('two'), kind: 'superseded', generation: 3 }]),
    );
    assert.deepEqual(await left(), [...all('own'), ...all('other')]);
  });

  it('ends with the sessions of its account', async () => {
    await within((tx) => test.service.sessions.endOfAccount(tx, own.id));
    assert.deepEqual(await left(), all('other'));
  });

  it('ends with a change of the factors of its account', async () => {
    await within((tx) => test.service.factorEndings.endOfAccount(tx, own.id));
    assert.deepEqual(await left(), all('other'));
  });

  it('ends with all sessions of the service', async () => {
    await within(test.service.sessions.endAll);
    assert.deepEqual(await left(), []);
  });

  it('loses its trusted devices, and nothing else, when the settings allow none', async () => {
    await set(1);
    assert.deepEqual(await left(), [...all('own'), ...all('other')]);
    await set(0);
    await set(30);
    const kept = ['challenge', 'operation'];
    assert.deepEqual(
      await left(),
      ['own', 'other'].flatMap((whose) => kept.map((kind) => `${whose} ${kind}`)),
    );
  });
});
