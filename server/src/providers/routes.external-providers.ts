// The calls with which administrators manage registered providers.
import { Type } from 'typebox';
import { defineRoute, type Route } from '../contract/route.ts';
import { Items, Uuid } from '../contract/schemas.ts';
import { toManager } from '../foundation/authority.ts';
import {
  ProviderChangeDto,
  ProviderChangeMembers,
  ProviderDto,
  ProviderMembers,
  ProviderTest,
  ProviderTypeDto,
  redirectUriOf,
  toChangeDto,
  toDto,
  toProviderChanges,
} from './dtos.external-providers.ts';
import { PROVIDER_TYPES, type ProviderStep, type ProviderWithSecret } from './external-provider.ts';
import type { DescribedProvider, ExternalProviders } from './external-providers.ts';
import { markOf, toDataAddress } from './marks.ts';
import { providerTypes } from './provider-types.ts';

const path = <Name extends string>(name: Name) => `/api/services/app/ExternalProvider/${name}` as const;

type ExternalProviderRouteDeps = {
  externalProviders: ExternalProviders;
  /** Asks a provider all that a sign-in asks without a person. It changes nothing. */
  checkProvider: (provider: ProviderWithSecret) => Promise<readonly ProviderStep[]>;
  /** The public URL of the service. */
  issuer: string;
};

export function externalProviderRoutes(deps: ExternalProviderRouteDeps): Route[] {
  const { externalProviders, checkProvider, issuer } = deps;
  const answer = (provider: DescribedProvider) => toDto(provider, issuer);
  return [
    defineRoute({
      method: 'GET',
      path: path('GetTypes'),
      summary: 'List the types of external providers, with the members that each needs and may have.',
      access: 'pages:maintenance',
      result: Type.Array(ProviderTypeDto),
      handle: async () =>
        PROVIDER_TYPES.map((type) => {
          const { displayName, needs, may, scopes } = providerTypes[type];
          const page = { icon: toDataAddress(markOf(type)), redirectUriStart: redirectUriOf({ name: '' }, issuer) };
          return { type, displayName, needs: [...needs], may: [...may], scopes: [...scopes], ...page };
        }),
    }),
    defineRoute({
      method: 'GET',
      path: path('GetAll'),
      summary: 'List the registered external providers, the oldest first. Their secrets are never shown.',
      access: 'pages:maintenance',
      result: Items(ProviderDto),
      handle: async () => ({ items: (await externalProviders.readAll()).map(answer) }),
    }),
    defineRoute({
      method: 'GET',
      path: path('Get'),
      summary: 'Get a registered external provider. Its secrets are never shown.',
      access: 'pages:maintenance',
      query: Type.Object({ id: Uuid }),
      result: ProviderDto,
      async handle({ input }) {
        const provider = await externalProviders.read(input.id.toLowerCase());
        return { ...answer(provider), externalLogins: await externalProviders.countLogins(provider.name) };
      },
    }),
    defineRoute({
      method: 'GET',
      path: path('GetHistory'),
      summary: 'List the latest changes of an external provider, newest first. The values of secrets are left out.',
      access: 'pages:maintenance',
      query: Type.Object({ id: Uuid }),
      result: Items(ProviderChangeDto),
      handle: async ({ input }) => ({
        items: (await externalProviders.readHistory(input.id.toLowerCase())).map(toChangeDto),
      }),
    }),
    defineRoute({
      method: 'POST',
      path: path('Create'),
      summary: 'Register an external provider. People can sign in with it at once.',
      access: 'pages:maintenance',
      body: ProviderMembers,
      result: ProviderDto,
      async handle({ input: { type, name, clientId, ...more }, ...call }) {
        const input = { ...toProviderChanges(more), type, name, clientId };
        return answer(await externalProviders.create(input, toManager(call)));
      },
    }),
    defineRoute({
      method: 'PUT',
      path: path('Update'),
      summary:
        'Change an external provider. Absent members stay as they are, and so do its type and name. While people are linked to it, what says whose identity a key is stays too.',
      access: 'pages:maintenance',
      body: ProviderChangeMembers,
      result: ProviderDto,
      handle: async ({ input: { id, ...changes }, ...call }) =>
        answer(await externalProviders.update(id.toLowerCase(), toProviderChanges(changes), toManager(call))),
    }),
    defineRoute({
      method: 'DELETE',
      path: path('Delete'),
      summary: 'Delete an external provider and the external logins at it. The sessions of their accounts end.',
      access: 'pages:maintenance',
      query: Type.Object({ id: Uuid }),
      result: Type.Boolean(),
      async handle({ input, ...call }) {
        await externalProviders.remove(input.id.toLowerCase(), toManager(call));
        return true;
      },
    }),
    defineRoute({
      method: 'POST',
      path: path('Test'),
      summary:
        'Try an external provider without a person: its addresses, its keys, PKCE and the clock. Nothing is stored.',
      access: 'pages:maintenance',
      body: Type.Object({ id: Uuid }),
      result: ProviderTest,
      async handle({ input }) {
        const steps = await checkProvider(await externalProviders.open(input.id.toLowerCase()));
        return { steps: [...steps] };
      },
    }),
  ];
}
