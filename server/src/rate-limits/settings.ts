// The setting of the rate limits: budgets per address for signing in, for answers to security questions, and for asking for pins.
import { type Static, Type } from 'typebox';
import { defineSetting } from '../foundation/setting.ts';
import type { Limits } from './window.ts';

const permitLimit = (title: string, description: string) =>
  Type.Integer({ title, description, minimum: 1, maximum: 100_000 });

const seconds = (title: string, description: string, minimum: number) =>
  Type.Integer({ title, description, minimum, maximum: 3600, 'x-unit': 's' });

/** `Latchkey.RateLimiting` (specification 8). */
export const rateLimitingSetting = defineSetting({
  name: 'Latchkey.RateLimiting',
  scope: 'general',
  category: 'Rate limiting',
  label: 'Rate limits per IP address',
  description:
    'How often one IP address may try to sign in and may ask for one-time pins and links. ' +
    'Everybody behind the same address, or the same IPv6 /64 network, shares one budget; ' +
    'an IPv6 /48 network has 16 times that for all of its /64 networks together.',
  kind: 'compound',
  schema: Type.Object(
    {
      loginPermitLimit: permitLimit(
        'Sign-in requests',
        'Sign-in requests that one address may make in a window; as often, counted apart, it may answer security questions.',
      ),
      loginWindowSeconds: seconds('Sign-in window', 'Length of the window; it starts with its first request.', 1),
      otpPermitLimit: permitLimit(
        'Requests for pins and links',
        'Requests for a one-time pin or a link that one address may make in a window.',
      ),
      otpWindowSeconds: seconds(
        'Window for pins and links',
        'Length of the window; it starts with its first request.',
        1,
      ),
      retryAfterSeconds: seconds(
        'Shortest wait when over the limit',
        'Counted from the first refused request; further ones do not prolong it. 0: until the window ends.',
        0,
      ),
    },
    { additionalProperties: false },
  ),
  default: {
    loginPermitLimit: 10,
    loginWindowSeconds: 60,
    otpPermitLimit: 5,
    otpWindowSeconds: 60,
    retryAfterSeconds: 0,
  },
  public: false,
  order: 10,
});

/** What a budget is for: each policy and address has one, shared by all endpoints of the policy. */
export type Policy = 'login' | 'answers' | 'otp';

type RateLimiting = Static<typeof rateLimitingSetting.schema>;

/** The limits of one policy: answers to security questions prove who one is, as a password does, and have its numbers. */
export function limitsOf(policy: Policy, setting: RateLimiting): Limits {
  const { retryAfterSeconds } = setting;
  return policy === 'otp'
    ? { limit: setting.otpPermitLimit, windowSeconds: setting.otpWindowSeconds, retryAfterSeconds }
    : { limit: setting.loginPermitLimit, windowSeconds: setting.loginWindowSeconds, retryAfterSeconds };
}

/** Seconds after the start of a window, or after a refusal in it, from which on neither decides anything any more. */
export function longestWaitSeconds(setting: RateLimiting): number {
  return Math.max(setting.loginWindowSeconds, setting.otpWindowSeconds, setting.retryAfterSeconds);
}
