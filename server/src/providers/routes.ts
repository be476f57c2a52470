// The endpoints of external providers: their list and their sign-in pages.
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
      handle: async () => ({ items: providers.listSignInPages().map((name) => ({ name })) }),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/services/app/ExternalLogin/GetSignInPage',
      summary: 'Return the address of the sign-in page of an external provider.',
      access: 'public',
      limit: 'login',
      query: Type.Object({ name: Text({ minLength: 1, maxLength: 100 }) }),
      result: SignInPageDto,
      handle: ({ input }) => providers.findSignInPage(input.name),
    }),
  ];
}
