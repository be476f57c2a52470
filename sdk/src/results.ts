// The results that the client itself reads.

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Whether the result of a call has a token. */
export const hasToken = (result: unknown): result is { accessToken: string; expireInSeconds: number } =>
  isObject(result) && typeof result.accessToken === 'string';

/** Whether it holds the policy of automatic log-off. */
export const isSecuritySettings = (value: unknown): value is { useAutoLogoff: boolean; autoLogoffTimeout: number } =>
  isObject(value) && typeof value.useAutoLogoff === 'boolean' && typeof value.autoLogoffTimeout === 'number';
