// The calls with which administrators manage service keys.
import { type Static, Type } from 'typebox';
import { defineRoute, type Route } from '../contract/route.ts';
import { Items, NamedObject, Nullable } from '../contract/schemas.ts';
import { toManager } from '../foundation/authority.ts';
import { toIsoString } from '../foundation/clock.ts';
import { SERVICE_KEY_PERMISSIONS, type ServiceKey } from './service-key.ts';
import type { ServiceKeys } from './service-keys.ts';

const Name = Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$' });
const Permission = Type.Enum([...SERVICE_KEY_PERMISSIONS]);

/** The input for a new key. The command line checks it too. */
export const ServiceKeyMembers = Type.Object({
  name: Name,
  permissions: Type.Array(Permission, { minItems: 1, maxItems: SERVICE_KEY_PERMISSIONS.length, uniqueItems: true }),
});

const ServiceKeyDto = NamedObject('ServiceKeyDto', {
  name: Type.String(),
  permissions: Type.Array(Permission),
  createdAt: Type.String(),
  lastUsedAt: Nullable(Type.String({ description: 'Recorded at most once a minute.' })),
});

function toServiceKeyDto({ name, permissions, createdAt, lastUsedAt }: ServiceKey): Static<typeof ServiceKeyDto> {
  return {
    name,
    permissions: [...permissions],
    createdAt: toIsoString(createdAt),
    lastUsedAt: lastUsedAt === null ? null : toIsoString(lastUsedAt),
  };
}

export function serviceKeyRoutes(serviceKeys: ServiceKeys): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/services/app/ServiceKey/GetAll',
      summary: 'List the service keys in use, the oldest first. The keys themselves are not stored.',
      access: 'pages:maintenance',
      result: Items(ServiceKeyDto),
      handle: async () => ({ items: (await serviceKeys.list()).map(toServiceKeyDto) }),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/services/app/ServiceKey/Create',
      summary: 'Create a service key. The answer has the key, which the service does not show again.',
      access: 'pages:maintenance',
      body: ServiceKeyMembers,
      result: NamedObject('NewServiceKey', { name: Type.String(), key: Type.String() }),
      async handle(call) {
        const { input } = call;
        return { name: input.name, key: await serviceKeys.create(input, toManager(call)) };
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/services/app/ServiceKey/Withdraw',
      summary: 'Withdraw a service key: every node refuses it at once.',
      access: 'pages:maintenance',
      body: Type.Object({ name: Name }),
      result: Type.Boolean(),
      async handle(call) {
        await serviceKeys.withdraw(call.input.name, toManager(call));
        return true;
      },
    }),
  ];
}
