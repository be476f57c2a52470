// Messages from a running service to a real mail server and SMS gateway that are up, down, back, and after a kill -9.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createMigratedUrl, enginesAtLength } from '../support/databases.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { findFreePort } from '../support/ports.ts';
import { callProcess, type ProcessOptions, startProcess, type TestProcess } from '../support/process.ts';
import { tellsPin } from '../support/registration.ts';
import { ADMIN_PASSWORD, TEST_SECRET } from '../support/service.ts';
import { type SmsGateway, startSmsGateway } from '../support/sms-gateway.ts';

const SEND_PIN = '/api/TokenAuth/OtpAuthenticateSendPin';
const GIVE_PIN = '/api/TokenAuth/OtpAuthenticate';
const UPDATE = '/api/services/app/Settings/UpdateValue';
const OUTBOX = '/api/services/app/Outbox/GetAll';

for (const engine of enginesAtLength) {
  describe(`delivery on ${engine}`, () => {
    let options: ProcessOptions & { dataDir: string };
    let running: TestProcess;
    let mail: MailServer;
    let sms: SmsGateway;
    let admin: string;

    const post = (path: string, body: unknown, token?: string) =>
      callProcess(running.url, 'POST', path, { body, token });
    const signIn = async () => {
      const body = { userNameOrEmailAddress: 'admin', password: ADMIN_PASSWORD };
      return (await post('/api/TokenAuth/Authenticate', body)).result.accessToken as string;
    };
    const set = async (name: string, value: unknown) => {
      const answer = await post(UPDATE, { name, value }, admin);
      assert.equal(answer.status, 200, JSON.stringify(answer.error));
    };
    const createUser = async (userName: string, more: Record<string, unknown>) => {
      const answer = await post('/api/services/app/User/Create', { userName, ...more }, admin);
      assert.equal(answer.status, 200, JSON.stringify(answer.error));
    };
    /** The operation, and how the service answered. */
    const askFor = async (name: string) => {
      const { status, result, error } = await post(SEND_PIN, { userNameOrMobileNo: name });
      assert.equal(status, 200, JSON.stringify(error));
      return result.operationId as string;
    };
    const give = (operationId: string, text: string) =>
      post(GIVE_PIN, { operationId, code: /\b\d{6}\b/.exec(text)?.[0] ?? 'no pin' });

    before(async () => {
      mail = await startMailServer();
      sms = await startSmsGateway();
      const database = engine === 'postgres' ? { LATCHKEY_DATABASE_URL: await createMigratedUrl('postgres') } : {};
      const env = {
        ...database,
        LATCHKEY_ADMIN_PASSWORD: ADMIN_PASSWORD,
        LATCHKEY_ADMIN_PASSWORD_FINAL: 'true',
        LATCHKEY_SECRET: TEST_SECRET,
        LATCHKEY_SMTP_URL: mail.url,
        LATCHKEY_MAIL_FROM: 'Latchkey <login@example.com>',
        LATCHKEY_SMS_URL: sms.url,
        LATCHKEY_SMS_SECRET: TEST_SECRET,
      };
      options = { dataDir: mkdtempSync(join(tmpdir(), 'latchkey-delivery-')), port: await findFreePort(), env };
      running = await startProcess(options);
      admin = await signIn();
      await set('Latchkey.RateLimiting', { loginPermitLimit: 1000, otpPermitLimit: 1000 });
      await set('Shesha.Otp', { resendCooldown: 0, dailyLimitPerRecipient: 1000 });
      await createUser('thandi', { mobileNumber: '+27821234567', isMobileConfirmed: true });
      await createUser('sipho', { name: 'Sipho', emailAddress: 'sipho@example.com', isEmailConfirmed: true });
    });
    after(async () => {
      await running.stop();
      await mail.stop();
      await sms.stop();
      rmSync(options.dataDir, { recursive: true, force: true });
    });

    it('sends a pin by SMS that signs in once, and not twice', async () => {
      const operation = await askFor('+27 82 123 4567');
      const message = await sms.next();
      assert.equal(message.to, '+27821234567');
      assert.equal((await give(operation, message.text)).status, 200);
      const again = await give(operation, message.text);
      assert.deepEqual([again.status, again.error.reason], [401, 'pin.invalid']);
    });

    it('sends a pin by e-mail to an account without a verified number', async () => {
      const operation = await askFor('sipho');
      const message = await mail.next();
      assert.deepEqual(message.to, ['sipho@example.com']);
      assert.equal(message.headers.subject, 'Your code to sign in to Latchkey');
      assert.match(message.text, /^Hello Sipho,/);
      assert.equal((await give(operation, message.text)).status, 200);
    });

    it('answers alike while the gateways are down, and delivers when they are back', async () => {
      const [number, address] = [sms.messages.length, mail.messages.length];
      await Promise.all([sms.stop(), mail.stop()]);
      const [byPhone, byMail] = [await askFor('thandi'), await askFor('sipho')];
      await sleep(1500);
      await Promise.all([sms.start(), mail.start()]);
      assert.equal((await give(byPhone, (await sms.next()).text)).status, 200);
      assert.equal((await give(byMail, (await mail.next()).text)).status, 200);
      assert.deepEqual([sms.messages.length, mail.messages.length], [number + 1, address + 1]);
    });

    it('delivers the messages promised before a kill -9', async () => {
      await sms.stop();
      const operation = await askFor('thandi');
      await running.kill();
      await sms.start();
      running = await startProcess(options);
      assert.equal((await give(operation, (await sms.next()).text)).status, 200);
    });

    it('retries a message that a gateway refused for now, and gives up one that it refuses permanently', async () => {
      const failure = sms.fail(503);
      await askFor('thandi');
      await failure.reached;
      sms.recover();
      await sms.next();
      const refused = sms.fail(422);
      const count = sms.messages.length;
      await askFor('thandi');
      await refused.reached;
      sms.recover();
      await sleep(2500);
      assert.equal(sms.messages.length, count);
    });

    it('counts the outcomes of messages, shows no outbox, and logs nothing of their text', async () => {
      const metrics = await (await fetch(`${running.url}/metrics`)).text();
      assert.match(metrics, /latchkey_messages_total\{means="sms",channel="sms-gateway",end="sent"\} [1-9]/);
      assert.match(metrics, /latchkey_messages_total\{means="sms",channel="sms-gateway",end="failed"\} 1/);
      const outbox = await callProcess(running.url, 'GET', OUTBOX, { token: admin });
      assert.deepEqual([outbox.status, outbox.error.reason], [404, 'request.notFound']);
      const pins = [...sms.messages, ...mail.messages].map(({ text }) => /\b\d{6}\b/.exec(text)?.[0] ?? '');
      assert.ok(pins.length > 4 && pins.every((pin) => !tellsPin(running.output(), pin)));
    });

    it('delivers messages under way when it is told to stop', async () => {
      await askFor('thandi');
      const code = await running.stop();
      assert.equal(code, 0);
      running = await startProcess(options);
      await sms.next();
    });
  });
}
