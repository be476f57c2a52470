// Calls of other services: introspection, revocation and forward-auth.
import type { TestService } from './service.ts';

const FORM = 'application/x-www-form-urlencoded';

/** Posts a form. @param authorization the value of the header, if any. */
export function postForm(test: TestService, path: string, form: Record<string, string>, authorization?: string) {
  const headers = { 'content-type': FORM, ...(authorization !== undefined && { authorization }) };
  return test.post(path, { headers, body: new URLSearchParams(form).toString() });
}

/** Returns what introspection says of a token. */
export async function introspect(test: TestService, token: string, key: string): Promise<Record<string, unknown>> {
  const answer = await postForm(test, '/oauth/introspect', { token }, `Bearer ${key}`);
  if (answer.status !== 200) throw new Error(`introspection: ${answer.status} ${answer.text}`);
  return JSON.parse(answer.text);
}

/** Returns an `Authorization` header of HTTP Basic. */
export const basic = (name: string, password: string) =>
  `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;

export const identityHeaderNames = [
  'remote-user',
  'remote-user-id',
  'remote-name',
  'remote-email',
  'remote-groups',
  'remote-auth-level',
] as const;
