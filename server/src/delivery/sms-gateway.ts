// SMS by an HTTP gateway: each message is one signed POST.
import { createHmac } from 'node:crypto';
import { type Clock, toNumericDate } from '../foundation/clock.ts';
import { type Channel, DeliveryError } from './channel.ts';

/** The gateway has this long for its answer. */
const ANSWER_MS = 15_000;

/** Statuses that mean: this message never will be accepted. */
const REFUSALS = [400, 422];

/** Codes of failures before anything was sent: no address, no connection, or a certificate that does not prove the gateway. */
const NOT_CONNECTED =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|UNABLE_TO_.*)$|CERT/;

/**
 * POSTs `{to, text, id}` as JSON with `X-Latchkey-Signature: t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`.
 * Receivers compare the signature in constant time, refuse a `t` of minutes ago, and know by `id` a message they have.
 * @param url http or https, without user name and password.
 * @param secret key of the signature, shared with the gateway.
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
      // Nobody reads what else it says.
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

/** Of what `fetch` rejects with, only names and codes are repeated: its messages may quote the URL. */
function toDeliveryError(error: Error & { cause?: { code?: string } }): DeliveryError {
  const { code } = error.cause ?? {};
  if (code !== undefined && NOT_CONNECTED.test(code)) {
    return new DeliveryError('notSent', `The SMS gateway cannot be reached: ${code}.`);
  }
  return new DeliveryError('uncertain', `The SMS gateway did not answer: ${code ?? error.name}.`);
}
