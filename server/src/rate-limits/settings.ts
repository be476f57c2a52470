// The setting of the rate limits: budgets per address for sign-ins and requests for pins. Two more hold off floods alone.
import { type Static, Type } from 'typebox';
import { defineSetting, Seconds, type Warning } from '../foundation/setting.ts';
import type { Limits } from './window.ts';

const manySignIns: Warning = {
  above: 100,
  text: 'One address can try common passwords on many accounts, before a limit stops it.',
  source: 'OWASP ASVS 6.3.1',
};

const shortWindow: Warning = {
  below: 10,
  text: 'One address gets its budget again so soon that it hardly stops attackers.',
  source: 'OWASP ASVS 6.3.1',
};

const permitLimit = (title: string, description: string, warning?: Warning) =>
  Type.Integer({ title, description, minimum: 1, maximum: 100_000, ...(warning && { 'x-warning': warning }) });

const seconds = (title: string, description: string, minimum: number, warning?: Warning) =>
  Seconds({ title, description, minimum, maximum: 3600, ...(warning && { 'x-warning': warning }) });

/** `Latchkey.RateLimiting` (specification 8). */
export const rateLimitingSetting = defineSetting({
  name: 'Latchkey.RateLimiting',
  scope: 'general',
  category: 'Rate limiting',
  label: 'Rate limits per IP address',
  description:
    'How often one IP address may try to sign in, and may request one-time pins and links. ' +
    'All clients behind one address, or in one IPv6 /64 network, share one budget. ' +
    'All /64 networks of an IPv6 /48 network together have 16 times that budget.',
  kind: 'compound',
  schema: Type.Object(
    {
      loginPermitLimit: permitLimit(
        'Sign-in requests',
        'How many sign-in requests one address may make in a window. ' +
          'It may begin 30 times as many sign-ins to applications, and answer security questions 30 times as often.',
        manySignIns,
      ),
      loginWindowSeconds: seconds(
        'Sign-in window',
        'How long the window lasts. It starts with its first request.',
        1,
        shortWindow,
      ),
      otpPermitLimit: permitLimit(
        'Requests for pins and links',
        'How many requests for a one-time pin or a link one address may make in a window.',
      ),
      otpWindowSeconds: seconds(
        'Window for pins and links',
        'How long the window lasts. It starts with its first request.',
        1,
        shortWindow,
      ),
      retryAfterSeconds: seconds(
        'Shortest wait when over the limit',
        'How long a client waits after its first refused request. Further requests do not extend it. 0: until the window ends.',
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

/** What a budget is for. Each policy and address has one budget, which all endpoints of the policy share. */
export type Policy = 'login' | 'answers' | 'otp' | 'authorization';

/** What is bounded by its failures alone, under any settings. */
export type FailurePolicy = 'client' | 'userCode';

const failureLimits: Readonly<Record<FailurePolicy, number>> = { client: 60, userCode: 10 };

/** Returns the limits of failures: so many a minute. */
export const failureLimitsOf = (policy: FailurePolicy): Limits => ({
  limit: failureLimits[policy],
  windowSeconds: FAILURE_SECONDS,
  retryAfterSeconds: 0,
});

const FAILURE_SECONDS = 60;

type RateLimiting = Static<typeof rateLimitingSetting.schema>;

/** What the specification leaves without a limit is bounded where a flood would cost much: so many for each sign-in request. */
const FLOOD_FACTOR = 30;

/** Returns the limits of a policy. */
export function limitsOf(policy: Policy, setting: RateLimiting): Limits {
  const { loginPermitLimit, loginWindowSeconds, otpPermitLimit, otpWindowSeconds, retryAfterSeconds } = setting;
  if (policy === 'otp') return { limit: otpPermitLimit, windowSeconds: otpWindowSeconds, retryAfterSeconds };
  const limit = policy === 'login' ? loginPermitLimit : FLOOD_FACTOR * loginPermitLimit;
  return { limit, windowSeconds: loginWindowSeconds, retryAfterSeconds };
}

/** Returns how many seconds a window counts after its start, or after a refusal in it, at most. */
export function longestWaitSeconds(setting: RateLimiting): number {
  const { loginWindowSeconds, otpWindowSeconds, retryAfterSeconds } = setting;
  return Math.max(loginWindowSeconds, otpWindowSeconds, retryAfterSeconds, FAILURE_SECONDS);
}
