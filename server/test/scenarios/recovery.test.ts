// The three ways to a new password, from a running service to a real mail server and a real SMS gateway, and back.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createDatabaseUrl, enginesAtLength } from '../support/databases.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { callProcess, startProcess, type TestProcess } from '../support/process.ts';
import { ADMIN_PASSWORD, TEST_SECRET } from '../support/service.ts';
import { type SmsGateway, startSmsGateway } from '../support/sms-gateway.ts';

const USER = '/api/services/app/User';
const SETTINGS = '/api/services/app/Settings';
const SESSIONS = '/api/services/app/Session/GetAll';

for (const engine of enginesAtLength) {
  describe(`recovery on ${engine}`, () => {
    let running: TestProcess;
    let mail: MailServer;
    let sms: SmsGateway;
    let admin: string;
    let password = 'the first password of hers';

    const post = (path: string, body: unknown, token?: string) =>
      callProcess(running.url, 'POST', path, { body, token });
    const get = (path: string, token?: string) => callProcess(running.url, 'GET', path, { token });
    const tryPassword = (name: string, tried: string) =>
      post('/api/TokenAuth/Authenticate', { userNameOrEmailAddress: name, password: tried });
    const done = async (answering: ReturnType<typeof post>) => {
      const { status, result, error } = await answering;
      assert.equal(status, 200, JSON.stringify(error));
      return result;
    };
    const set = (value: Record<string, unknown>, name = 'Shesha.Security') =>
      done(post(`${SETTINGS}/UpdateValue`, { name, value }, admin));

    /** Redeems the token, and asserts that only the new password works and that no earlier session is open. */
    async function finish({ isSuccess, token }: { isSuccess: boolean; token: string }, next: string) {
      assert.equal(isSuccess, true);
      const old = password;
      const before = (await done(tryPassword('thandi', old))).accessToken;
      await done(post(`${USER}/ResetPasswordUsingToken`, { username: 'thandi', token, newPassword: next }));
      password = next;
      assert.equal((await get(SESSIONS, before)).error.reason, 'token.revoked');
      assert.equal((await tryPassword('thandi', old)).error.reason, 'signIn.invalidCredentials');
      assert.equal((await tryPassword('thandi', next)).status, 200);
      const again = await post(`${USER}/ResetPasswordUsingToken`, { username: 'thandi', token, newPassword: 'x' });
      assert.deepEqual([again.status, again.error.reason], [400, 'reset.invalidToken']);
      assert.match((await mail.next()).headers.subject ?? '', /password .* was reset/);
      assert.match((await sms.next()).text, /password was just reset/);
    }

    before(async () => {
      mail = await startMailServer();
      sms = await startSmsGateway();
      const database = engine === 'postgres' ? { LATCHKEY_DATABASE_URL: await createDatabaseUrl('postgres') } : {};
      const env = {
        ...database,
        LATCHKEY_ADMIN_PASSWORD: ADMIN_PASSWORD,
        LATCHKEY_ADMIN_PASSWORD_FINAL: 'true',
        LATCHKEY_SECRET: TEST_SECRET,
        LATCHKEY_SMTP_URL: mail.url,
        LATCHKEY_MAIL_FROM: 'login@example.com',
        LATCHKEY_SMS_URL: sms.url,
        LATCHKEY_SMS_SECRET: TEST_SECRET,
      };
      running = await startProcess({ env });
      admin = (await done(tryPassword('admin', ADMIN_PASSWORD))).accessToken;
      await set({ loginPermitLimit: 1000, otpPermitLimit: 1000 }, 'Latchkey.RateLimiting');
      await set({ resendCooldown: 0 }, 'Shesha.Otp');
      const thandi = { userName: 'thandi', emailAddress: 'thandi@example.org', mobileNumber: '+27821234567' };
      const verified = { isEmailConfirmed: true, isMobileConfirmed: true };
      await done(post(`${USER}/Create`, { ...thandi, ...verified, password }, admin));
    });
    after(async () => {
      await running.stop();
      await mail.stop();
      await sms.stop();
    });

    it('leads by a mailed link to a new password', async () => {
      await done(post(`${USER}/SendEmailLink`, { username: 'thandi' }));
      const { text, to } = await mail.next();
      assert.deepEqual(to, ['thandi@example.org']);
      const [, link = ''] = /(http\S+\/reset-password#\S+)/.exec(text) ?? [];
      const given = new URLSearchParams(new URL(link).hash.slice(1));
      const body = { username: btoa(given.get('username') ?? ''), code: given.get('code'), method: 2 };
      await finish(await done(post(`${USER}/ValidateResetCode`, body)), 'a second password of hers');
    });

    it('leads by SMS to a new password', async () => {
      await done(post(`${USER}/SendSmsOtp`, { username: 'thandi' }));
      const code = /\b\d{6}\b/.exec((await sms.next()).text)?.[0];
      const body = { username: 'thandi', code, method: 4 };
      await finish(await done(post(`${USER}/ValidateResetCode`, body)), 'a third password of hers');
    });

    it('leads by security questions to a new password, once they are switched on', async () => {
      const token = (await done(tryPassword('thandi', password))).accessToken;
      const { questions } = await done(get(`${USER}/GetMySecurityQuestions`, token));
      const answers = questions.slice(0, 4).map(({ id }: { id: string }) => ({ questionId: id, answer: `blue ${id}` }));
      const path = `${USER}/GetSecurityQuestions?username=thandi`;
      assert.equal((await get(path)).error.reason, 'reset.methodNotAllowed');
      const answering = () => post(`${USER}/SetMySecurityQuestions`, { currentPassword: password, answers }, token);
      assert.equal((await answering()).error.reason, 'reset.methodNotAllowed');
      await set({ useResetPasswordViaSecurityQuestions: true });
      await done(answering());
      assert.match((await mail.next()).headers.subject ?? '', /security questions .* were changed/);
      assert.match((await sms.next()).text, /security questions were changed/);
      const asked: { id: string }[] = await done(get(path));
      assert.equal(asked.length, 3);
      const submittedQuestions = asked.map(({ id }) => ({ questionId: id, submittedAnswer: ` BLUE  ${id}! ` }));
      const body = { username: 'thandi', submittedQuestions };
      await finish(await done(post(`${USER}/ValidateSecurityQuestions`, body)), 'a fourth password of hers');
    });
  });
}
