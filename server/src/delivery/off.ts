// Means that are off: the operator has no mail server or no SMS gateway, and says so. What needs the means is not offered.
import type { Medium, OfferedMedia } from '../foundation/medium.ts';
import { type Channel, DeliveryError } from './channel.ts';
import { deliveryErrors } from './declarations.ts';

/** The name of the channel, and the value of `LATCHKEY_SMTP_URL` or `LATCHKEY_SMS_URL`. */
export const OFF = 'off';

/** Creates a channel that refuses the messages that were queued while the means was on. */
export const createOffChannel = (means: Medium): Channel => ({
  name: OFF,
  means,
  async send() {
    throw new DeliveryError('refused', 'This means of delivery is off.');
  },
});

/** Returns which means these channels offer. */
export const findOfferedMedia = ({ email, sms }: Readonly<Record<Medium, Pick<Channel, 'name'>>>): OfferedMedia => ({
  email: email.name !== OFF,
  sms: sms.name !== OFF,
});

/** Requires that one of these means is on. @throws AuthError `delivery.notOffered`, for every caller alike. */
export function requireOffered(offered: OfferedMedia, ...means: readonly Medium[]): void {
  if (!means.some((one) => offered[one])) throw deliveryErrors.notOffered();
}
