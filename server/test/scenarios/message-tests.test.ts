// Messages that an administrator sees before people get them, on both engines.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createOffChannel } from '../../src/delivery/index.ts';
import { engines } from '../support/databases.ts';
import { startTestService, type TestService } from '../support/service.ts';

const PREVIEW = '/api/services/app/Message/Preview';
const SEND = '/api/services/app/Message/SendTest';
const SIGN_IN_PIN = 'Latchkey.Messages.SignInPin';
const RESET_LINK = 'Latchkey.Messages.PasswordResetLink';

for (const engine of engines) {
  describe(`test messages on ${engine}`, () => {
    let test: TestService;
    let keeper: string;
    before(async () => {
      test = await startTestService(engine);
      const reach = { emailAddress: 'keeper@example.org', isEmailConfirmed: true, mobileNumber: '+27821234567' };
      await test.createUser('keeper', { ...reach, isMobileConfirmed: true, roleNames: ['Administrator'], name: 'Ann' });
      keeper = await test.signIn('keeper');
      await test.set('Latchkey.RateLimiting', { otpPermitLimit: 1000 });
      await test.deliver();
    });
    after(() => test.close());

    it('show the texts in force, with sample values and the brand of a front end', async () => {
      const admin = await test.admin();
      await test.post('/api/services/app/FrontEndApp/Create', {
        token: admin,
        body: { appKey: 'kiosk', name: 'Kiosk' },
      });
      await test.set('Latchkey.Brand', { name: 'The kiosk' }, 'kiosk');
      const { result } = await test.post(PREVIEW, { token: admin, body: { name: RESET_LINK, appKey: 'kiosk' } });
      assert.match(result.text, /Hello Thandi Mokoena/);
      assert.match(result.subject, /The kiosk/);
      assert.match(result.html, /<strong>The kiosk<\/strong>/);
      assert.doesNotMatch(JSON.stringify(result), /\{\{/);
      const unknown = await test.post(PREVIEW, { token: admin, body: { name: RESET_LINK, appKey: 'nowhere' } });
      assert.deepEqual([unknown.status, unknown.error.reason], [404, 'frontEnd.notFound']);
    });

    it('show texts that are not stored, and refuse those that could not be', async () => {
      const admin = await test.admin();
      const value = { sms: '{{pin}} for <b>{{application}}</b>' };
      const { result } = await test.post(PREVIEW, { token: admin, body: { name: SIGN_IN_PIN, value } });
      assert.equal(result.sms, '123456 for <b>Latchkey</b>');
      const stored = await test.get('/api/services/app/Settings/GetValue', {
        token: admin,
        query: { name: SIGN_IN_PIN },
      });
      assert.ok(!JSON.stringify(stored.result).includes('<b>'));
      for (const [wrong, problem] of [
        [{ sms: 'no pin' }, 'sms must hold {{pin}}.'],
        [{ sms: '{{pin}} {{link}}' }, 'sms holds {{link}}, but may hold only'],
        [{ sms: 'x'.repeat(481) }, 'sms must not have more than 480 characters.'],
        [{ html: '<p>{{pin}}</p><img src="https://evil.example/{{pin}}">' }, 'html holds {{pin}} inside a tag.'],
      ] as const) {
        for (const [path, body] of [
          [PREVIEW, {}],
          [SEND, { means: 'sms' }],
        ] as const) {
          const refused = await test.post(path, { token: keeper, body: { name: SIGN_IN_PIN, value: wrong, ...body } });
          assert.equal(refused.status, 400);
          assert.ok(refused.error.details.includes(problem), `${problem} is not in: ${refused.error.details}`);
        }
      }
      for (const name of ['Shesha.Otp', 'Latchkey.Messages.Missing']) {
        const refused = await test.post(PREVIEW, { token: admin, body: { name } });
        assert.deepEqual([refused.status, refused.error.reason], [404, 'setting.notFound']);
      }
    });

    it('go to the verified address of the administrator alone, with the texts as they are for others', async () => {
      const value = { subject: 'Draft for {{application}}', text: 'Hello {{name}}: {{pin}}', html: '' };
      const sent = await test.post(SEND, { token: keeper, body: { name: SIGN_IN_PIN, means: 'email', value } });
      assert.deepEqual(sent.result, { to: 'keeper@example.org' });
      const bySms = await test.post(SEND, { token: keeper, body: { means: 'sms' } });
      assert.equal(bySms.status, 200);
      const messages = await test.deliver();
      assert.deepEqual(
        messages
          .toSorted((one, other) => one.means.localeCompare(other.means))
          .map(({ to, subject, text }) => ({ to, subject, text })),
        [
          { to: 'keeper@example.org', subject: 'Draft for Latchkey', text: 'Hello Ann: 123456' },
          { to: '+27821234567', subject: null, text: 'Latchkey: this test message has arrived.' },
        ],
      );
      const admin = await test.admin();
      const trail = await test.get('/api/services/app/Audit/GetAll', {
        token: admin,
        query: { action: 'message.tested' },
      });
      assert.deepEqual(
        trail.result.items.map(({ userName, details }) => ({ userName, details })),
        [
          { userName: 'keeper', details: { means: 'sms', template: 'Latchkey.Messages.Test', to: '***67' } },
          { userName: 'keeper', details: { means: 'email', template: SIGN_IN_PIN, to: 'k***@***.org' } },
        ],
      );
    });

    it('need an address of one’s own, which a service key has not', async () => {
      const key = await test.createServiceKey('tester', ['manage', 'pages:maintenance']);
      for (const token of [await test.admin(), key]) {
        const refused = await test.post(SEND, { token, body: { means: 'email' } });
        assert.deepEqual([refused.status, refused.error.reason], [400, 'message.noOwnAddress']);
      }
      await test.createUser('plain');
      const plain = await test.signIn('plain');
      for (const path of [PREVIEW, SEND] as const) {
        const body = { name: SIGN_IN_PIN, means: 'email' };
        assert.equal((await test.post(path, { token: plain, body })).status, 403);
        assert.equal((await test.post(path, { body })).status, 401);
      }
    });

    it('are 50 e-mails a day, and as many SMS as the number gets, however many are asked for at once', async () => {
      const reach = { emailAddress: 'busy@example.org', isEmailConfirmed: true, mobileNumber: '+27821234599' };
      await test.createUser('busy', { ...reach, isMobileConfirmed: true, roleNames: ['Administrator'] });
      const token = await test.signIn('busy');
      await test.deliver();
      for (const [means, most] of [
        ['email', 50],
        ['sms', 10],
      ] as const) {
        const answers = await Promise.all(
          Array.from({ length: most + 10 }, () => test.post(SEND, { token, body: { means } })),
        );
        const refused = answers.filter(({ status }) => status !== 200);
        assert.equal(refused.length, 10);
        assert.ok(refused.every(({ status, error }) => status === 429 && error.reason === 'message.tooManyTests'));
        assert.equal((await test.deliver()).length, most);
      }
    });

    it('have a text for the means, and nothing that the service would not store', async () => {
      for (const [body, details] of [
        [{ name: RESET_LINK, means: 'sms' }, 'This message has no text for SMS.'],
        [{ name: 'Latchkey.Messages.PasswordResetPin', means: 'email' }, 'This message has no text for e-mail.'],
        [{ means: 'sms', value: { sms: '' } }, 'This message has no text for SMS.'],
        [
          {
            name: RESET_LINK,
            means: 'email',
            value: { html: '<p>{{pin}} <a href="https://evil.example/#{{code}}">Go</a></p>' },
          },
          'an address whose origin is not allowed',
        ],
      ] as const) {
        const refused = await test.post(SEND, { token: keeper, body });
        assert.equal(refused.status, 400);
        assert.ok(refused.error.details.includes(details), `${details} is not in: ${refused.error.details}`);
      }
    });

    it('take every permission with texts of their own, where the message has a secret', async () => {
      await test.post('/api/services/app/Role/Create', {
        token: await test.admin(),
        body: { name: 'Maintainer', grantedPermissions: ['pages:maintenance'] },
      });
      const reach = { emailAddress: 'half@example.org', isEmailConfirmed: true };
      await test.createUser('half', { ...reach, roleNames: ['Maintainer'] });
      const token = await test.signIn('half');
      await test.deliver();
      const own = { name: SIGN_IN_PIN, means: 'email', value: { subject: 'Mine' } };
      assert.deepEqual([(await test.post(SEND, { token, body: own })).status, (await test.deliver()).length], [403, 0]);
      await test.set('Latchkey.Messages.Test', { subject: 'Press here' });
      for (const name of [SIGN_IN_PIN, undefined]) {
        const sent = await test.post(SEND, { token, body: { means: 'email', ...(name && { name }) } });
        assert.equal(sent.status, 200, sent.text);
      }
      // An account with permissions gets the built-in texts.
      const subjects = (await test.deliver()).map(({ subject }) => subject);
      assert.deepEqual(subjects.toSorted(), ['A test message of Latchkey', 'Your code to sign in to Latchkey']);
    });
  });
}

describe('a test message by a means that is off', () => {
  it('is refused', async () => {
    const test = await startTestService('sqlite', { channels: { sms: createOffChannel('sms') } });
    const refused = await test.post(SEND, { token: await test.admin(), body: { means: 'sms' } });
    assert.deepEqual([refused.status, refused.error.reason], [400, 'delivery.notOffered']);
    await test.close();
  });
});
