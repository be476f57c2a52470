// The code of the guide on delivery, run as printed: the Twilio channel, and the check of a gateway's signature.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { createLogger } from '../../src/app/log.ts';
import { type Channel, createSmsGateway } from '../../src/delivery/index.ts';
import { DeliveryError } from '../../src/extensions/index.ts';
import { loadExtensions } from '../../src/extensions/load.ts';
import { systemClock } from '../../src/foundation/clock.ts';
import { createManualClock } from '../support/clock.ts';
import { assertWellTyped } from '../support/guide.ts';
import { arrangeOutage, fetchAsNode24 } from '../support/outage.ts';
import { callProcess, startProcess } from '../support/process.ts';
import { tellsPin } from '../support/registration.ts';
import { startSmsGateway } from '../support/sms-gateway.ts';

const root = join(import.meta.dirname, '../../..');
const guide = readFileSync(join(root, 'docs/guide/delivery.md'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'latchkey-guide-'));
after(() => rmSync(folder, { recursive: true }));

/** Writes the guide's code block that opens with this file's name into the empty folder. @returns its path. */
function extract(name: string): string {
  const blocks = [...guide.matchAll(/^```(?:js|ts)\n(.*?)^```/gms)].map(([, block = '']) => block);
  const found = blocks.filter((block) => block.startsWith(`// ${name}`));
  assert.equal(found.length, 1, `the guide has one block that is ${name}`);
  const path = join(folder, name);
  writeFileSync(path, found[0] ?? '');
  return path;
}

async function listen(handle: RequestListener, port = 0): Promise<{ server: Server; port: number }> {
  const server = createServer(handle).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

async function end(server: Server) {
  server.close();
  server.closeAllConnections();
  if (server.listening) await once(server, 'close');
}

const never = new AbortController().signal;

/** The outcome of one message: `sent`, or the kind of its failure. */
async function outcome(sent: Promise<void>): Promise<{ kind: string; message: string }> {
  try {
    await sent;
    return { kind: 'sent', message: '' };
  } catch (error) {
    assert.ok(error instanceof DeliveryError, String(error));
    return error;
  }
}

describe('the Twilio channel of the guide', () => {
  const account = { sid: 'AC00000000000000000000000000000001', token: 'canary auth token', from: '+15005550006' };
  const message = { id: 'a4e7', to: '+27821234567', text: '482913 ist dein Pin – gültig 5 Minuten & nur einmal' };
  let path = '';
  let port = 0;
  let twilio: Server | undefined;
  let received: Record<string, string>[] = [];
  /** Replaces Twilio's usual answer. */
  let answerInstead: ((response: ServerResponse) => void) | undefined;

  /** The part of Twilio that the channel uses: POST Messages.json with Basic authentication and a form. */
  async function answerAsTwilio(request: IncomingMessage, response: ServerResponse) {
    const form = Object.fromEntries(new URLSearchParams(await readText(request)));
    const reply = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const refuse = (status: number, code: number) =>
      reply(status, {
        code,
        message: `'${form.To}' …`,
        more_info: `https://www.twilio.com/docs/errors/${code}`,
        status,
      });
    // After this turn, in which the message is either received or refused.
    setImmediate(() => twilio?.emit('asked', form));
    if (answerInstead) return answerInstead(response);
    const isMessages = request.method === 'POST' && request.url === `/2010-04-01/Accounts/${account.sid}/Messages.json`;
    if (!isMessages) return refuse(404, 20404);
    const credentials = Buffer.from(`${account.sid}:${account.token}`).toString('base64');
    if (request.headers.authorization !== `Basic ${credentials}`) return refuse(401, 20003);
    if (!request.headers['content-type']?.startsWith('application/x-www-form-urlencoded')) return refuse(400, 21602);
    if (!form.Body) return refuse(400, 21602);
    if (form.From !== account.from) return refuse(400, 21212);
    if (!/^\+[1-9]\d{6,14}$/.test(form.To ?? '') || form.To === '+15005550001') return refuse(400, 21211);
    received.push(form);
    return reply(201, { sid: 'SM1', status: 'queued', to: form.To, from: form.From, body: form.Body });
  }

  const variables = () => ({
    TWILIO_ACCOUNT_SID: account.sid,
    TWILIO_AUTH_TOKEN: account.token,
    TWILIO_FROM: account.from,
    TWILIO_URL: `http://127.0.0.1:${port}`,
  });

  async function load(changed: Partial<ReturnType<typeof variables>> = {}): Promise<Channel> {
    Object.assign(process.env, variables(), changed);
    const { channels } = await loadExtensions([path], { log: createLogger('silent'), clock: systemClock });
    assert.deepEqual(Object.keys(channels), ['sms']);
    return channels.sms as Channel;
  }

  before(() => {
    path = extract('twilio.ts');
  });
  beforeEach(async () => {
    received = [];
    answerInstead = undefined;
    ({ server: twilio, port } = await listen(answerAsTwilio));
  });
  afterEach(async () => {
    if (twilio) await end(twilio);
  });

  it('sends a message with the fields that Twilio requires', async () => {
    const channel = await load();
    assert.deepEqual([channel.name, channel.means], ['twilio', 'sms']);
    assert.equal((await outcome(channel.send(message, { signal: never }))).kind, 'sent');
    assert.deepEqual(received, [{ To: message.to, From: account.from, Body: message.text }]);
  });

  it('gives up a number that Twilio refuses, and reports its code, but neither number nor text', async () => {
    const channel = await load();
    const { kind, message: told } = await outcome(channel.send({ ...message, to: '+15005550001' }, { signal: never }));
    assert.deepEqual([kind, told], ['refused', 'Twilio answered 400, code 21211.']);
  });

  it('waits while its credentials are wrong, and does not report them', async () => {
    const channel = await load({ TWILIO_AUTH_TOKEN: 'another canary' });
    const { kind, message: told } = await outcome(channel.send(message, { signal: never }));
    assert.deepEqual([kind, told], ['notSent', 'Twilio answered 401, code 20003.']);
  });

  const answers: [kind: string, what: string, answer: (response: ServerResponse) => void][] = [
    ['notSent', '403', (response) => response.writeHead(403).end('{"code":20005}')],
    ['notSent', '429', (response) => response.writeHead(429).end('{"code":20429}')],
    ['notSent', '500', (response) => response.writeHead(500).end('oops')],
    ['notSent', '503 without a body', (response) => response.writeHead(503).end()],
    ['sent', '201 with half a body', (response) => void response.writeHead(201).write('{', () => response.destroy())],
    ['uncertain', '200', (response) => response.writeHead(200).end('{}')],
    ['uncertain', '404', (response) => response.writeHead(404).end('null')],
    ['uncertain', 'a redirect', (response) => response.writeHead(307, { location: '/elsewhere' }).end()],
    ['uncertain', 'a connection that breaks', (response) => response.destroy()],
  ];
  for (const [kind, what, answer] of answers) {
    it(`${kind}: ${what}`, async () => {
      const channel = await load();
      let asked = 0;
      answerInstead = (response) => {
        asked += 1;
        answer(response);
      };
      const { kind: seen, message: told } = await outcome(channel.send(message, { signal: never }));
      assert.equal(seen, kind, told);
      assert.equal(asked, 1, 'it sends once: the service retries');
    });
  }

  it('notSent: Twilio is down; sent by the same channel when it is back', async () => {
    const channel = await load();
    if (twilio) await end(twilio);
    const { kind, message: told } = await outcome(channel.send(message, { signal: never }));
    assert.deepEqual([kind, told], ['notSent', 'Twilio did not answer: ECONNREFUSED.']);
    ({ server: twilio } = await listen(answerAsTwilio, port));
    assert.equal((await outcome(channel.send(message, { signal: never }))).kind, 'sent');
  });

  it('notSent: no address of Twilio can be connected to', async (t) => {
    const url = await arrangeOutage(t);
    fetchAsNode24(t, url);
    const channel = await load({ TWILIO_URL: url.origin });
    const { kind, message: told } = await outcome(channel.send(message, { signal: never }));
    assert.deepEqual([kind, told], ['notSent', 'Twilio did not answer: ETIMEDOUT.']);
  });

  it('uncertain: it was told to give up', async () => {
    const channel = await load();
    const asked = Promise.withResolvers<void>();
    answerInstead = () => asked.resolve();
    const time = new AbortController();
    const sent = outcome(channel.send(message, { signal: time.signal }));
    await asked.promise;
    time.abort();
    const { kind, message: told } = await sent;
    assert.deepEqual([kind, told], ['uncertain', 'Twilio did not answer: AbortError.']);
  });

  it('delivers the pin of a sign-in to the phone, in the service as it really runs', async () => {
    const adminPassword = 'correct horse battery';
    const service = await startProcess({
      env: {
        ...variables(),
        LATCHKEY_EXTENSIONS: path,
        LATCHKEY_ADMIN_PASSWORD: adminPassword,
        LATCHKEY_ADMIN_PASSWORD_FINAL: 'true',
      },
    });
    try {
      const call = (name: string, body: object, token?: string) =>
        callProcess(service.url, 'POST', `/api/${name}`, { body, token });
      const credentials = { userNameOrEmailAddress: 'admin', password: adminPassword };
      const { result: admin } = await call('TokenAuth/Authenticate', credentials);
      const ann = { userName: 'ann', name: 'Ann', surname: 'Lee', mobileNumber: message.to, isMobileConfirmed: true };
      const created = await call('services/app/User/Create', ann, admin.accessToken);
      assert.equal(created.status, 200, JSON.stringify(created));
      const arrived = once(twilio ?? assert.fail(), 'asked');
      const asked = await call('TokenAuth/OtpAuthenticateSendPin', { userNameOrMobileNo: 'ann' });
      const [sms] = await arrived;
      assert.deepEqual(received, [sms], 'it was not refused');
      assert.deepEqual([sms.To, sms.From], [message.to, account.from]);
      const [code] = /\d{6}/.exec(sms.Body) ?? [];
      const { operationId } = asked.result;
      const signedIn = await call('TokenAuth/OtpAuthenticate', { operationId, code });
      assert.equal(signedIn.status, 200, JSON.stringify(signedIn));
      assert.ok(!tellsPin(service.output(), String(code)) && !service.output().includes(account.token));
    } finally {
      assert.equal(await service.stop(), 0);
    }
  });

  it('stops the start while a variable is missing', async () => {
    const expected = { name: 'ExtensionError', message: /twilio\.ts fails to initialize: TWILIO_FROM is not set\./ };
    await assert.rejects(load({ TWILIO_FROM: '' }), expected);
  });

  it('type-checks in a folder that finds the checkout, as the guide says', async () => {
    await assertWellTyped(folder, ['twilio.ts']);
  });
});

describe('the check of a signature of the guide', () => {
  const secret = 'canary shared with the gateway';
  type Check = (body: string | Buffer, signature: string, secret: string, nowSeconds?: number) => boolean;
  let isFromLatchkey: Check;
  before(async () => {
    ({ isFromLatchkey } = await import(pathToFileURL(extract('signature.mjs')).href));
  });

  /** A request that the gateway channel really sends, and its time. */
  async function takeRequest() {
    const clock = createManualClock();
    const gateway = await startSmsGateway();
    const channel = createSmsGateway({ url: gateway.url, secret, clock });
    await channel.send({ id: 'b1', to: '+27821234567', text: 'Dein Pin: 482913 – ✓' }, { signal: never });
    await gateway.stop();
    const { body, headers } = await gateway.next();
    const signature = String(headers['x-latchkey-signature']);
    return { body, signature, sentAt: Math.floor(clock.now() / 1000) };
  }

  it('accepts what the service sends, for five minutes before and after', async () => {
    const { body, signature, sentAt } = await takeRequest();
    assert.equal(isFromLatchkey(body, signature, secret), true);
    assert.equal(isFromLatchkey(Buffer.from(body), signature, secret, sentAt + 300), true);
    assert.equal(isFromLatchkey(body, signature, secret, sentAt - 300), true);
    assert.equal(isFromLatchkey(body, signature, secret, sentAt + 301), false);
    assert.equal(isFromLatchkey(body, signature, secret, sentAt - 301), false);
  });

  it('accepts nothing else', async () => {
    const { body, signature, sentAt } = await takeRequest();
    const now = sentAt;
    assert.equal(isFromLatchkey(`${body} `, signature, secret, now), false);
    assert.equal(isFromLatchkey(body, signature, `${secret}!`, now), false);
    assert.equal(
      isFromLatchkey(
        body,
        signature.replace(/\d(?=,)/, (digit) => String((+digit + 1) % 10)),
        secret,
        now,
      ),
      false,
    );
    const altered = signature.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'));
    for (const odd of [
      altered,
      '',
      'undefined',
      `${signature},v1=00`,
      signature.slice(0, -2),
      signature.toUpperCase(),
    ]) {
      assert.equal(isFromLatchkey(body, odd, secret, now), false, odd);
    }
  });
});
