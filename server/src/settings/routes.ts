// The endpoints that read and change settings.
import { Type } from 'typebox';
import { toIsoString } from '../foundation/clock.ts';
import { defineRoute, Items, NamedObject, Nullable, type Route, Text } from '../http/contract.ts';
import type { Settings } from './settings.ts';

const name = Text({ minLength: 1, maxLength: 200 });
const appKey = Type.Optional(Nullable(Text({ maxLength: 100 })));
const expected = Type.Optional(
  Type.Unknown({ description: 'The whole value that you changed. If another value applies now, the answer is 409.' }),
);
const module = Type.Optional(Type.Unknown({ description: 'Accepted for existing clients, and ignored.' }));

const Configuration = NamedObject('SettingConfigurationDto', {
  name: Type.String(),
  scope: Type.Union([Type.Literal('general'), Type.Literal('frontEnd')]),
  category: Type.String(),
  label: Type.String(),
  description: Type.String(),
  kind: Type.Union([Type.Literal('value'), Type.Literal('compound'), Type.Literal('list')]),
  schema: Type.Unknown(),
  default: Type.Unknown(),
  order: Type.Integer(),
});

const Change = NamedObject('SettingChangeDto', {
  at: Type.String({ format: 'date-time' }),
  by: Nullable(Type.String()),
  appKey: Nullable(Type.String()),
  oldValue: Type.Unknown({ description: 'null: the default' }),
  newValue: Type.Unknown({ description: 'null: the default' }),
});

export type SettingRouteDeps = {
  settings: Settings;
  /** Returns the key of a registered front end. @throws AuthError `frontEnd.notFound`. */
  requireFrontEnd: (appKey: string) => string;
  /** Requires that the caller may read settings that are not public. @throws AuthError with status 401 or 403. */
  requireMaintainer: (token: string | undefined) => Promise<unknown>;
};

export function settingRoutes(deps: SettingRouteDeps): Route[] {
  const { settings, requireFrontEnd, requireMaintainer } = deps;
  const frontEndOf = (key: string | null | undefined, otherwise: string) => (key ? requireFrontEnd(key) : otherwise);
  return [
    defineRoute({
      method: 'GET',
      path: '/api/services/app/Settings/GetConfigurations',
      summary: 'List all settings with their meaning, JSON Schema and default.',
      access: 'pages:maintenance',
      result: Type.Array(Configuration),
      async handle() {
        return settings.definitions.map(({ public: _, findProblems: __, ...definition }) => ({ ...definition }));
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/services/app/Settings/GetValue',
      summary: 'Read the value that applies now. Without appKey, the value for the calling front end.',
      access: 'public',
      optionalAuth: true,
      refusals: [401, 403],
      query: Type.Object({ name, appKey, module }),
      result: Type.Unknown(),
      async handle({ input, token, origin }) {
        const definition = settings.find(input.name);
        if (!definition.public) await requireMaintainer(token);
        return settings.read(definition, frontEndOf(input.appKey, origin.frontEnd));
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/services/app/Settings/UpdateValue',
      summary: 'Change a setting. Members of a compound that are left out keep their values.',
      access: 'pages:maintenance',
      body: Type.Object({ name, value: Type.Unknown(), expected, appKey, module }),
      result: Type.Null(),
      async handle({ input, caller, origin }) {
        const frontEnd = frontEndOf(input.appKey, origin.frontEnd);
        const by = { ...caller, origin, expected: input.expected };
        await settings.update(input.name, frontEnd, input.value, by);
        return null;
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/services/app/Settings/GetHistory',
      summary: 'List the latest changes of a setting, newest first.',
      access: 'pages:maintenance',
      query: Type.Object({ name, appKey }),
      result: Items(Change),
      async handle({ input }) {
        const changes = await settings.history(input.name, input.appKey ?? undefined);
        const items = changes.map(({ at, by, appKey: key, oldValue, newValue }) => ({
          at: toIsoString(at),
          by,
          appKey: key || null,
          oldValue: oldValue === null ? null : JSON.parse(oldValue),
          newValue: newValue === null ? null : JSON.parse(newValue),
        }));
        return { items };
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/services/app/Settings/ResetValue',
      summary: 'Reset a setting to its default.',
      access: 'pages:maintenance',
      body: Type.Object({ name, expected, appKey }),
      result: Type.Null(),
      async handle({ input, caller, origin }) {
        const by = { ...caller, origin, expected: input.expected };
        await settings.reset(input.name, frontEndOf(input.appKey, origin.frontEnd), by);
        return null;
      },
    }),
  ];
}
