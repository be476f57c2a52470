// What a person does with received messages: follows their links, types their pins.
import assert from 'node:assert/strict';
import { ISSUER } from '../../server/test/support/service.ts';
import type { Pages } from './browser.ts';

/** The link in a text, on the address where this test serves the pages. */
export function linkIn(text: string, { url }: Pages): string {
  const [link = ''] = text.match(/https?:\/\/\S+/) ?? [];
  assert.ok(link.startsWith(`${ISSUER}/`), text);
  return url + link.slice(ISSUER.length);
}

/** The one text under way, after sending it. */
export async function receive({ test }: Pages): Promise<string> {
  const sent = await test.deliver();
  assert.equal(sent.length, 1, JSON.stringify(sent));
  return sent[0]?.text ?? '';
}

/** Limits above what many runs from one address reach, and no wait between two messages. */
export async function liftLimits({ test }: Pick<Pages, 'test'>): Promise<void> {
  await test.set('Latchkey.RateLimiting', { loginPermitLimit: 1000, otpPermitLimit: 1000 });
  await test.set('Shesha.Otp', { resendCooldown: 0, dailyLimitPerRecipient: 1000 });
}
