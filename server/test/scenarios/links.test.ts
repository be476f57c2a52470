// Links in messages: to the pages of the service, or to a front end's own pages at an allowed origin; and templates of them.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { enginesAtLength } from '../support/databases.ts';
import { createRegistering, linkIn, SEND_BY } from '../support/registration.ts';
import { ISSUER, startTestService, type TestService } from '../support/service.ts';

const USER = '/api/services/app/User';
const SETTINGS = '/api/services/app/Settings';
const FRONT_ENDS = '/api/services/app/FrontEndApp';
const BASE = 'Latchkey.Links.BaseAddress';
const RESET = 'Latchkey.Messages.PasswordResetLink';
const ORIGIN = 'https://app.example.com';

/** A user name with characters that mean something in HTML and in web addresses. */
const TRICKY = 'a&code=1"<b>#+%ü';

for (const engine of enginesAtLength) {
  describe(`links in messages, on ${engine}`, () => {
    let test: TestService;
    let token: string;
    before(async () => {
      test = await startTestService(engine);
      await test.set('Shesha.Otp', { resendCooldown: 0, dailyLimitPerRecipient: 1000 });
      await test.createUser('thandi', { name: 'Thandi', emailAddress: 'thandi@example.org', isEmailConfirmed: true });
      await test.createUser(TRICKY, { emailAddress: 'tricky@example.org', isEmailConfirmed: true });
      token = await test.admin();
      await register('portal');
    });
    afterEach(async () => {
      for (const name of [RESET, 'Latchkey.Links']) await resetSetting(name);
      await resetSetting(BASE, 'portal');
    });
    after(() => test.close());

    const register = (appKey: string) => test.post(`${FRONT_ENDS}/Create`, { token, body: { appKey, name: appKey } });
    const resetSetting = (name: string, appKey?: string) =>
      test.post(`${SETTINGS}/ResetValue`, { token, body: { name, appKey } });
    const allow = (...allowedOrigins: string[]) => test.set('Latchkey.Links', { allowedOrigins });
    const update = (name: string, value: unknown, appKey?: string) =>
      test.post(`${SETTINGS}/UpdateValue`, { token, body: { name, value, appKey } });

    /** Requests a link as a front end, and returns the mail. */
    async function receive(frontEnd: string | undefined, username = 'thandi') {
      await test.deliver();
      const headers = frontEnd === undefined ? {} : { 'sha-frontend-application': frontEnd };
      const { status, text } = await test.post(`${USER}/SendEmailLink`, { body: { username }, headers });
      assert.equal(status, 200, text);
      const [message] = await test.deliver();
      return message ?? assert.fail('no message');
    }
    const linkOf = ({ text }: { text: string }) => new URL(text.match(/http\S+/)?.[0] ?? '');
    const pageOf = (url: URL) => `${url.origin}${url.pathname}${url.search}`;

    it('lead to the own pages of the front end that requested them, and to no other', async () => {
      await allow(ORIGIN);
      await test.set(BASE, `${ORIGIN}/account`, 'portal');
      const link = linkOf(await receive('portal'));
      assert.equal(pageOf(link), `${ORIGIN}/account/reset-password`);
      const given = new URLSearchParams(link.hash.slice(1));
      const body = { username: given.get('username'), code: given.get('code'), method: 2 };
      const proven = await test.post(`${USER}/ValidateResetCode`, { body });
      assert.equal(proven.result.isSuccess, true, proven.text);
      const redeeming = { username: 'thandi', token: proven.result.token, newPassword: 'harbour violet tractor' };
      assert.equal((await test.post(`${USER}/ResetPasswordUsingToken`, { body: redeeming })).status, 200);

      for (const other of [undefined, 'default-app', 'unknown']) {
        assert.equal(pageOf(linkOf(await receive(other))), `${ISSUER}/reset-password`);
      }
    });

    it('lead to the own page of the front end for a registration, too', async () => {
      await allow(ORIGIN);
      await test.set(BASE, ORIGIN, 'portal');
      const people = createRegistering(test);
      await people.open('email');
      const headers = { 'sha-frontend-application': 'portal' };
      await people.askPin('new@example.org', SEND_BY.link, { headers });
      const { page, operation, pin } = linkIn((await test.deliver()).at(-1));
      assert.equal(page, `${ORIGIN}/register`);
      assert.equal((await people.verifyPin(operation, pin)).result.isSuccess, true);
    });

    it('lead back to the service as soon as the origin is no longer allowed, except those that are sent already', async () => {
      await allow(ORIGIN);
      await test.set(BASE, ORIGIN, 'portal');
      const headers = { 'sha-frontend-application': 'portal' };
      await test.deliver();
      await test.post(`${USER}/SendEmailLink`, { body: { username: 'thandi' }, headers });
      await allow();
      const [queued] = await test.deliver();
      assert.equal(pageOf(linkOf(queued ?? assert.fail())), `${ORIGIN}/reset-password`);
      assert.equal(pageOf(linkOf(await receive('portal'))), `${ISSUER}/reset-password`);
      await allow('https://other.example.com', ORIGIN);
      assert.equal(pageOf(linkOf(await receive('portal'))), `${ORIGIN}/reset-password`);
    });

    it('follow a front end to its new key, and end with it', async () => {
      await register('shop');
      await allow(ORIGIN);
      await test.set(BASE, ORIGIN, 'shop');
      const { items } = (await test.get(`${FRONT_ENDS}/GetAll`)).result;
      const shop = items.find(({ appKey }) => appKey === 'shop') ?? assert.fail();
      await test.send('PUT', `${FRONT_ENDS}/Update`, { token, body: { ...shop, appKey: 'store' } });
      assert.equal(linkOf(await receive('store')).origin, ORIGIN);
      assert.equal(linkOf(await receive('shop')).origin, ISSUER);
      await test.send('DELETE', `${FRONT_ENDS}/Delete`, { token, query: { id: shop.id } });
      await register('store');
      assert.equal(linkOf(await receive('store')).origin, ISSUER);
      const query = { action: 'setting.changed', maxResultCount: 100 };
      const audit = await test.get('/api/services/app/Audit/GetAll', { token, query });
      const changes = JSON.stringify(audit.result.items.map(({ details }) => details));
      assert.ok(changes.includes(`"name":"${BASE}","appKey":"shop","oldValue":null,"newValue":"${ORIGIN}"`), changes);
      assert.ok(changes.includes(`"newValue":{"allowedOrigins":["${ORIGIN}"]}`), changes);
    });

    it('have a base address at the public URL without further permission', async () => {
      await test.set(BASE, `${ISSUER}/account`, 'portal');
      assert.equal(pageOf(linkOf(await receive('portal'))), `${ISSUER}/account/reset-password`);
    });

    it('are replaced by an address of the administrator’s own, into which a user name adds nothing', async () => {
      await allow(ORIGIN);
      const address = `${ORIGIN}/reset?user={{ username }}&code={{code}}`;
      await test.set(RESET, {
        subject: 'For {{username}}',
        text: `{{username}}: ${address} or {{pin}}`,
        html: `<p>{{username}}</p><a href="${address}">Go</a> {{pin}}`,
      });
      const { id, subject, text } = await receive('portal', TRICKY);
      assert.equal(subject, `For ${TRICKY}`);
      assert.ok(text.startsWith(`${TRICKY}: ${ORIGIN}/`), text);
      const { searchParams, hash } = linkOf({ text: text.slice(TRICKY.length) });
      assert.deepEqual([[...searchParams.keys()], hash], [['user', 'code'], '']);
      assert.equal(searchParams.get('user'), TRICKY);
      const query = { maxResultCount: 100 };
      const { items } = (await test.get('/api/services/app/Outbox/GetAll', { token, query })).result;
      const html = items.find((item) => item.id === id)?.html ?? '';
      const [, shown, href] = /<p>([^<]*)<\/p><a href="([^"]*)">Go<\/a> \d{6}/.exec(html) ?? [];
      assert.equal(shown, 'a&amp;code=1&quot;&lt;b&gt;#+%ü');
      assert.equal(href, `${ORIGIN}/reset?user=${encodeURIComponent(TRICKY)}&code=${searchParams.get('code')}`);
      const body = { username: TRICKY, code: searchParams.get('code'), method: 2 };
      assert.equal((await test.post(`${USER}/ValidateResetCode`, { body })).result.isSuccess, true);
    });

    it('are refused in a template that holds neither the link nor its code, or a placeholder of another message', async () => {
      for (const [name, value, telling] of [
        [RESET, { text: 'Your code is {{pin}}' }, /text must hold \{\{link\}\} or \{\{code\}\}/],
        [RESET, { html: '{{pin}}' }, /html must hold \{\{link\}\} or \{\{code\}\}/],
        [RESET, { text: '{{code}}' }, /text must hold \{\{pin\}\}/],
        ['Latchkey.Messages.SignInPin', { sms: '{{pin}} {{code}}' }, /sms holds \{\{code\}\}/],
        ['Latchkey.Messages.VerificationLink', { text: '{{link}} {{username}}' }, /text holds \{\{username\}\}/],
      ] as const) {
        const { status, error } = await update(name, value);
        assert.deepEqual([status, error.reason], [400, 'request.invalid']);
        assert.match(error.details, telling);
      }
      assert.equal((await update('Latchkey.Messages.SignInPin', { text: '{{username}} {{pin}}' })).status, 200);
    });

    it('have a base address only at an allowed origin', async () => {
      await allow(ORIGIN, 'http://localhost:3000', 'http://127.0.0.1:5173');
      for (const base of [ORIGIN, `${ORIGIN}/a/b`, 'http://localhost:3000', 'http://127.0.0.1:5173/x', '']) {
        assert.equal((await update(BASE, base, 'portal')).status, 200, base);
      }
      for (const [base, telling] of [
        ['https://evil.example.com', /may not lead to https:\/\/evil\.example\.com\. Add it to the allowed origins/],
        [`${ORIGIN}:8443`, /may not lead to/],
        ['https://app.example.com.evil.example', /may not lead to/],
        ['http://localhost:3001', /may not lead to/],
        ['http://app.example.com', /is not encrypted/],
        [`${ORIGIN}/`, /exactly as https:\/\/app\.example\.com\.$/],
        [`${ORIGIN}:443`, /exactly as/],
        [`${ORIGIN}/a/../b`, /exactly as/],
        [`${ORIGIN}/?a=1`, /exactly as/],
        [`${ORIGIN}/#/`, /exactly as/],
        [`${ORIGIN}@evil.example.com`, /exactly as/],
        [`https://evil.example.com\\@app.example.com`, /exactly as/],
        [`HTTPS://app.example.com`, /exactly as/],
        [`${ORIGIN}/\nhttps://evil.example.com`, /exactly as/],
        ['https://xn--a.example.com/account', /has no host name/],
        ['//app.example.com', /not a web address/],
        ['app.example.com', /not a web address/],
        ['javascript:alert(1)', /not a web address/],
        [['https://app.example.com'], /must be string/],
      ] as const) {
        const { status, error } = await update(BASE, base, 'portal');
        assert.deepEqual([status, error?.reason], [400, 'request.invalid'], String(base));
        assert.match(error.details, telling);
        assert.deepEqual(error.validationErrors?.[0]?.members, ['value']);
      }
    });

    it('may lead to exact and encrypted origins only', async () => {
      for (const [origin, telling] of [
        ['http://app.example.com', /is not encrypted/],
        [`${ORIGIN}/`, /exactly as/],
        [`${ORIGIN}/account`, /exactly as/],
        ['https://*.example.com', /has a wildcard/],
        ['https://xn--', /has no host name/],
        ['https://app..example.com', /has no host name/],
        ['*', /not a web address/],
        ['null', /not a web address/],
      ] as const) {
        const { status, error } = await update('Latchkey.Links', { allowedOrigins: [ORIGIN, origin] });
        assert.deepEqual([status, error?.reason], [400, 'request.invalid'], origin);
        assert.match(error.details, telling);
        assert.deepEqual(error.validationErrors?.[0]?.members, ['allowedOrigins.1']);
      }
    });
  });
}
