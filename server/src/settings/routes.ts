// The endpoints that read and change settings.
import { Type } from 'typebox';
import { defineRoute, type Route } from '../contract/route.ts';
import { Items, NamedObject, Nullable, Text } from '../contract/schemas.ts';
import { toIsoString } from '../foundation/clock.ts';
import { compatibilitySetting } from './compatibility.ts';
import { toConfiguration } from './configuration.ts';
import { parseJson, type Settings } from './settings.ts';

const name = Text({ minLength: 1, maxLength: 200 });
const appKey = Type.Optional(Nullable(Text({ maxLength: 100 })));
const expected = Type.Optional(
  Type.Unknown({ description: 'The whole value that you changed. If another value applies now, the answer is 409.' }),
);
const module = Type.Optional(Type.Unknown({ description: 'Accepted for existing clients, and ignored.' }));

/** A name, and the name by which Shesha's code reads it. */
const Described = NamedObject('SettingPlaceDto', { name: Type.String(), accessor: Type.String() });

const Configuration = NamedObject('SettingConfigurationDto', {
  name: Type.String(),
  scope: Type.Union([Type.Literal('general'), Type.Literal('frontEnd')]),
  categoryName: Type.String(),
  label: Type.String(),
  description: Type.String(),
  kind: Type.Union([Type.Literal('value'), Type.Literal('compound'), Type.Literal('list')]),
  schema: Type.Unknown({
    description:
      'JSON Schema of the value. Beside it: x-unit, x-duration (a duration in seconds), x-needs (while none of these conditions holds, the value has no effect), x-means (values that need a means of delivery, and what applies while Delivery/GetMeans says that it is off), x-prevails (this value of default-app applies to all front ends), x-strictest (accounts with permissions get the stricter value of the front end and default-app), x-labels, x-lines, x-placeholders, x-warning, x-weaker.',
  }),
  default: Type.Unknown(),
  order: Type.Integer(),
  isGuarded: Type.Boolean({ description: 'Whether a change takes every permission of this service.' }),
  module: Described,
  category: Described,
  accessor: Type.String(),
  dataType: NamedObject('SettingDataType', {
    dataType: Type.String(),
    dataFormat: Type.Null(),
    objectType: Type.Null(),
  }),
  editorForm: Type.Null(),
});

const Override = NamedObject('SettingOverrideDto', {
  name: Type.String(),
  appKey: Nullable(Type.String({ description: 'The front end. null: a general setting' })),
  value: Type.Unknown(),
  at: Type.String({ format: 'date-time', description: 'When the value was last changed' }),
  by: Nullable(Type.String({ description: 'The administrator who changed it' })),
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
  /** Whether the service has no such setting, and clients expect null. */
  function isKnownToSheshaOnly(wanted: string): boolean {
    const { nullSettings } = settings.read(compatibilitySetting);
    const isSame = (one: string) => one.toLowerCase() === wanted.toLowerCase();
    return nullSettings.some(isSame) && !settings.definitions.some(({ name: known }) => isSame(known));
  }

  return [
    defineRoute({
      method: 'GET',
      path: '/api/services/app/Settings/GetConfigurations',
      summary: 'List all settings with their meaning, JSON Schema and default.',
      access: 'pages:maintenance',
      result: Type.Array(Configuration),
      async handle() {
        return settings.definitions.map(toConfiguration);
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/services/app/Settings/GetOverrides',
      summary: 'List all values that replace a default, in general and of each front end.',
      access: 'pages:maintenance',
      result: Items(Override),
      async handle() {
        const overrides = await settings.overrides();
        return { items: overrides.map((one) => ({ ...one, appKey: one.appKey || null, at: toIsoString(one.at) })) };
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
        if (isKnownToSheshaOnly(input.name)) return null;
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
          oldValue: parseJson(oldValue ?? 'null') ?? null,
          newValue: parseJson(newValue ?? 'null') ?? null,
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
