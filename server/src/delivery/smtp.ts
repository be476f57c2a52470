// E-mail by SMTP: one message to one recipient, over a pool of connections whose TLS is verified.
import { Readable } from 'node:stream';
import { type Channel, DeliveryError } from './channel.ts';

/** Time for everything up to the mail server's readiness: look-up of its name, connection, greeting, TLS. */
const CONNECT_MS = 5000;

/** Time that the mail server may be silent, such as while it looks at a message before it accepts it. */
const SILENCE_MS = 12_000;

/** A connection is kept this long for the next message. */
const IDLE_MS = 10_000;

/** One address, in words that mean the same to every mail program: no quotes, comments, groups or lists (RFC 5321, 4.1.2). */
const PLAIN_ADDRESS = /^[^\s\p{C}@<>()[\]\\,;:"]+@[^\s\p{C}@<>()[\]\\,;:"]+$/u;

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/i;

/** What the URL of a mail server says. */
type Server = {
  host: string;
  port: number | undefined;
  /** TLS from the first byte on; otherwise by STARTTLS (RFC 3207). */
  secure: boolean;
  /** No TLS at all, unless it is there from the first byte on. */
  ignoreTLS: boolean;
  /** What we call ourselves in EHLO. */
  name: string | undefined;
  auth: { user: string; pass: string } | undefined;
};

/**
 * @param url `smtps://[user:password@]host[:port]`: TLS from the start. `smtp://…`: STARTTLS is required, unless the host
 * is this machine or `?ignoreTLS=true` says otherwise. `?name=` is what we call ourselves in EHLO. Parameters are
 * nodemailer's; no other is heeded, so none turns verification off.
 * @param from an address, or `Name <address>`.
 */
export function createSmtpChannel({ url, from }: { url: string; from: string }): Channel {
  const sender = readSender(from);
  const server = readServer(url);

  // A message may have arrived from the moment on at which its content is read; nodemailer reads it when the server
  // has answered DATA, and its errors do not tell.
  const begun = new Set<string>();
  let transport: ReturnType<typeof openTransport> | undefined;

  return {
    name: 'smtp',
    means: 'email',
    async send({ id, to, subject, text, html }, { signal }) {
      if (!PLAIN_ADDRESS.test(to)) throw new DeliveryError('refused', 'The recipient is not one plain address.');
      const messageId = `<${id}@${sender.address.slice(sender.address.lastIndexOf('@') + 1)}>`;
      try {
        transport ??= openTransport(server, (id) => begun.add(id));
        await (await transport).sendMail({
          messageId,
          envelope: { from: sender.address, to: [to] },
          from: sender,
          to: { name: '', address: to },
          headers: { 'Auto-Submitted': 'auto-generated' },
          subject,
          text,
          html,
          signal,
        });
      } catch (error) {
        throw toDeliveryError(error as SmtpError, begun.has(messageId));
      } finally {
        begun.delete(messageId);
      }
    },
    close: () => void transport?.then((open) => open.close()),
  };
}

/** @param onContent is told a message's id when its content is read. */
async function openTransport({ secure, ignoreTLS, ...server }: Server, onContent: (messageId: string) => void) {
  // With the first message: nodemailer takes 12 MB.
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    pool: true,
    ...server,
    secure,
    ignoreTLS,
    requireTLS: !secure && !ignoreTLS,
    tls: { rejectUnauthorized: true },
    connectionTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    idleTimeout: IDLE_MS,
    maxRequeues: 1,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  transport.use('stream', ({ data, message }, done) => {
    message?.processFunc((content) => Readable.from(note(content, () => onContent(String(data.messageId)))));
    done();
  });
  return transport;
}

function readServer(text: string): Server {
  const url = new URL(text);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const secure = url.protocol === 'smtps:';
  const ignoreTLS = url.searchParams.get('ignoreTLS');
  const [user, pass] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
  return {
    host,
    port: url.port === '' ? undefined : Number(url.port),
    secure,
    ignoreTLS: ignoreTLS === null ? LOOPBACK.test(host) : ignoreTLS === 'true',
    name: url.searchParams.get('name') ?? undefined,
    auth: user === '' ? undefined : { user, pass },
  };
}

function readSender(text: string): { name: string; address: string } {
  const [, name = '', address = text] = /^(.*)<(.*)>$/.exec(text) ?? [];
  return { name: name.trim().replace(/^"(.*)"$/, '$1'), address: address.trim() };
}

async function* note(content: AsyncIterable<unknown>, onBegin: () => void) {
  onBegin();
  yield* content;
}

/** What nodemailer rejects with: the server's answer, when there was one, if it is permanent, and what it answered. */
type SmtpError = Error & { responseCode?: number; response?: string; permanent?: boolean; command?: string };

/** The server's words are left out of the text: they may quote the password, the recipient or the message. */
function toDeliveryError(error: SmtpError, hasBegun: boolean): DeliveryError {
  const { message, responseCode = 0, response, permanent, command } = error;
  if (responseCode < 400) {
    const problem = response === undefined ? message : `The mail server answered ${responseCode} unexpectedly.`;
    return new DeliveryError(hasBegun ? 'uncertain' : 'notSent', problem);
  }
  const [, status = ''] = /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/.exec(response ?? '') ?? [];
  const answer = [responseCode, status].filter(Boolean).join(' ');
  // Other permanent answers are about us, and an administrator puts them right.
  const isFinal = permanent && (command === 'RCPT TO' || command === 'DATA');
  return new DeliveryError(isFinal ? 'refused' : 'notSent', `The mail server answered ${answer} to ${command}.`);
}
