// The endpoints of external providers: their list and their sign-in pages.
import { Type } from 'typebox';
import { defineRoute, type Route } from '../contract/route.ts';
import { ExactText, Items, NamedObject, Nullable, Secret } from '../contract/schemas.ts';
import { invalidMember } from '../foundation/errors.ts';
import type { AuthorizationRequests, AuthorizationResponse } from './authorization-requests.ts';
import type { Providers } from './providers.ts';

const ExternalProviderDto = NamedObject('ExternalProviderDto', {
  name: Type.String(),
  clientId: Type.String(),
  displayName: Type.String(),
});
const SignInProviderDto = NamedObject('SignInProviderDto', {
  name: Type.String(),
  displayName: Type.String(),
  icon: Nullable(Type.String({ description: 'A picture as a data: address.' })),
});
const SignInPageDto = NamedObject('SignInPageDto', { address: Type.String(), clientId: Type.String() });
const AuthorizationRequestDto = NamedObject('AuthorizationRequestDto', {
  address: Type.String(),
  clientId: Type.String(),
  request: Nullable(Type.String()),
  mayBeHybrid: Type.Boolean({
    description: 'Whether a page may repeat the request by the hybrid flow if the provider refuses it.',
  }),
});

/** The members of an {@link AuthorizationResponse}, for the calls that take one. */
export const authorizationResponse = {
  authProvider: ExactText({ minLength: 1, maxLength: 100 }),
  request: Secret({ maxLength: 100 }),
  state: ExactText({ minLength: 1, maxLength: 100 }),
  code: Secret({ maxLength: 16_384 }),
  iss: Type.Optional(Nullable(ExactText({ maxLength: 2000 }))),
  user: Type.Optional(Nullable(ExactText({ maxLength: 2000 }))),
};

const MAX_REDIRECT_URI_LENGTH = 2000;

/** Checks the form alone: the provider compares the URI with the registered ones of the client (RFC 6749, 3.1.2). */
function requireRedirectUri(uri: string) {
  if (URL.canParse(uri) && !uri.includes('#')) return;
  throw invalidMember('redirectUri', 'redirectUri must be an absolute URI without a fragment.');
}

export function providerRoutes(deps: { providers: Providers; authorizationRequests: AuthorizationRequests }): Route[] {
  const { providers, authorizationRequests } = deps;
  return [
    defineRoute({
      method: 'GET',
      path: '/api/TokenAuth/GetExternalAuthenticationProviders',
      summary: 'List the registered external providers.',
      access: 'public',
      result: Type.Array(ExternalProviderDto),
      handle: async () => providers.list(),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/services/app/ExternalLogin/GetSignInPages',
      summary:
        'List the external providers with a sign-in page. Each has a button on the sign-in page of this service.',
      access: 'public',
      result: Items(SignInProviderDto),
      handle: async () => ({ items: providers.listSignInPages() }),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/services/app/ExternalLogin/GetSignInPage',
      summary: 'Return the address of the sign-in page of an external provider.',
      access: 'public',
      query: Type.Object({ name: ExactText({ minLength: 1, maxLength: 100 }) }),
      result: SignInPageDto,
      handle: ({ input }) => providers.findSignInPage(input.name),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/services/app/ExternalLogin/Begin',
      summary: 'Begin a sign-in at an external provider: return the address to send the browser to.',
      access: 'public',
      limit: 'login',
      body: Type.Object({
        name: ExactText({ minLength: 1, maxLength: 100 }),
        redirectUri: ExactText({ minLength: 1, maxLength: MAX_REDIRECT_URI_LENGTH }),
      }),
      result: AuthorizationRequestDto,
      async handle({ input: { name, redirectUri } }) {
        requireRedirectUri(redirectUri);
        return authorizationRequests.begin(name, redirectUri);
      },
    }),
  ];
}
