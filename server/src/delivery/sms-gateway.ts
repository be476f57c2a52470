// SMS through an HTTP gateway: each message is one signed POST.
import { createHmac } from 'node:crypto';
import { type Clock, toNumericDate } from '../foundation/clock.ts';
import { type Channel, DeliveryError } from './channel.ts';

/** The gateway must answer within this time. */
const ANSWER_MS = 15_000;

/** Statuses by which the gateway refuses this message for good. */
const REFUSALS = [400, 422];

/** Codes of failures before anything was sent, besides those of `connect`: no address, no connection in time, no trusted certificate. */
const NOT_CONNECTED = /^(ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT|UNABLE_TO_.*)$|CERT/;

/** Why `fetch` failed. If no address of a name could be connected to, `errors` has the failure of each. */
type Cause = { readonly code?: string; readonly syscall?: string; readonly errors?: readonly Cause[] };

/**
 * Creates a channel that POSTs `{to, text, id}` as JSON with the header
 * `X-Latchkey-Signature: t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`. The gateway compares the signature in
 * constant time, refuses a `t` that is minutes old, and recognizes a repeated message by its `id`.
 * @param url http or https, without user name and password.
 * @param secret the key of the signature, shared with the gateway.
 */
export function createSmsGateway({ url, secret, clock }: { url: string; secret: string; clock: Clock }): Channel {
  return {
    name: 'sms-gateway',
    means: 'sms',
    async send({ to, text, id }, { signal }) {
      const body = JSON.stringify({ to, text, id });
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-latchkey-signature': sign(body, secret, clock) },
        body,
        redirect: 'manual',
        signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]),
      }).catch((error) => {
        throw toDeliveryError(error);
      });
      // The body is not used.
      await response.body?.cancel().catch(() => {});
      if (response.ok) return;
      const kind = REFUSALS.includes(response.status) ? 'refused' : 'notSent';
      throw new DeliveryError(kind, `The SMS gateway answered ${response.status}.`);
    },
  };
}

function sign(body: string, secret: string, clock: Clock): string {
  const seconds = toNumericDate(clock.now());
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;
}

/** Uses only names and codes of what `fetch` throws, because its messages may quote the URL. */
function toDeliveryError({ name, cause = {} }: Error & { cause?: Cause }): DeliveryError {
  const { code = name } = cause;
  return isUnconnected(cause)
    ? new DeliveryError('notSent', `The SMS gateway cannot be reached: ${code}.`)
    : new DeliveryError('uncertain', `The SMS gateway did not answer: ${code}.`);
}

/** Whether no connection came about. The same code may also be that of a connection that broke, such as ETIMEDOUT. */
const isUnconnected = ({ code = '', syscall, errors }: Cause): boolean =>
  errors?.every(isUnconnected) ?? (syscall === 'connect' || NOT_CONNECTED.test(code));
