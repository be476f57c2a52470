// SMS against a real HTTP gateway: the signed POST, and the kind of each failure.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createManualClock } from '../../test/support/clock.ts';
import { startMailServer } from '../../test/support/mail-server.ts';
import { arrangeOutage, fetchAsNode24 } from '../../test/support/outage.ts';
import { findFreePort } from '../../test/support/ports.ts';
import { type SmsGateway, startSmsGateway } from '../../test/support/sms-gateway.ts';
import { DeliveryError } from './channel.ts';
import { createSmsGateway } from './sms-gateway.ts';

const secret = 'shared with the gateway';
const message = { id: 'b9d3c1f0', to: '+27821234567', text: 'Your pin is 493028. Größe 🔑 "\\\n' };
const never = new AbortController().signal;

describe('SMS by a gateway', () => {
  const clock = createManualClock();
  let gateway: SmsGateway;
  before(async () => {
    gateway = await startSmsGateway();
  });
  beforeEach(() => gateway.recover());
  after(() => gateway.stop());

  /** Sends a message. Returns `sent`, or the kind and text of the error. */
  async function trySend(url = gateway.url, signal = never): Promise<[string, string]> {
    try {
      await createSmsGateway({ url, secret, clock }).send(message, { signal });
      return ['sent', ''];
    } catch (error) {
      assert.ok(error instanceof DeliveryError, String(error));
      for (const hidden of [message.to, '493028', 'topsecret', secret]) assert.ok(!error.message.includes(hidden));
      return [error.kind, error.message];
    }
  }

  it('POSTs number, text and id as JSON, signed with the time', async () => {
    assert.deepEqual(await trySend(), ['sent', '']);
    const { body, headers } = await gateway.next();
    assert.deepEqual(JSON.parse(body), { to: message.to, text: message.text, id: message.id });
    assert.equal(headers['content-type'], 'application/json');
    const [, time = '', signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-latchkey-signature'])) ?? [];
    assert.equal(time, String(Math.floor(clock.now() / 1000)));
    assert.equal(signature, createHmac('sha256', secret).update(`${time}.${body}`).digest('hex'));
  });

  it('signs each try with its own time', async () => {
    await trySend();
    clock.advance(1);
    await trySend();
    const [first, second] = [await gateway.next(), await gateway.next()];
    assert.equal(first.body, second.body);
    assert.notEqual(first.headers['x-latchkey-signature'], second.headers['x-latchkey-signature']);
  });

  for (const [status, expected] of [
    [200, 'sent'],
    [202, 'sent'],
    [204, 'sent'],
    [301, 'notSent'],
    [307, 'notSent'],
    [400, 'refused'],
    [401, 'notSent'],
    [404, 'notSent'],
    [422, 'refused'],
    [429, 'notSent'],
    [500, 'notSent'],
    [503, 'notSent'],
  ] as const) {
    it(`${status}: ${expected}`, async () => {
      const before = gateway.messages.length;
      gateway.fail(status);
      const text = expected === 'sent' ? '' : `The SMS gateway answered ${status}.`;
      assert.deepEqual(await trySend(), [expected, text]);
      assert.equal(gateway.messages.length - before, expected === 'sent' ? 1 : 0);
    });
  }

  it('does not wait for the end of an answer', async (t) => {
    const endless = createServer((_, response) => void response.write('on and on')).listen(0, '127.0.0.1');
    t.after(() => {
      endless.close();
      endless.closeAllConnections();
    });
    await once(endless, 'listening');
    const requested = once(endless, 'request') as Promise<[unknown, ServerResponse]>;
    const { port } = endless.address() as AddressInfo;
    assert.deepEqual(await trySend(`http://127.0.0.1:${port}/`), ['sent', '']);
    const [, response] = await requested;
    if (!response.closed) await once(response, 'close', { signal: AbortSignal.timeout(20_000) });
  });

  it('no server listens, or the host does not exist: notSent', async () => {
    const port = await findFreePort();
    for (const host of ['127.0.0.1', 'localhost', 'sms.invalid']) {
      const [kind, text] = await trySend(`http://${host}:${port}/send?key=topsecret`);
      assert.equal(kind, 'notSent', text);
      assert.match(text, /ECONNREFUSED|ENOTFOUND|EAI_AGAIN/);
    }
  });

  it('no address of the host can be connected to: notSent, as each version of Node tells it', async (t) => {
    const url = await arrangeOutage(t);
    const text = 'The SMS gateway cannot be reached: ';
    assert.deepEqual(await trySend(url.href), ['notSent', `${text}UND_ERR_CONNECT_TIMEOUT.`]);
    fetchAsNode24(t, url);
    assert.deepEqual(await trySend(url.href), ['notSent', `${text}ETIMEDOUT.`]);
  });

  it('an open connection goes silent: uncertain', async (t) => {
    const cause = Object.assign(new Error('read ETIMEDOUT'), { code: 'ETIMEDOUT', syscall: 'read' });
    t.mock.method(globalThis, 'fetch', () => Promise.reject(new TypeError('fetch failed', { cause })));
    assert.deepEqual(await trySend(), ['uncertain', 'The SMS gateway did not answer: ETIMEDOUT.']);
  });

  it('a certificate that is not trusted: notSent', async () => {
    const stranger = await startMailServer({ tls: 'from the start' });
    const [kind, text] = await trySend(`https://127.0.0.1:${stranger.port}/send?key=topsecret`);
    await stranger.stop();
    assert.equal(kind, 'notSent', text);
    assert.match(text, /CERT/);
  });

  it('the connection is lost after the message was read: uncertain', async () => {
    gateway.fail('drop');
    assert.deepEqual(await trySend(), ['uncertain', 'The SMS gateway did not answer: ECONNRESET.']);
  });

  it('aborted while the gateway hangs: uncertain', async () => {
    const abort = new AbortController();
    const { reached } = gateway.fail('hang');
    const ending = trySend(gateway.url, abort.signal);
    await reached;
    abort.abort();
    assert.deepEqual(await ending, ['uncertain', 'The SMS gateway did not answer: AbortError.']);
  });

  it('gives up by itself after ten seconds: uncertain', async (t) => {
    const limit = new AbortController();
    const timeout = t.mock.method(AbortSignal, 'timeout', () => limit.signal);
    const { reached } = gateway.fail('hang');
    const ending = trySend();
    await reached;
    assert.deepEqual(timeout.mock.calls[0]?.arguments, [15_000]);
    limit.abort(new DOMException('It took too long.', 'TimeoutError'));
    assert.deepEqual(await ending, ['uncertain', 'The SMS gateway did not answer: TimeoutError.']);
  });

  it('repeats no secret of a URL that cannot be used', async () => {
    const [, text] = await trySend(gateway.url.replace('//', '//user:topsecret@'));
    assert.equal(text, 'The SMS gateway did not answer: TypeError.');
  });

  it('a gateway that is back is used again', async () => {
    const own = await startSmsGateway();
    assert.equal((await trySend(own.url))[0], 'sent');
    await own.stop();
    assert.equal((await trySend(own.url))[0], 'notSent');
    await own.start();
    assert.equal((await trySend(own.url))[0], 'sent');
    await own.stop();
    assert.equal(own.messages.length, 2);
  });
});
