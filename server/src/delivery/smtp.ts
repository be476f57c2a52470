// E-mail by SMTP: one message to one recipient, over a pool of connections with verified TLS.
import { Readable } from 'node:stream';
import { type Channel, DeliveryError, SLOTS } from './channel.ts';

/** Time until the mail server is ready: look-up of its name, connection, greeting and TLS. */
const CONNECT_MS = 5000;

/** Longest silence of the mail server, such as while it scans a message before it accepts it. */
const SILENCE_MS = 12_000;

/** An idle connection waits this long for the next message. */
const IDLE_MS = 10_000;

/** One address that every mail program reads alike: no quotes, comments, groups or lists (RFC 5321, 4.1.2). */
const PLAIN_ADDRESS = /^[^\s\p{C}@<>()[\]\\,;:"]+@[^\s\p{C}@<>()[\]\\,;:"]+$/u;

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/i;

/** A mail server, as its URL describes it. */
type Server = {
  host: string;
  port: number | undefined;
  /** TLS from the first byte. Otherwise STARTTLS (RFC 3207). */
  secure: boolean;
  /** Do not use STARTTLS. */
  ignoreTLS: boolean;
  /** The name of this client in EHLO. */
  name: string | undefined;
  auth: { user: string; pass: string } | undefined;
};

/**
 * Creates a channel to a mail server.
 * @param url `smtps://[user:password@]host[:port]` uses TLS from the first byte. `smtp://…` requires STARTTLS, unless the
 * host is this machine or the URL has `?ignoreTLS=true`. `?name=` sets the name in EHLO. All other parameters are ignored,
 * so none can turn off verification.
 * @param from an address, or `Name <address>`.
 */
export function createSmtpChannel({ url, from }: { url: string; from: string }): Channel {
  const sender = readSender(from);
  const server = readServer(url);

  // The message may have arrived once nodemailer has read its content, which it does after the server's answer to DATA.
  // Its errors do not say whether it has.
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
        throw toDeliveryError(error instanceof Error ? error : new Error(String(error)), begun.has(messageId));
      } finally {
        begun.delete(messageId);
      }
    },
    close: () => void transport?.then((open) => open.close()),
  };
}

/** @param onContent called with the id of a message when its content is read. */
async function openTransport({ secure, ignoreTLS, ...server }: Server, onContent: (messageId: string) => void) {
  // Loaded with the first message, because nodemailer takes 12 MB.
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    pool: true,
    maxConnections: SLOTS,
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
    message?.processFunc((content) => Readable.from(notifyRead(content, () => onContent(String(data.messageId)))));
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

/** Yields the content, and calls `onRead` before its first part. */
async function* notifyRead(content: AsyncIterable<unknown>, onRead: () => void) {
  onRead();
  yield* content;
}

/** An error of nodemailer: the server's answer if there was one, whether it is permanent, and the answered command. */
type SmtpError = Error & { responseCode?: number; response?: string; permanent?: boolean; command?: string };

/** Leaves out the server's text, which may quote the password, the recipient or the message. */
function toDeliveryError(error: SmtpError, hasBegun: boolean): DeliveryError {
  const { message, responseCode = 0, response, permanent, command } = error;
  if (responseCode < 400) {
    const problem = response === undefined ? message : `The mail server answered ${responseCode} unexpectedly.`;
    return new DeliveryError(hasBegun ? 'uncertain' : 'notSent', problem);
  }
  const [, status = ''] = /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/.exec(response ?? '') ?? [];
  const answer = [responseCode, status].filter(Boolean).join(' ');
  // Other permanent answers concern this client: the message can be sent after an administrator has fixed the cause.
  const isFinal = permanent && (command === 'RCPT TO' || command === 'DATA');
  return new DeliveryError(isFinal ? 'refused' : 'notSent', `The mail server answered ${answer} to ${command}.`);
}
