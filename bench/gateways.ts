// Gateways: a mail server and an SMS gateway that accept every message, in a separate process.
import { once } from 'node:events';
import { startMailServer } from '../server/test/support/mail-server.ts';
import { startSmsGateway } from '../server/test/support/sms-gateway.ts';

/** The addresses for messages. */
export type Gateways = { readonly mailUrl: string; readonly smsUrl: string };

await once(process, 'message');
const [mail, sms] = await Promise.all([startMailServer(), startSmsGateway()]);
process.send?.({ mailUrl: mail.url, smsUrl: sms.url } satisfies Gateways);
process.on('disconnect', () => process.exit());
