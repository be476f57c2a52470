// The calls about providers: which there are, and where people sign in at them.
import { Type } from 'typebox';
import { defineRoute, Items, NamedObject, type Route, Text } from '../http/contract.ts';
import type { Providers } from './providers.ts';

const ExternalProviderDto = NamedObject('ExternalProviderDto', { name: Type.String(), clientId: Type.String() });
const SignInProviderDto = NamedObject('SignInProviderDto', { name: Type.String() });
const SignInPageDto = NamedObject('SignInPageDto', { address: Type.String(), clientId: Type.String() });

export function providerRoutes(providers: Providers): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/TokenAuth/GetExternalAuthenticationProviders',
      summary: 'The external providers that are registered.',
      access: 'public',
      result: Type.Array(ExternalProviderDto),
      handle: async () => providers.list(),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/services/app/ExternalLogin/GetSignInPages',
      summary: 'The external providers that have a page to sign in at: each has a button on the sign-in page.',
      access: 'public',
      result: Items(SignInProviderDto),
      handle: async () => ({ items: providers.listSignInPages().map((name) => ({ name })) }),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/services/app/ExternalLogin/GetSignInPage',
      summary: 'Where people sign in at an external provider.',
      access: 'public',
      limit: 'login',
      query: Type.Object({ name: Text({ minLength: 1, maxLength: 100 }) }),
      result: SignInPageDto,
      handle: ({ input }) => providers.findSignInPage(input.name),
    }),
  ];
}
