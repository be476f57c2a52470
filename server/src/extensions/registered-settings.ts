// The settings that extensions define: checks them and their names, and lets extensions read their values.
import { type TObject, Type } from 'typebox';
import { foldCase } from '../foundation/case-folding.ts';
import { memberKey } from '../foundation/member-names.ts';
import { isObject } from '../foundation/object.ts';
import type { SettingDefinition, SettingReader } from '../foundation/setting.ts';
import { DEFAULT_FRONT_END } from '../front-ends/index.ts';
import { findBrokenBounds, proposeValue } from '../settings/index.ts';
import type { ExtensionSetting, ReadableSetting, SettingFormSchema, SettingValueSchema } from './setting.ts';

/** The default place on the settings page. */
const LAST = 1000;

/** An extension has read a setting before the service has started. */
export class EarlyReadError extends Error {
  constructor(name: string) {
    super(`The setting "${name}" cannot be read before the service has started.`);
    this.name = 'EarlyReadError';
  }
}

/** @param taken names of the service's own settings. */
export function createSettingRegistry(taken: readonly string[]) {
  const owners = new Map(taken.map((name) => [foldCase(name), 'the service']));
  const definitions: SettingDefinition[] = [];
  let settings: SettingReader | undefined;
  return {
    definitions,

    /** Sets the reader of values, after the service has started. */
    use(reader: SettingReader) {
      settings = reader;
    },

    /** Adds a setting of the extension at `path`. @throws Error that names the problem of an invalid definition. */
    add(path: string, given: unknown): ReadableSetting<unknown> {
      const definition = readDefinition(given);
      const { name } = definition;
      const owner = owners.get(foldCase(name));
      if (owner !== undefined) throw new Error(`The setting "${name}" already exists, from ${owner}.`);
      owners.set(foldCase(name), path);
      definitions.push(definition);
      return Object.freeze({
        read(frontEnd = DEFAULT_FRONT_END) {
          if (!settings) throw new EarlyReadError(name);
          return structuredClone(settings.read(definition, frontEnd));
        },
      });
    },
  };
}

const oneOf = (...words: string[]) => Type.String({ pattern: `^(${words.join('|')})$` });
const Label = Type.String({ minLength: 1, maxLength: 100 });
const Description = Type.Optional(Type.String({ maxLength: 1000 }));

const Definition = Type.Object({
  name: Type.String({ maxLength: 100, pattern: '^[A-Za-z][A-Za-z0-9]*([.][A-Za-z0-9]+)*$' }),
  scope: oneOf('general', 'frontEnd'),
  category: Label,
  label: Label,
  description: Description,
  schema: Type.Object({ type: oneOf('boolean', 'integer', 'number', 'string', 'object') }),
  default: Type.Unknown(),
  public: Type.Optional(Type.Boolean()),
  order: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000 })),
});

const Form = Type.Object({
  type: oneOf('object'),
  properties: Type.Record(
    Type.String(),
    Type.Object({ type: oneOf('boolean', 'integer', 'number', 'string'), title: Label }),
    { minProperties: 1, maxProperties: 50 },
  ),
});
const FIELD = /^[a-z][A-Za-z0-9]{0,49}$/;

const shown = { title: Type.Optional(Label), description: Description, 'x-unit': Type.Optional(Label) };
const Flag = Type.Object({ type: oneOf('boolean'), ...shown });
const Quantity = Type.Object({
  type: oneOf('integer', 'number'),
  minimum: Type.Number(),
  maximum: Type.Number(),
  ...shown,
});
const Words = Type.Object({
  type: oneOf('string'),
  maxLength: Type.Integer({ minimum: 1, maximum: 10_000 }),
  minLength: Type.Optional(Type.Integer({ minimum: 0 })),
  pattern: Type.Optional(Type.String({ maxLength: 1000, format: 'regex' })),
  ...shown,
});
const Choice = Type.Object({
  type: oneOf('string'),
  enum: Type.Array(Label, { minItems: 1, maxItems: 100 }),
  ...shown,
});

/**
 * Returns the definition in the form of the service's own settings.
 * @throws Error that names the problem of an invalid definition.
 */
function readDefinition(given: unknown): SettingDefinition {
  const definition: unknown = structuredClone(given);
  const name = isObject(definition) ? definition.name : undefined;
  const what = typeof name === 'string' ? `The setting ${JSON.stringify(name)}` : 'A setting';
  assertDefinition(what, definition);
  const { description = '', schema, public: isPublic = false, order = LAST } = definition;
  const setting: SettingDefinition = {
    ...definition,
    ...(schema.type === 'object' ? readForm(what, schema) : readValue(what, schema)),
    description,
    public: isPublic,
    order,
  };
  const proposal = proposeValue(setting, undefined, setting.default);
  if ('value' in proposal) return { ...setting, default: proposal.value };
  const why = proposal.broken.map(({ message }) => message).join(' ');
  throw new Error(`${what} has a default that it does not allow: ${why}`);
}

function assertDefinition(what: string, value: unknown): asserts value is ExtensionSetting {
  requireShape(what, Definition, value);
}

function readValue(what: string, schema: SettingValueSchema) {
  requireShape(`The schema of ${what}`, shapeOf(schema), schema);
  return { kind: 'value', schema } as const;
}

function readForm(what: string, schema: SettingFormSchema) {
  requireShape(`The schema of ${what}`, Form, schema);
  const keys = new Set<string>();
  for (const [name, field] of Object.entries(schema.properties)) {
    if (!FIELD.test(name))
      throw new Error(`${what} has a field ${JSON.stringify(name)}, which does not match ${FIELD}.`);
    requireShape(`The field "${name}" of ${what}`, shapeOf(field), field);
    if (keys.has(memberKey(name))) throw new Error(`${what} has two fields "${name}" that differ only in case.`);
    keys.add(memberKey(name));
  }
  return { kind: 'compound', schema: Type.Object({ ...schema.properties }) } as const;
}

function shapeOf(schema: SettingValueSchema): TObject {
  if (schema.type === 'boolean') return Flag;
  if (schema.type !== 'string') return Quantity;
  return 'enum' in schema ? Choice : Words;
}

/** Also rejects unknown members, which would have no effect. */
function requireShape(what: string, shape: TObject, value: unknown) {
  const [broken] = findBrokenBounds({ schema: shape }, value);
  if (broken) throw new Error(`${what} is not well defined: ${broken.message}`);
  const known = Object.keys(shape.properties);
  const unknown = Object.keys(value ?? {}).find((member) => !known.includes(member));
  if (unknown !== undefined) throw new Error(`${what} has a member "${unknown}"; there are ${known.join(', ')}.`);
}
