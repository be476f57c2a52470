// What a person does with messages that were sent: follows their links, types their pins.
import assert from 'node:assert/strict';
import { ISSUER } from '../../server/test/support/service.ts';
import type { Pages } from './browser.ts';

/** The link in a text, leading to where the pages of this test really are. */
export function linkIn(text: string, { url }: Pages): string {
  const [link = ''] = text.match(/https?:\/\/\S+/) ?? [];
  assert.ok(link.startsWith(`${ISSUER}/`), text);
  return url + link.slice(ISSUER.length);
}

/** The one text that is on its way, once it was sent. */
export async function receive({ test }: Pages): Promise<string> {
  const sent = await test.deliver();
  assert.equal(sent.length, 1, JSON.stringify(sent));
  return sent[0]?.text ?? '';
}

/** Limits that many runs from one address do not reach, and no wait between two messages. */
export async function liftLimits({ test }: Pick<Pages, 'test'>): Promise<void> {
  await test.set('Latchkey.RateLimiting', { loginPermitLimit: 1000, otpPermitLimit: 1000 });
  await test.set('Shesha.Otp', { resendCooldown: 0, dailyLimitPerRecipient: 1000 });
}
