// The endpoints of front ends.
import { Type } from 'typebox';
import { defineRoute, type Route } from '../contract/route.ts';
import { NamedObject, PagedItems, Text, Uuid } from '../contract/schemas.ts';
import type { FrontEnds } from './front-ends.ts';

const FrontEndDto = NamedObject('FrontEndDto', {
  id: Type.String(),
  appKey: Type.String(),
  name: Type.String(),
  description: Type.String(),
});

/** The input for a new front end. A configuration file has the same members. */
export const FrontEndMembers = Type.Object({
  appKey: Type.String({ minLength: 1, maxLength: 100, pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$' }),
  name: Text({ minLength: 1, maxLength: 200 }),
  description: Type.Optional(Text({ maxLength: 1000 })),
});

/**
 * @param deps.corsOrigins the origins whose pages may call the service, besides its own.
 * @param deps.passkeyOrigins those that may use passkeys. Android apps are among them.
 */
export function frontEndRoutes(deps: {
  frontEnds: FrontEnds;
  issuer: string;
  corsOrigins: readonly string[];
  passkeyOrigins: readonly string[];
}): Route[] {
  const { frontEnds, issuer, corsOrigins, passkeyOrigins } = deps;
  return [
    defineRoute({
      method: 'GET',
      path: '/api/services/app/FrontEndApp/GetAll',
      aliases: ['/api/dynamic/Shesha/FrontEndApp/Crud/GetAll'],
      summary: 'List all registered front ends.',
      access: 'public',
      result: PagedItems(FrontEndDto),
      async handle() {
        const items = [...frontEnds.list()];
        return { items, totalCount: items.length };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/services/app/FrontEndApp/GetConnection',
      summary: 'Get what a front end needs to call the service: its address, and the origins whose pages may call it.',
      access: 'pages:maintenance',
      result: NamedObject('FrontEndConnection', {
        url: Type.String(),
        origins: Type.Array(Type.String(), {
          description:
            'The first is that of the service. The others are those of `LATCHKEY_CORS_ORIGINS`, Android apps included.',
        }),
      }),
      handle: async () => ({
        url: issuer,
        origins: [...new Set([new URL(issuer).origin, ...corsOrigins, ...passkeyOrigins])],
      }),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/services/app/FrontEndApp/Create',
      summary: 'Register a front end.',
      access: 'pages:maintenance',
      body: FrontEndMembers,
      result: FrontEndDto,
      handle: ({ input, caller, origin }) =>
        frontEnds.create({ ...input, description: input.description ?? '' }, { ...caller, origin }),
    }),
    defineRoute({
      method: 'PUT',
      path: '/api/services/app/FrontEndApp/Update',
      summary: 'Change a front end. Absent members stay as they are. Its settings move to a new key with it.',
      access: 'pages:maintenance',
      body: Type.Object({ id: Uuid, ...Type.Partial(FrontEndMembers).properties }),
      result: FrontEndDto,
      handle: ({ input, caller, origin }) =>
        frontEnds.update({ ...input, id: input.id.toLowerCase() }, { ...caller, origin }),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/api/services/app/FrontEndApp/Delete',
      summary: 'Delete a front end and its settings.',
      access: 'pages:maintenance',
      query: Type.Object({ id: Uuid }),
      result: Type.Boolean(),
      async handle({ input, caller, origin }) {
        await frontEnds.remove(input.id.toLowerCase(), { ...caller, origin });
        return true;
      },
    }),
  ];
}
