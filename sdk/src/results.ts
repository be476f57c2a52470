// The results and refusals that the client itself reads.
import { isLatchkeyError } from './call.ts';

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Whether the result of a call has a token. */
export const hasToken = (result: unknown): result is { accessToken: string; expireInSeconds: number } =>
  isObject(result) && typeof result.accessToken === 'string';

/** Whether the token of a sign-in may only change the password, or enroll a second factor. */
export const isRestricted = (result: unknown) =>
  isObject(result) && (result.requiredChangePassword === true || result.requiredFactorEnrollment === true);

/** Whether it holds the policy of automatic log-off. */
export const isSecuritySettings = (value: unknown): value is { useAutoLogoff: boolean; autoLogoffTimeout: number } =>
  isObject(value) && typeof value.useAutoLogoff === 'boolean' && typeof value.autoLogoffTimeout === 'number';

/** Whether the service does not accept the token that the call sent. */
export const isTokenRefusal = (error: unknown) =>
  isLatchkeyError(error) && error.status === 401 && error.reason.startsWith('token.');

/** Whether a public call, such as `Session/GetCurrentLoginInfo`, found no user. It refuses no token. */
export const hasNoUser = (result: unknown) => isObject(result) && result.user === null;
