// A real mail server for tests: keeps the messages it receives, and fails on demand.
import { EventEmitter, once } from 'node:events';
import type { Socket } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server';
import { findFreePort } from './ports.ts';

export type ReceivedMail = {
  /** Sender and recipients of the envelope. */
  from: string;
  to: string[];
  /** By name in lower case, decoded. */
  headers: Record<string, string>;
  text: string;
  html: string | undefined;
  /** Unparsed. */
  raw: string;
  isEncrypted: boolean;
  /** The name that the client gave in EHLO. */
  clientName: string;
  /** The user name with which the client authenticated. */
  user: string | undefined;
};

export type MailStage = 'greeting' | 'sign-in' | 'sender' | 'recipient' | 'content';

export type MailServerOptions = {
  /** Whether STARTTLS is offered, or TLS begins at once; its certificate is {@link localhostCertificate}. */
  tls?: 'none' | 'starttls' | 'from the start';
  /** Absent: authentication is not required. */
  auth?: { user: string; pass: string };
};

export interface MailServer {
  readonly port: number;
  /** The value for LATCHKEY_SMTP_URL, without `auth`. */
  readonly url: string;
  readonly messages: readonly ReceivedMail[];
  /** How many messages it has accepted so far. */
  readonly connections: number;
  /** The next message, or the first that this has not returned yet. */
  next(): Promise<ReceivedMail>;
  /**
   * From now on, at this stage: answers with a reply code and echoes what it received; never answers; or drops the
   * connection. A message that it hangs on or drops at `content` counts as received.
   * @returns `reached` resolves when it has done so for the first time.
   */
  failAt(stage: MailStage, how: number | 'hang' | 'drop'): { reached: Promise<void> };
  /** Works normally again. */
  recover(): void;
  /** Drops all connections, and accepts no more. */
  stop(): Promise<void>;
  /** Accepts connections again, on the same port; received messages stay. */
  start(): Promise<void>;
}

/** Starts on its own port on 127.0.0.1. */
export async function startMailServer({ tls = 'none', auth }: MailServerOptions = {}): Promise<MailServer> {
  const inbox = createInbox<ReceivedMail>();
  const sockets = new Map<number, Socket>();
  let fault: { stage: MailStage; how: number | 'hang' | 'drop'; onReached: () => void } | undefined;
  let smtp: SMTPServer | undefined;
  const port = await findFreePort();
  let connections = 0;

  /** Continues with `done`, unless it has been told to fail here. */
  function pass(stage: MailStage, told: string, { remotePort }: SMTPServerSession, done: (error?: Error) => void) {
    if (fault?.stage !== stage) return done();
    const { how, onReached } = fault;
    if (how === 'drop') sockets.get(remotePort)?.destroy();
    if (typeof how === 'number') done(refusal(how, told));
    onReached();
  }

  const options: SMTPServerOptions = {
    secure: tls === 'from the start',
    disabledCommands: tls === 'starttls' ? [] : ['STARTTLS'],
    key: localhostKey,
    cert: localhostCertificate,
    authOptional: auth === undefined,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    // Longer than a busy machine takes for a test: tests say what fails.
    socketTimeout: 600_000,
    onConnect: (session, done) => pass('greeting', '', session, done),
    onAuth({ username = '', password }, session, done) {
      const told = `${username} ${password}`;
      const isRight = username === auth?.user && password === auth?.pass;
      pass('sign-in', told, session, (error) =>
        error || !isRight ? done(error ?? refusal(535, told)) : done(null, { user: username }),
      );
    },
    onMailFrom: ({ address }, session, done) => pass('sender', address, session, done),
    onRcptTo: ({ address }, session, done) => pass('recipient', address, session, done),
    async onData(stream, session, done) {
      stream.setEncoding('latin1');
      const raw = await readText(stream).catch(() => undefined);
      if (raw === undefined) return;
      const { mailFrom, rcptTo } = session.envelope;
      if (typeof fault?.how !== 'number') {
        const from = mailFrom ? mailFrom.address : '';
        const to = rcptTo.map(({ address }) => address);
        const { secure: isEncrypted, hostNameAppearsAs: clientName, user } = session;
        inbox.add({ from, to, ...readMail(raw), raw, isEncrypted, clientName, user });
      }
      pass('content', raw.replace(/\s+/g, ' '), session, done);
    },
  };

  async function start() {
    smtp = new SMTPServer(options);
    // Some tests are about clients that give up.
    smtp.on('error', () => {});
    smtp.server.on('connection', (socket: Socket) => {
      const { remotePort = 0 } = socket;
      connections += 1;
      sockets.set(remotePort, socket);
      socket.on('close', () => sockets.delete(remotePort));
    });
    await once(smtp.listen(port, '127.0.0.1'), 'listening');
  }

  await start();
  return {
    port,
    url: `${tls === 'from the start' ? 'smtps' : 'smtp'}://127.0.0.1:${port}`,
    messages: inbox.messages,
    get connections() {
      return connections;
    },
    next: inbox.next,
    failAt(stage, how) {
      const { promise: reached, resolve: onReached } = Promise.withResolvers<void>();
      fault = { stage, how, onReached };
      return { reached };
    },
    recover() {
      fault = undefined;
    },
    async stop() {
      const closed = new Promise<void>((resolve) => (smtp ? smtp.close(resolve) : resolve()));
      for (const socket of sockets.values()) socket.destroy();
      await closed;
      smtp = undefined;
    },
    start,
  };
}

/** What arrived, in the order of arrival, and a way to wait for more. */
export function createInbox<Message>() {
  const messages: Message[] = [];
  const arrivals = new EventEmitter().setMaxListeners(0);
  let taken = 0;
  return {
    messages,
    add(message: Message) {
      messages.push(message);
      arrivals.emit('arrival');
    },
    /** Rejects after two minutes with what arrived instead. */
    async next(): Promise<Message> {
      const index = taken;
      taken += 1;
      const signal = AbortSignal.timeout(120_000);
      for (;;) {
        const message = messages[index];
        if (message !== undefined) return message;
        await once(arrivals, 'arrival', { signal }).catch(() => {
          throw new Error(`Message ${index + 1} did not arrive; received: ${JSON.stringify(messages, undefined, 2)}`);
        });
      }
    },
  };
}

function refusal(responseCode: number, told: string): Error {
  const status = `${String(responseCode)[0]}.7.1`;
  return Object.assign(new Error(`${status} No to ${told.slice(0, 400)}`), { responseCode });
}

/** Headers and texts of a message (RFC 5322, RFC 2045), as far as our own messages need. */
function readMail(raw: string): Pick<ReceivedMail, 'headers' | 'text' | 'html'> {
  const [head, body] = splitOnce(raw, '\r\n\r\n');
  const lines = head.replace(/\r\n(?=[ \t])/g, '').split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => splitOnce(line, ':')).map(([name, value]) => [name.toLowerCase(), decodeWords(value.trim())]),
  );
  const type = headers['content-type'] ?? '';
  const [, boundary] = /boundary="?([^";]+)/.exec(type) ?? [];
  if (boundary !== undefined) {
    const parts = body.split(`--${boundary}`).slice(1, -1);
    const read = parts.map((part) => readMail(part.slice(2)));
    return { headers, text: read.map(({ text }) => text).join(''), html: read.find(({ html }) => html)?.html };
  }
  const content = decodeBody(body, headers['content-transfer-encoding']);
  return type.startsWith('text/html')
    ? { headers, text: '', html: content }
    : { headers, text: content, html: undefined };
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + separator.length)];
}

function decodeBody(body: string, encoding: string | undefined): string {
  const content = body.replace(/\r\n$/, '');
  if (encoding === 'base64') return Buffer.from(content, 'base64').toString();
  if (encoding === 'quoted-printable')
    return decodeQuotedPrintable(content.replace(/=\r\n/g, '')).replaceAll('\r\n', '\n');
  return Buffer.from(content, 'latin1').toString().replaceAll('\r\n', '\n');
}

function decodeQuotedPrintable(text: string): string {
  const bytes = text.replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}

/** Encoded words of a header (RFC 2047). */
function decodeWords(value: string): string {
  return value
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_, encoding: string, word: string) =>
      encoding.toLowerCase() === 'b'
        ? Buffer.from(word, 'base64').toString()
        : decodeQuotedPrintable(word.replaceAll('_', ' ')),
    );
}

/** For `localhost` and 127.0.0.1, until 2120; trusted only where a test configures it. */
export const localhostCertificate = `-----BEGIN CERTIFICATE-----
MIIBaDCCAQ2gAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsb2NhbGhv
c3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBQxEjAQBgNVBAMM
CWxvY2FsaG9zdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABGLaFhs43zQAgIyI
7yvB44NMc/9UTo2TtS+sIB2Ub+RXAe8p4L9oGqO+FUOdzIjiGKrN0EhLX4sN/Vgv
HA32p0CjTjBMMBoGA1UdEQQTMBGCCWxvY2FsaG9zdIcEfwAAATAPBgNVHRMBAf8E
BTADAQH/MB0GA1UdDgQWBBQ/Pvna9nRrZ42kLL0DGhBURYaKsTAKBggqhkjOPQQD
AgNJADBGAiEA5Tpxxo6t2HoXTEMzhozssbPEgUxneRjpXrfpHGpEpfECIQCoBF+v
5/FbbeXS9mTRk+mwljIl46Mw1yzLCva8ztQ6aw==
-----END CERTIFICATE-----`;

/** Protects nothing. */
export const localhostKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgdCddTDeadIQeYwnY
gU6WONTCt5tee23eoONsuldyiRKhRANCAARi2hYbON80AICMiO8rweODTHP/VE6N
k7UvrCAdlG/kVwHvKeC/aBqjvhVDncyI4hiqzdBIS1+LDf1YLxwN9qdA
-----END PRIVATE KEY-----`;
