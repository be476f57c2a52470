// Attacks on links in messages: no request chooses where a link with a secret leads.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { assertRefused } from '../support/answers.ts';
import { enginesAtLength } from '../support/databases.ts';
import { createRegistering, SEND_BY } from '../support/registration.ts';
import { ISSUER, startTestService, type TestCall, type TestService } from '../support/service.ts';
import { setUps } from '../support/set-ups.ts';

const SEND_LINK = '/api/services/app/User/SendEmailLink';
const SEND_PIN = '/api/services/app/Otp/SendPin';
const SETTINGS = '/api/services/app/Settings';
const BASE = 'Latchkey.Links.BaseAddress';
const ORIGIN = 'https://app.example.com';
const EVIL = 'https://evil.example';
const PROXY = '192.0.2.1';

const steeringHeaders: Record<string, string>[] = [
  { host: 'evil.example' },
  { host: 'localhost:8080@evil.example' },
  { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https', 'x-forwarded-prefix': '/evil' },
  { forwarded: 'for=192.0.2.7;host=evil.example;proto=https' },
  { 'x-original-url': `${EVIL}/`, 'x-rewrite-url': `${EVIL}/`, 'x-original-host': 'evil.example' },
  { origin: EVIL, referer: `${EVIL}/reset-password` },
  { origin: ORIGIN, referer: `${ORIGIN}/` },
  ...[EVIL, '__proto__', 'constructor', 'portal,evil', 'portal evil', 'PORTAL', "' or 1=1 --"].map((appKey) => ({
    'sha-frontend-application': appKey,
  })),
];

const steeringMembers = Object.fromEntries(
  [
    ...['link', 'url', 'baseUrl', 'baseAddress', 'base', 'appUrl', 'appBaseUrl', 'clientUri', 'returnUrl', 'origin'],
    ...['redirectUrl', 'allowedOrigins', 'targetUrl', 'host', 'publicUrl', BASE, 'text', 'html', 'template', 'code'],
  ].map((name) => [name, EVIL]),
);
const frontEndMembers = { appKey: 'portal', frontEnd: 'portal', 'sha-frontend-application': 'portal' };

for (const engine of enginesAtLength) {
  describe(`attacks on links in messages, on ${engine}`, () => {
    let test: TestService;
    before(async () => {
      test = await startTestService(engine, { trustedProxies: [PROXY], corsOrigins: [ORIGIN] });
      await test.set('Shesha.Otp', { resendCooldown: 0, dailyLimitPerRecipient: 1000 });
      await test.set('Latchkey.RateLimiting', { loginPermitLimit: 1000, otpPermitLimit: 1000 });
      await test.createUser('thandi', { emailAddress: 'thandi@example.org', isEmailConfirmed: true });
      await createRegistering(test).open('email');
      const body = { appKey: 'portal', name: 'Portal' };
      await test.post('/api/services/app/FrontEndApp/Create', { token: await test.admin(), body });
      await test.set('Latchkey.Links', { allowedOrigins: [ORIGIN] });
      await test.set(BASE, ORIGIN, 'portal');
    });
    after(() => test.close());

    /** The base of every link in the messages that a call sends. */
    async function findBases(path: string, call: TestCall): Promise<string[]> {
      await test.deliver();
      const { status, text } = await test.post(path, call);
      assert.equal(status, 200, text);
      const sent = await test.deliver();
      assert.equal(sent.length, 1);
      const links = sent.flatMap((message) => message.text.match(/\S*:\/\/\S+/g) ?? []);
      assert.ok(links.length > 0 && !sent[0]?.text.includes('evil'), JSON.stringify(sent));
      return links.map((link) => link.replace(/\/(reset-password|register)#.*$/, ''));
    }

    let count = 0;
    const calls = (): [string, Record<string, unknown>][] => {
      count += 1;
      return [
        [SEND_LINK, { username: 'thandi' }],
        [SEND_PIN, { sendTo: `new${count}@example.org`, sendType: SEND_BY.link }],
      ];
    };

    it('by headers reach nothing', async () => {
      for (const headers of steeringHeaders) {
        for (const ip of [undefined, PROXY]) {
          for (const [path, body] of calls()) {
            const call = { body, headers, ...(ip !== undefined && { ip }) };
            assert.deepEqual(await findBases(path, call), [ISSUER], JSON.stringify(headers));
          }
        }
      }
    });

    it('by members of the body or query reach nothing', async () => {
      for (const more of [steeringMembers, frontEndMembers]) {
        for (const [path, body] of calls()) {
          assert.deepEqual(await findBases(path, { body: { ...more, ...body } }), [ISSUER]);
        }
        for (const [path, body] of calls()) assert.deepEqual(await findBases(path, { body, query: more }), [ISSUER]);
      }
    });

    it('from the request of a front end with pages of its own lead to these pages only', async () => {
      for (const headers of steeringHeaders.filter((one) => !('sha-frontend-application' in one))) {
        const call = { headers: { ...headers, 'sha-frontend-application': 'portal' } };
        for (const [path, body] of calls()) {
          assert.deepEqual(await findBases(path, { ...call, body: { ...steeringMembers, ...body } }), [ORIGIN]);
        }
      }
    });

    it('of accounts with permissions lead to the pages of Default UI, whatever front end the caller names', async () => {
      const token = await test.admin();
      const grantedPermissions = ['users:resetPassword'];
      await test.post('/api/services/app/Role/Create', { token, body: { name: 'HelpDesk', grantedPermissions } });
      await test.post('/api/services/app/Role/Create', {
        token,
        body: { name: 'Clerk', grantedPermissions: ['Invoices.Read'] },
      });
      const named = { headers: { 'sha-frontend-application': 'portal' } };
      for (const [role, base] of [
        ['Administrator', ISSUER],
        ['UserManager', ISSUER],
        ['HelpDesk', ISSUER],
        ['Clerk', ORIGIN],
      ] as const) {
        const username = `holder-of-${role}`.toLowerCase();
        const emailAddress = `${username}@example.org`;
        await test.createUser(username, { emailAddress, isEmailConfirmed: true, roleNames: [role] });
        assert.deepEqual(await findBases(SEND_LINK, { ...named, body: { username } }), [base], role);
      }
    });

    it('by callers who may not change settings are refused', async () => {
      await test.createUser('manager', { roleNames: ['UserManager'] });
      for (const token of [await test.signIn('thandi'), await test.signIn('manager')]) {
        for (const [name, value] of [
          [BASE, `${ORIGIN}/evil`],
          ['Latchkey.Links', { allowedOrigins: [EVIL] }],
        ]) {
          const body = { name, value, appKey: 'portal' };
          assertRefused(await test.post(`${SETTINGS}/UpdateValue`, { token, body }), 403, 'permission.denied');
        }
        assertRefused(
          await test.get(`${SETTINGS}/GetValue`, { token, query: { name: BASE } }),
          403,
          'permission.denied',
        );
      }
    });
  });
}

for (const [name, setUp] of Object.entries(setUps)) {
  it(`an origin that is removed while a front end gets it is used for no link afterwards: ${name}`, async () => {
    const { here, there, close } = await setUp();
    try {
      await here.createUser('thandi', { emailAddress: 'thandi@example.org', isEmailConfirmed: true });
      await here.set('Shesha.Otp', { resendCooldown: 0, dailyLimitPerRecipient: 1000 });
      const token = await here.admin();
      for (let round = 0; round < 5; round += 1) {
        await here.set('Latchkey.Links', { allowedOrigins: [ORIGIN] });
        const body = { name: BASE, value: `${ORIGIN}/${round}`, appKey: 'default-app' };
        const change = there.post(`${SETTINGS}/UpdateValue`, { token, body });
        await Promise.all([change, here.set('Latchkey.Links', { allowedOrigins: [] })]);
        assert.ok([200, 400].includes((await change).status), (await change).text);
        await here.deliver();
        assert.equal((await here.post(SEND_LINK, { body: { username: 'thandi' } })).status, 200);
        const [message] = await here.deliver();
        assert.ok(message?.text.includes(`${ISSUER}/reset-password#`), JSON.stringify(message));
      }
    } finally {
      await close();
    }
  });
}
