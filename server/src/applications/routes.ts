// The calls with which administrators manage applications.
import { Type } from 'typebox';
import { defineRoute, type Route } from '../contract/route.ts';
import { Items, NamedObject, Nullable, Text, Uuid } from '../contract/schemas.ts';
import { toManager } from '../foundation/authority.ts';
import type { Random } from '../foundation/random.ts';
import type { Applications } from './applications.ts';
import {
  ApplicationDto,
  ApplicationMembers,
  ApplicationName,
  ApplicationTemplate,
  dto,
  Kind,
  settings,
  toDto,
} from './dtos.ts';

const path = <Name extends string>(name: Name) => `/api/services/app/Application/${name}` as const;

/** The longest time for which a former client secret stays valid, in seconds. */
const LONGEST_OVERLAP = 604_800;

/** A secret of a program's own, which the service does not keep. */
const PROGRAM_SECRET_BYTES = 32;

export type ApplicationRouteDeps = {
  readonly applications: Applications;
  /** The public URL of the service, which stands in the lines for programs. */
  readonly issuer: string;
  readonly random: Random;
};

export function applicationRoutes({ applications, issuer, random }: ApplicationRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: path('GetAll'),
      summary: 'List the applications that people sign in to with this service, the oldest first.',
      access: 'pages:maintenance',
      result: Items(ApplicationDto),
      handle: async () => ({ items: (await applications.readAll()).map(toDto) }),
    }),
    defineRoute({
      method: 'GET',
      path: path('Get'),
      summary: 'Get an application. Its client secret is not shown again.',
      access: 'pages:maintenance',
      query: Type.Object({ id: Uuid }),
      result: ApplicationDto,
      handle: async ({ input }) => toDto(await applications.read(input.id.toLowerCase())),
    }),
    defineRoute({
      method: 'POST',
      path: path('Create'),
      summary: 'Register an application. The answer has its client secret, which is shown once.',
      access: 'pages:maintenance',
      body: ApplicationMembers,
      result: NamedObject('NewApplication', {
        ...dto,
        clientSecret: Nullable(Type.String({ description: 'Null: the application has none.' })),
      }),
      async handle({ input, ...call }) {
        const { application, clientSecret } = await applications.create(input, toManager(call));
        return { ...toDto(application), clientSecret };
      },
    }),
    defineRoute({
      method: 'PUT',
      path: path('Update'),
      summary: 'Change an application. Absent members stay as they are. While it is disabled, it has no grants.',
      access: 'pages:maintenance',
      body: Type.Object({
        id: Uuid,
        name: Type.Optional(ApplicationName),
        kind: Type.Optional(Kind),
        clientId: Type.Optional(Text({ maxLength: 64, description: 'Stays: any other one is refused.' })),
        ...settings,
      }),
      result: ApplicationDto,
      handle: async ({ input: { id, ...changes }, ...call }) =>
        toDto(await applications.update(id.toLowerCase(), changes, toManager(call))),
    }),
    defineRoute({
      method: 'DELETE',
      path: path('Delete'),
      summary: 'Delete an application. Its grants end.',
      access: 'pages:maintenance',
      query: Type.Object({ id: Uuid }),
      result: Type.Boolean(),
      async handle({ input, ...call }) {
        await applications.remove(input.id.toLowerCase(), toManager(call));
        return true;
      },
    }),
    defineRoute({
      method: 'POST',
      path: path('RotateSecret'),
      summary: 'Give an application another client secret, which is shown once.',
      access: 'pages:maintenance',
      body: Type.Object({
        id: Uuid,
        overlapSeconds: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: LONGEST_OVERLAP,
            description: 'For how long the former one stays valid. By default it is invalid at once.',
          }),
        ),
      }),
      result: NamedObject('ApplicationSecret', { clientSecret: Type.String() }),
      handle: async ({ input: { id, overlapSeconds = 0 }, ...call }) => ({
        clientSecret: await applications.rotateSecret(id.toLowerCase(), overlapSeconds, toManager(call)),
      }),
    }),
    defineRoute({
      method: 'GET',
      path: path('GetTemplates'),
      summary: 'List ready entries for programs, with the lines that each program needs.',
      access: 'pages:maintenance',
      result: Type.Array(ApplicationTemplate),
      async handle() {
        const { programs } = await import('./programs.ts');
        const fill = (snippet: string) =>
          snippet
            .replaceAll('{{issuer}}', issuer)
            .replaceAll('{{random}}', () => random.bytes(PROGRAM_SECRET_BYTES).toString('hex'));
        return programs.map((program) => ({ ...program, snippet: fill(program.snippet) }));
      },
    }),
  ];
}
