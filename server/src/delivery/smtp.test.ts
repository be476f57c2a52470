// E-mail against a real mail server: what arrives, refused recipients, and the kind of each failure.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import fc from 'fast-check';
import {
  localhostCertificate,
  type MailServer,
  type MailStage,
  startMailServer,
} from '../../test/support/mail-server.ts';
import { findFreePort } from '../../test/support/ports.ts';
import { type Channel, DeliveryError, type OutgoingMessage, SLOTS } from './channel.ts';
import { createSmtpChannel } from './smtp.ts';

const from = 'Latchkey <no-reply@id.example.com>';
const message = { id: 'b9d3c1f0', to: 'ann@example.org', subject: 'Your pin', text: 'Your pin is 493028.' };
const never = new AbortController().signal;

let ids = 0;
const freshMessage = (): OutgoingMessage => {
  ids += 1;
  return { ...message, id: `message-${ids}` };
};

/** Sends a message. Returns `sent`, or the kind and text of the error. */
async function trySend(channel: Channel, outgoing = freshMessage(), signal = never): Promise<[string, string]> {
  try {
    await channel.send(outgoing, { signal });
    return ['sent', ''];
  } catch (error) {
    assert.ok(error instanceof DeliveryError, String(error));
    return [error.kind, error.message];
  }
}

/** Sends a message on a new channel. */
async function tryOnce(url: string): Promise<[string, string]> {
  const channel = createSmtpChannel({ url, from });
  const ending = await trySend(channel);
  channel.close?.();
  return ending;
}

describe('e-mail by SMTP', () => {
  let mail: MailServer;
  let channel: Channel;
  before(async () => {
    mail = await startMailServer();
    channel = createSmtpChannel({ url: mail.url, from });
  });
  after(async () => {
    channel.close?.();
    await mail.stop();
  });

  async function receive(outgoing: Partial<OutgoingMessage>, by = channel) {
    await by.send({ ...freshMessage(), ...outgoing }, { signal: never });
    return mail.next();
  }

  it('arrives at its one recipient, with the expected headers', async () => {
    const received = await receive(message);
    const { headers, ...rest } = received;
    assert.deepEqual(
      [rest.from, rest.to, rest.text, rest.html],
      ['no-reply@id.example.com', [message.to], message.text, undefined],
    );
    assert.deepEqual(Object.keys(headers).sort(), [
      'auto-submitted',
      'content-transfer-encoding',
      'content-type',
      'date',
      'from',
      'message-id',
      'mime-version',
      'subject',
      'to',
    ]);
    assert.equal(headers.from, from);
    assert.equal(headers.to, message.to);
    assert.equal(headers.subject, message.subject);
    assert.equal(headers['auto-submitted'], 'auto-generated');
  });

  it('has the same Message-ID at every try', async () => {
    assert.equal((await receive(message)).headers['message-id'], '<b9d3c1f0@id.example.com>');
    assert.equal((await receive(message)).headers['message-id'], '<b9d3c1f0@id.example.com>');
  });

  it('arrives in any script, as text and as HTML', async () => {
    const subject = 'Ваш код — 二次元コード 🔑, gültig für fünf Minuten, über die ganze Länge einer Zeile hinaus';
    const text = `Größe = 1\n.\n..\nFrom the start\n${'длинно '.repeat(200)}\n493028`;
    const html = '<p>Größe &lt; 二 🔑</p>\n<p>=3D <b>493028</b></p>';
    const received = await receive({ subject, text, html });
    assert.equal(received.headers.subject, subject);
    assert.equal(received.text, text);
    assert.equal(received.html, html);
    assert.match(received.headers['content-type'] ?? '', /^multipart\/alternative/);
    assert.ok(Buffer.from(received.raw, 'latin1').every((byte) => byte < 128));
  });

  for (const [written, header, envelope] of [
    ['no-reply@example.com', 'no-reply@example.com', 'no-reply@example.com'],
    ['Ärzte & Co, Zürich <a@example.com>', 'Ärzte & Co, Zürich <a@example.com>', 'a@example.com'],
    ['"Ann, Bob" <a@example.com>', '"Ann, Bob" <a@example.com>', 'a@example.com'],
  ] as const) {
    it(`is from ${written}`, async () => {
      const own = createSmtpChannel({ url: mail.url, from: written });
      const received = await receive({}, own);
      own.close?.();
      assert.equal(received.headers.from, header);
      assert.equal(received.from, envelope);
    });
  }

  for (const to of [
    'ann@example.org,eve@example.org',
    'ann@example.org, eve@example.org',
    'ann@example.org;eve@example.org',
    'ann@example.org eve@example.org',
    'ann@example.org\r\nBcc: eve@example.org',
    'ann@example.org>\r\nRCPT TO:<eve@example.org',
    'Ann <ann@example.org>',
    'all: ann@example.org, eve@example.org;',
    '"ann,eve"@example.org',
    'ann@example.org@evil.example',
    'ann@[127.0.0.1]',
    'ann',
    '',
  ]) {
    it(`refuses the recipient ${JSON.stringify(to)}`, async () => {
      const before = mail.messages.length;
      const [kind, text] = await trySend(channel, { ...message, to });
      assert.equal(kind, 'refused');
      assert.ok(!text.includes('example'));
      assert.equal(mail.messages.length, before);
    });
  }

  it('has no other headers or recipients, with any subject', async () => {
    const expected = Object.keys((await receive({})).headers).sort();
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\r\n', '\n', '\r', '\r\n\r\n', 'Bcc: eve@example.org', '=?utf-8?q?', '\u0000', '\u2028'),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 6 }), async (pieces) => {
        const received = await receive({ subject: `a${pieces.join('')}` });
        assert.deepEqual(Object.keys(received.headers).sort(), expected);
        assert.deepEqual(received.to, [message.to]);
        assert.equal(received.text, message.text);
      }),
      { numRuns: 50 },
    );
  });

  it('reads no files and no other servers', async () => {
    for (const text of [{ path: '/etc/hosts' }, { href: 'http://127.0.0.1:1/' }]) {
      const [, problem] = await trySend(channel, { ...message, text: text as unknown as string });
      assert.match(problem, /access rejected/i);
    }
  });

  it('uses the EHLO name of the URL', async () => {
    const own = createSmtpChannel({ url: `${mail.url}?name=id.example.com`, from });
    const { clientName } = await receive({}, own);
    own.close?.();
    assert.equal(clientName, 'id.example.com');
  });

  it('shares connections', async () => {
    const own = createSmtpChannel({ url: mail.url, from });
    const before = mail.connections;
    for (let count = 0; count < 5; count += 1) await receive({}, own);
    assert.equal(mail.connections, before + 1);
    const many = Array.from({ length: SLOTS + 5 }, freshMessage);
    await Promise.all(many.map((each) => own.send(each, { signal: never })));
    const received = await Promise.all(many.map(() => mail.next()));
    own.close?.();
    assert.deepEqual(await trySend(own), ['notSent', 'Connection pool was closed']);
    assert.ok(mail.connections <= before + SLOTS);
    const arrived = received.map(({ headers }) => headers['message-id']).sort();
    assert.deepEqual(arrived, many.map(({ id }) => `<${id}@id.example.com>`).sort());
  });
});

describe('signing in at the mail server', () => {
  const auth = { user: 'id@example.com', pass: 'p@ss:/wörd%' };
  const withUser = (url: string, pass: string) =>
    url.replace('//', `//${encodeURIComponent(auth.user)}:${encodeURIComponent(pass)}@`);
  let mail: MailServer;
  before(async () => {
    mail = await startMailServer({ auth });
  });
  after(() => mail.stop());

  it('uses name and password of the URL', async () => {
    assert.deepEqual(await tryOnce(withUser(mail.url, auth.pass)), ['sent', '']);
    assert.equal((await mail.next()).user, auth.user);
  });

  it('is retried later when name or password is wrong, and the error repeats neither', async () => {
    const [kind, text] = await tryOnce(withUser(mail.url, 'not this secret'));
    assert.equal(kind, 'notSent');
    assert.equal(text, 'The mail server answered 535 5.7.1 to AUTH PLAIN.');
  });

  it('is retried later when the URL has neither', async () => {
    assert.deepEqual(await tryOnce(mail.url), ['notSent', 'The mail server answered 530 to MAIL FROM.']);
  });
});

describe('TLS', () => {
  const open: MailServer[] = [];
  async function start(tls: 'none' | 'starttls' | 'from the start') {
    const mail = await startMailServer({ tls });
    open.push(mail);
    return mail;
  }
  after(() => Promise.all(open.map((mail) => mail.stop())));

  /** Runs `work` while this process trusts the certificate of the test's mail server. */
  async function trusting<Result>(work: () => Promise<Result>): Promise<Result> {
    const usual = getCACertificates('default');
    setDefaultCACertificates([...usual, localhostCertificate]);
    try {
      return await work();
    } finally {
      setDefaultCACertificates(usual);
    }
  }

  for (const [tls, parameters] of [
    ['from the start', ''],
    ['from the start', '?ignoreTLS=true'],
    ['from the start', '?tls.rejectUnauthorized=false'],
    ['starttls', '?ignoreTLS=false'],
    ['starttls', '?ignoreTLS=false&tls.rejectUnauthorized=false&requireTLS=false&opportunisticTLS=true'],
  ] as const) {
    it(`${tls}, ${parameters || 'plain'}: a certificate must be trusted`, async () => {
      const mail = await start(tls);
      const [kind, text] = await tryOnce(mail.url + parameters);
      assert.deepEqual([kind, mail.messages.length], ['notSent', 0]);
      assert.match(text, /self-signed certificate/);
      assert.deepEqual(await trusting(() => tryOnce(mail.url + parameters)), ['sent', '']);
      assert.equal((await mail.next()).isEncrypted, true);
    });
  }

  it('must be for the name of the mail server', async () => {
    const mail = await start('from the start');
    const [kind, text] = await trusting(() => tryOnce(mail.url.replace('127.0.0.1', '0.0.0.0')));
    assert.deepEqual([kind, mail.messages.length], ['notSent', 0]);
    assert.match(text, /does not match certificate/);
  });

  it('is required for every other host', async () => {
    const mail = await start('none');
    const elsewhere = mail.url.replace('127.0.0.1', '0.0.0.0');
    const [kind, text] = await tryOnce(elsewhere);
    assert.deepEqual([kind, mail.messages.length], ['notSent', 0]);
    assert.match(text, /^The mail server answered 5\d\d.* to STARTTLS\.$/);
    assert.deepEqual(await tryOnce(`${elsewhere}?ignoreTLS=true`), ['sent', '']);
    assert.equal((await mail.next()).isEncrypted, false);
  });

  it('is not used on the loopback interface', async () => {
    const mail = await start('starttls');
    for (const host of ['127.0.0.1', 'localhost', 'LOCALHOST']) {
      assert.deepEqual(await tryOnce(mail.url.replace('127.0.0.1', host)), ['sent', '']);
      assert.equal((await mail.next()).isEncrypted, false);
    }
  });
});

describe('the kind of a failure', () => {
  let mail: MailServer;
  let channel: Channel;
  before(async () => {
    mail = await startMailServer();
    channel = createSmtpChannel({ url: mail.url, from });
  });
  beforeEach(() => mail.recover());
  after(async () => {
    channel.close?.();
    await mail.stop();
  });

  const cases: [MailStage, number | 'drop', DeliveryError['kind']][] = [
    ['greeting', 250, 'notSent'],
    ['greeting', 421, 'notSent'],
    ['greeting', 554, 'notSent'],
    ['greeting', 'drop', 'notSent'],
    ['sender', 451, 'notSent'],
    ['sender', 550, 'notSent'],
    ['sender', 'drop', 'notSent'],
    ['recipient', 421, 'notSent'],
    ['recipient', 450, 'notSent'],
    ['recipient', 503, 'notSent'],
    ['recipient', 550, 'refused'],
    ['recipient', 'drop', 'notSent'],
    ['content', 421, 'notSent'],
    ['content', 452, 'notSent'],
    ['content', 554, 'refused'],
    ['content', 'drop', 'uncertain'],
  ];
  for (const [stage, how, expected] of cases) {
    it(`${how} at ${stage}: ${expected}`, async () => {
      mail.failAt(stage, how);
      const [kind, text] = await tryOnce(mail.url);
      assert.equal(kind, expected, text);
      if (typeof how === 'number') assert.match(text, new RegExp(`^The mail server answered ${how}`));
      for (const secret of [message.to, '493028', 'No to']) assert.ok(!text.includes(secret), text);
      mail.recover();
    });
  }

  for (const [stage, expected] of [
    ['greeting', 'notSent'],
    ['recipient', 'notSent'],
    ['content', 'uncertain'],
  ] as const) {
    it(`aborted while the server hangs at ${stage}: ${expected}`, async () => {
      const own = createSmtpChannel({ url: mail.url, from });
      const { reached } = mail.failAt(stage, 'hang');
      const abort = new AbortController();
      const ending = trySend(own, freshMessage(), abort.signal);
      await reached;
      abort.abort();
      assert.equal((await ending)[0], expected);
      mail.recover();
      assert.deepEqual(await trySend(own), ['sent', '']);
      own.close?.();
    });
  }

  it('gives up by itself when the server does not answer', async () => {
    mail.failAt('greeting', 'hang');
    assert.deepEqual(await tryOnce(mail.url), ['notSent', 'Greeting never received']);
  });

  it('sends nothing when already aborted', async () => {
    const before = mail.messages.length;
    assert.equal((await trySend(channel, freshMessage(), AbortSignal.abort()))[0], 'notSent');
    assert.equal(mail.messages.length, before);
  });

  it('no server listens, or the host does not exist: notSent', async () => {
    const [kind, text] = await tryOnce(`smtp://user:word@127.0.0.1:${await findFreePort()}`);
    assert.equal(kind, 'notSent');
    assert.match(text, /ECONNREFUSED/);
    assert.ok(!text.includes('word'));
    assert.match((await tryOnce(`smtp://[::1]:${await findFreePort()}`))[1], / ::1/);
    assert.equal((await tryOnce('smtps://user:word@mail.invalid'))[0], 'notSent');
  });

  it('is decided for each try of a message', async () => {
    mail.failAt('content', 'drop');
    assert.equal((await trySend(channel, message))[0], 'uncertain');
    mail.failAt('recipient', 'drop');
    assert.equal((await trySend(channel, message))[0], 'notSent');
  });

  it('does not affect other messages, and a restarted server is used again', async () => {
    mail.failAt('content', 554);
    assert.equal((await trySend(channel))[0], 'refused');
    mail.recover();
    assert.equal((await trySend(channel))[0], 'sent');
    await mail.stop();
    assert.equal((await trySend(channel))[0], 'notSent');
    await mail.start();
    assert.equal((await trySend(channel))[0], 'sent');
  });
});
