// The overview: what happened by hour or day, who has access, and what needs attention.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { operator } from '../../src/app/first-start.ts';
import { DeliveryError } from '../../src/delivery/index.ts';
import { addSeconds } from '../../src/foundation/clock.ts';
import { openDatabase } from '../../src/storage/open.ts';
import { createSite } from '../cli/run.ts';
import { createClient, createVerifier, signInTo, toRequest } from '../support/oauth.ts';
import { callProcess } from '../support/process.ts';
import { createRegistering } from '../support/registration.ts';
import { ADMIN_PASSWORD, startTestService, type TestService, USER_PASSWORD } from '../support/service.ts';
import { type SetUp, setUps } from '../support/set-ups.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

const API = '/api/services/app/Overview/Get';
const AUTHENTICATE = '/api/TokenAuth/Authenticate';
const DAY_SECONDS = 86_400;

type Ask = { range?: '24h' | '7d' | '30d'; timeZone?: string };

async function read(test: TestService, ask: Ask = {}) {
  const answer = await test.get(API, { token: await test.admin(), query: ask });
  assert.equal(answer.status, 200, answer.text);
  return answer.result;
}

/** The totals of the parts of a figure. */
const partsOf = ({ parts }: { parts: readonly { name: string; total: number }[] }) =>
  Object.fromEntries(parts.map(({ name, total }) => [name, total]));

const tryPassword = (test: TestService, userNameOrEmailAddress: string) =>
  test.post(AUTHENTICATE, { body: { userNameOrEmailAddress, password: 'wrong' } });

for (const [name, start] of Object.entries(setUps)) {
  describe(`the overview on ${name}`, () => {
    let setUp: SetUp;
    let here: TestService;
    let there: TestService;
    before(async () => {
      setUp = await start();
      ({ here, there } = setUp);
    });
    after(() => setUp.close());

    /** What the other node has counted, as its timer would add it within seconds. */
    const settle = () => there.service.counters.flush();

    it('counts sign-ins by method and refusals by reason, of all nodes', async () => {
      await here.createUser('ann', { mobileNumber: '+27821234567', isMobileConfirmed: true });
      const before = await read(here);
      await here.signIn('ann');
      await there.signIn('ann');
      await tryPassword(there, 'ann');
      await tryPassword(here, 'nobody');
      const sendPin = { body: { userNameOrMobileNo: 'ann' } };
      const { operationId } = (await here.post('/api/TokenAuth/OtpAuthenticateSendPin', sendPin)).result;
      const [sent] = await here.deliver();
      const code = sent?.text.match(/\b\d{6}\b/)?.[0] ?? '';
      const byPin = await there.post('/api/TokenAuth/OtpAuthenticate', { body: { operationId, code } });
      assert.equal(byPin.status, 200, byPin.text);
      await settle();
      const found = await read(here);
      // The administrator signs in to deliver and to read.
      assert.equal((partsOf(found.signIns).password ?? 0) - (partsOf(before.signIns).password ?? 0), 4);
      assert.equal(partsOf(found.signIns).pin, 1);
      assert.deepEqual(partsOf(found.refusals), { 'signIn.invalidCredentials': 2 });
      assert.deepEqual(partsOf(found.messagesSent), { sms: 1 });
      assert.equal(found.starts.length, 24);
      const { counts = [] } = found.signIns.parts[0] ?? {};
      assert.deepEqual([counts.length, counts.at(-1)], [24, found.signIns.parts[0]?.total], 'all in the present hour');
    });

    it('counts a lockout once, whichever attempts wait at the same time, and names without account apart', async () => {
      await here.createUser('locked');
      for (const who of ['locked', 'no such name']) {
        const attempts = Array.from({ length: 9 }, (_, index) => tryPassword(index % 2 ? here : there, who));
        await Promise.all(attempts);
        await tryPassword(here, who);
      }
      await settle();
      here.clock.advance(20);
      const found = await read(here);
      assert.deepEqual(partsOf(found.lockouts), { account: 1, unknownName: 1 });
      assert.equal(found.users?.locked, 1, 'a name without account is no locked user');
    });

    it('counts registrations', async () => {
      const registering = createRegistering(there);
      await registering.open('email');
      const operationId = await registering.prove('new@example.com');
      const created = await registering.create({ emailAddress: 'new@example.com', operationId });
      assert.equal(created.status, 200, created.text);
      await settle();
      assert.deepEqual(partsOf((await read(here)).registrations), { address: 1 });
    });

    it('counts sign-ins to each application by its name, also those that ask nobody', async () => {
      const [grafana, other] = [await createClient(here), await createClient(there, { name: 'Intranet' })];
      await here.createUser('reader');
      const { browser } = await signInTo(here, grafana, 'reader');
      const again = await browser.send('GET', '/oauth/authorize', { query: toRequest(grafana, createVerifier()) });
      assert.match(String(again.headers.location), /[?&]code=/, 'no question');
      await signInTo(there, other, 'reader');
      await settle();
      assert.deepEqual(partsOf((await read(here)).applications), { Grafana: 2, Intranet: 1 });
    });

    it('counts users by state, and sessions that are open', async () => {
      here.clock.advance(600);
      const before = await read(here);
      const id = await here.createUser('leaving');
      const token = await here.signIn('leaving');
      const body = { userId: await here.createUser('forgetful'), newPassword: USER_PASSWORD };
      await here.post('/api/services/app/User/ResetPassword', { token: await here.admin(), body });
      here.clock.advance(60);
      const grown = await read(here);
      assert.equal(grown.users?.total, (before.users?.total ?? 0) + 2);
      assert.equal(grown.users?.mustChangePassword, (before.users?.mustChangePassword ?? 0) + 1);
      await here.post('/api/services/app/User/InactivateUser', { token: await here.admin(), body: { userId: id } });
      assert.equal((await here.get('/api/services/app/Session/GetAll', { token })).status, 401);
      here.clock.advance(60);
      const left = await read(here);
      assert.equal(left.users?.inactive, (before.users?.inactive ?? 0) + 1);
      assert.equal(left.users?.active, (grown.users?.active ?? 0) - 1);
      // One session ended; the administrator opened two more.
      assert.equal(left.openSessions, grown.openSessions + 1);
    });

    it('shows users only to callers who may list them', async () => {
      const body = { name: 'Auditor', grantedPermissions: ['pages:maintenance'] };
      await here.post('/api/services/app/Role/Create', { token: await here.admin(), body });
      await here.createUser('auditor', { roleNames: ['Auditor'] });
      const shown = await here.get(API, { token: await here.signIn('auditor') });
      assert.deepEqual([shown.status, shown.result.users], [200, null]);
      assert.ok(shown.result.openSessions > 0);
      await here.createUser('keeper', { roleNames: ['UserManager'] });
      const refused = await here.get(API, { token: await here.signIn('keeper') });
      assert.deepEqual([refused.status, refused.error.reason], [403, 'permission.denied']);
    });

    it('compares with the period before, as soon as all of that was counted', async () => {
      const young = await read(here, { range: '24h' });
      assert.deepEqual([young.signIns.previous, young.refusals.previous], [null, null]);
      const { total } = young.refusals;
      here.clock.advance(DAY_SECONDS);
      assert.equal((await read(here)).refusals.total, 0);
      here.clock.advance(DAY_SECONDS);
      await tryPassword(here, 'nobody');
      here.clock.advance(3 * DAY_SECONDS);
      const week = await read(here, { range: '7d', timeZone: 'Africa/Johannesburg' });
      assert.deepEqual([week.starts.length, week.refusals.total, week.refusals.previous], [7, total + 1, null]);
      const days = week.refusals.parts.find((part) => part.name === 'signIn.invalidCredentials')?.counts;
      assert.equal(days?.at(-4), 1, JSON.stringify(week.refusals));
      here.clock.advance(7 * DAY_SECONDS);
      assert.equal((await read(here, { range: '7d' })).refusals.total, 0);
      const month = await read(here, { range: '30d' });
      assert.deepEqual([month.refusals.total, month.refusals.previous], [total + 1, null]);
      here.clock.advance(49 * DAY_SECONDS);
      const later = await read(here, { range: '30d' });
      assert.deepEqual([later.refusals.total, later.refusals.previous], [0, 1], 'the first days are older than both');
    });

    it('refuses another range, and an unknown time zone', async () => {
      const token = await here.admin();
      for (const query of [{ range: '1y' }, { timeZone: 'Atlantis/Capital' }, { timeZone: 'a\u0000b' }]) {
        const { status, error } = await here.get(API, { token, query });
        assert.deepEqual([status, error.reason], [400, 'request.invalid'], JSON.stringify(query));
      }
    });
  });
}

describe('a process that stops', () => {
  it('adds its last counts', async () => {
    const site = await createSite('sqlite');
    try {
      const process = await site.serve();
      const body = { userNameOrEmailAddress: 'admin', password: ADMIN_PASSWORD };
      for (let count = 0; count < 3; count += 1) await callProcess(process.url, 'POST', AUTHENTICATE, { body });
      await process.stop();
      const database = await openDatabase(`sqlite:${join(site.folder, 'data', 'latchkey.db')}`);
      const rows = await database.sql.selectFrom('hourly_count').selectAll().where('figure', '=', 'signIn').execute();
      await database.close();
      // Two rows, if the hour has ended meanwhile.
      assert.deepEqual([...new Set(rows.map(({ part }) => part))], ['password']);
      assert.equal(
        rows.reduce((sum, { count }) => sum + Number(count), 0),
        3,
      );
    } finally {
      await site.close();
    }
  });
});

describe('what needs attention', () => {
  const kinds = async (test: TestService) => (await read(test)).attention.map(({ kind }) => kind);

  it('is that no gateway is configured, and else nothing, in a new service', async (t) => {
    const test = await startTestService('sqlite');
    t.after(() => test.close());
    assert.deepEqual((await read(test)).attention, [
      { kind: 'noGateway', means: 'email' },
      { kind: 'noGateway', means: 'sms' },
    ]);
  });

  it('are gateways that refuse messages, or do not answer', async (t) => {
    let failure: 'refused' | 'notSent' = 'refused';
    const send = async () => {
      throw new DeliveryError(failure, 'The gateway is out of order.');
    };
    const test = await startTestService('sqlite', {
      channels: {
        email: { name: 'mail', means: 'email', send },
        sms: { name: 'texts', means: 'sms', send: async () => {} },
      },
    });
    t.after(() => test.close());
    await test.set('Shesha.Otp', { resendCooldown: 0 });
    await test.createUser('ann', { emailAddress: 'ann@example.com', isEmailConfirmed: true });
    const ask = () => test.post('/api/services/app/User/SendEmailLink', { body: { username: 'ann' } });
    assert.deepEqual(await kinds(test), []);
    await ask();
    await test.service.messageDispatcher.deliverDue('email');
    assert.deepEqual((await read(test)).attention, [{ kind: 'messagesFailed', means: 'email', failed: 1, sent: 0 }]);
    failure = 'notSent';
    await ask();
    await test.service.messageDispatcher.deliverDue('email');
    assert.deepEqual(await kinds(test), ['messagesFailed'], 'not for a short wait');
    test.clock.advance(180);
    const [waiting] = (await read(test)).attention;
    assert.deepEqual(waiting, { kind: 'messagesWaiting', means: 'email', count: 1, oldestSeconds: 180 });
    test.clock.advance(2 * DAY_SECONDS);
    await test.service.messageDispatcher.deliverDue('email');
    assert.deepEqual(await kinds(test), ['messagesFailed'], 'the message that expired');
    test.clock.advance(2 * DAY_SECONDS);
    assert.deepEqual(await kinds(test), [], 'no longer than a day');
  });

  it('are weak settings, with the rules that they break', async (t) => {
    const test = await startTestService('sqlite');
    t.after(() => test.close());
    const body = { appKey: 'portal', name: 'Portal', description: '' };
    await test.post('/api/services/app/FrontEndApp/Create', { token: await test.admin(), body });
    const weak = async () =>
      (await read(test)).attention.flatMap((found) =>
        found.kind === 'weakSetting' ? [[found.setting, found.member, found.frontEnds, found.source]] : [],
      );
    assert.deepEqual(await weak(), []);
    await test.set('Shesha.Security', { useResetPasswordViaSecurityQuestions: true });
    await test.set('Latchkey.Tokens', { sessionLifetime: 31 * DAY_SECONDS });
    await test.set('Abp.Zero.UserManagement.UserLockOut.IsEnabled', false, 'portal');
    await test.set('Abp.Zero.UserManagement.PasswordComplexity.RequiredLength', 7, 'portal');
    await test.set('Abp.Zero.UserManagement.PasswordComplexity.RequiredLength', 7, 'default-app');
    const found = new Map((await weak()).map(([setting, ...more]) => [setting, more]));
    const questions = ['useResetPasswordViaSecurityQuestions', [], 'OWASP ASVS 6.4.2, NIST SP 800-63B-4 3.1.1.2'];
    assert.deepEqual(found.get('Shesha.Security'), questions);
    assert.deepEqual(found.get('Latchkey.Tokens')?.[0], 'sessionLifetime');
    const lockout = [null, ['portal'], 'OWASP ASVS 6.3.1, NIST SP 800-63B-4 3.2.2'];
    assert.deepEqual(found.get('Abp.Zero.UserManagement.UserLockOut.IsEnabled'), lockout);
    const [, frontEnds] = found.get('Abp.Zero.UserManagement.PasswordComplexity.RequiredLength') ?? [];
    assert.deepEqual(new Set(frontEnds), new Set(['default-app', 'portal']));
    assert.equal(found.size, 4);
  });

  it('are second factors that are required and not offered', async (t) => {
    const test = await startTestService('sqlite');
    t.after(() => test.close());
    const by = operator('test');
    await test.service.settings.update('Latchkey.Factors.SecondFactor', 'default-app', 'required', by);
    const [found] = (await read(test)).attention;
    assert.deepEqual(found?.kind === 'secondFactorUnmet' && found.frontEnds, ['default-app']);
    await test.service.settings.update('Latchkey.Factors.SecondFactor', 'default-app', 'optional', by);
    assert.ok(!(await kinds(test)).includes('secondFactorUnmet'));
  });

  it('are webhooks that the service has disabled, until they are enabled again', async (t) => {
    const test = await startTestService('sqlite');
    const receiver = await startWebhookReceiver();
    t.after(async () => {
      await receiver.stop();
      await test.close();
    });
    const token = await test.admin();
    const hook = { url: receiver.url, actions: ['account.created'] };
    const create = async (more: { description?: string }) =>
      (await test.post('/api/services/app/Webhook/Create', { token, body: { ...hook, ...more } })).result.id;
    const shop = await create({ description: 'Shop' });
    test.clock.advance(1);
    const ids = [shop, await create({})];
    receiver.answer((response) => response.writeHead(410).end());
    assert.ok(!(await kinds(test)).includes('webhooksDisabled'));
    for (const id of ids) {
      await test.post('/api/services/app/Webhook/SendTest', { token, body: { id } });
      await test.service.deliveries.deliverDue(id);
    }
    const names = ['Shop', new URL(receiver.url).host];
    assert.deepEqual((await read(test)).attention[0], { kind: 'webhooksDisabled', names, count: 2 });
    for (const id of ids) {
      const body = { id, isEnabled: true };
      await test.send('PUT', '/api/services/app/Webhook/Update', { token, body });
    }
    assert.ok(!(await kinds(test)).includes('webhooksDisabled'));
  });

  it('are webhooks that get no new events, and entries that are not chained for a minute', async (t) => {
    const test = await startTestService('sqlite');
    t.after(() => test.close());
    const { database, chainer } = test.service;
    const token = await test.admin();
    const body = { url: 'http://127.0.0.1:9/events', actions: ['role.*'] };
    await test.post('/api/services/app/Webhook/Create', { token, body });
    await chainer.chainAll();
    await test.createUser('thandi');
    test.clock.advance(60);
    assert.deepEqual(await kinds(test), ['noGateway', 'noGateway']);
    await database.sql.updateTable('webhook').set({ full_since: test.clock.now() }).execute();
    test.clock.advance(1);
    assert.deepEqual((await read(test)).attention.slice(0, 2), [
      { kind: 'webhooksFull', names: ['127.0.0.1:9'], count: 1 },
      { kind: 'chainStandsStill', oldestSeconds: 61 },
    ]);
    await chainer.chainAll();
    assert.ok(!(await kinds(test)).includes('chainStandsStill'));
  });

  it('are service keys that no service uses, and a signing key that is due', async (t) => {
    const test = await startTestService('sqlite');
    t.after(() => test.close());
    const key = await test.createServiceKey('used', ['introspect']);
    await test.createServiceKey('idle', ['introspect']);
    const { dueAt } = test.service.keys.rotation();
    test.clock.advance(82 * DAY_SECONDS);
    assert.deepEqual((await kinds(test)).slice(0, -2), []);
    await test.service.serviceKeys.authenticate(key, 'introspect');
    test.clock.advance(2 * DAY_SECONDS);
    assert.equal((await kinds(test)).at(-1), 'keyRotatesSoon');
    test.clock.advance(7 * DAY_SECONDS);
    const { attention } = await read(test);
    assert.deepEqual(
      attention.find(({ kind }) => kind === 'serviceKeysUnused'),
      { kind: 'serviceKeysUnused', names: ['idle'], count: 1 },
    );
    const input = { type: 'oidc', clientId: 'latchkey', issuer: 'https://id.example.com' } as const;
    const expiresIn = (days: number) => addSeconds(test.clock.now(), days * DAY_SECONDS);
    const secrets = { late: expiresIn(30), soon: expiresIn(2), never: null, off: expiresIn(1), later: expiresIn(31) };
    for (const [name, secretExpiresAt] of Object.entries(secrets)) {
      const more = { name, secretExpiresAt, isEnabled: name !== 'off' };
      await test.service.externalProviders.create({ ...input, ...more }, operator('test'));
    }
    assert.deepEqual(
      (await read(test)).attention.find(({ kind }) => kind === 'providerSecretsExpire'),
      {
        kind: 'providerSecretsExpire',
        names: ['soon', 'late'],
        count: 2,
        firstAt: new Date(secrets.soon).toISOString(),
      },
    );
    for (const { id } of await test.service.externalProviders.readAll()) {
      await test.service.externalProviders.remove(id, operator('test'));
    }
    test.clock.advance(5 * DAY_SECONDS);
    assert.deepEqual((await read(test)).attention[0], { kind: 'keyOverdue', dueAt: new Date(dueAt).toISOString() });
    await test.service.keys.maintain();
    assert.ok(!(await kinds(test)).some((kind) => kind.startsWith('key')));
  });
});
