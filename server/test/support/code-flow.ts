// The code flow as a front end runs it: begin at the service, the browser at the provider, and the response to the service.
import assert from 'node:assert/strict';
import { type OpenidProvider, WEB_REDIRECT_URI } from './openid-provider.ts';
import type { TestCall, TestService } from './service.ts';

export const BEGIN = '/api/services/app/ExternalLogin/Begin';
export const BY_CODE = '/api/TokenAuth/ExternalAuthenticateByCode';
export const LINK_BY_CODE = '/api/services/app/ExternalLogin/LinkByCode';

/** What a front end sends of a response, with the secret that it has kept. */
export type Response = { authProvider: string; request: string; state: string; code: string; iss?: string };

/** Begins a sign-in. @returns the address for the browser, and the secret of the request. */
export async function begin(service: TestService, name: string, redirectUri = WEB_REDIRECT_URI) {
  const answer = await service.post(BEGIN, { body: { name, redirectUri } });
  assert.equal(answer.status, 200, answer.text);
  return { address: new URL(answer.result.address), request: answer.result.request ?? assert.fail('no code flow') };
}

/** Begins a sign-in, and signs the person in at the provider. */
export async function authorize(
  service: TestService,
  provider: OpenidProvider,
  sub: string,
  { name = 'web', redirectUri = WEB_REDIRECT_URI } = {},
): Promise<Response> {
  const { address, request } = await begin(service, name, redirectUri);
  const { searchParams } = await provider.browse(address, sub);
  const [state, code, iss] = ['state', 'code', 'iss'].map((member) => searchParams.get(member) ?? '');
  assert.ok(state && code && iss, searchParams.toString());
  return { authProvider: name, request, state, code, iss };
}

/** Sends a response to the service; `more` replaces members of it. */
export const signInByCode = (
  service: TestService,
  response: object,
  { more = {}, ...call }: TestCall & { more?: object } = {},
) => service.post(BY_CODE, { ...call, body: { ...response, ...more } });
