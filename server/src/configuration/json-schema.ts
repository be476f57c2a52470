// The JSON Schema of a configuration file, by which editors complete and check it.
import { brandSetting } from '../brands/index.ts';
import { isObject } from '../foundation/object.ts';
import type { SettingDefinition } from '../foundation/setting.ts';
import { PICTURE_REFERENCE, REFERENCE } from './references.ts';
import { sections } from './sections.ts';
import { LOGO_MEMBERS } from './settings.ts';

type Json = Record<string, unknown>;

/** Returns the schema. @param definitions the settings that a file may name. */
export function createJsonSchema(definitions: readonly SettingDefinition[]): Json {
  const general = definitions.filter(({ scope }) => scope === 'general');
  const ofFrontEnds = definitions.filter(({ scope, name }) => scope === 'frontEnd' && name !== brandSetting.name);
  const withSettings = (item: Json): Json => ({
    ...item,
    properties: { ...(isObject(item.properties) && item.properties), settings: toSettings(ofFrontEnds) },
  });
  const named = Object.entries(sections).map(([section, { schema, nameMember }]) => {
    const item = toMembers(schema, [nameMember]);
    return [section, { type: 'object', additionalProperties: section === 'frontEnds' ? withSettings(item) : item }];
  });
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Configuration of Latchkey',
    type: 'object',
    properties: {
      settings: toSettings(general),
      brands: { type: 'object', additionalProperties: withLogos(toSetting(brandSetting)) },
      ...Object.fromEntries(named),
    },
    additionalProperties: false,
  };
}

/** A logo is the name of a stored file, or a reference to one that is to be stored. */
function withLogos(brand: Json): Json {
  const members = Object.entries(isObject(brand.properties) ? brand.properties : {}).map(([name, member]) => {
    const isLogo = LOGO_MEMBERS.includes(name);
    return [name, isLogo ? { anyOf: [member, { type: 'string', pattern: PICTURE_REFERENCE }] } : member];
  });
  return { ...brand, properties: Object.fromEntries(members) };
}

const toSettings = (definitions: readonly SettingDefinition[]): Json => ({
  type: 'object',
  properties: Object.fromEntries(definitions.map((definition) => [definition.name, toSetting(definition)])),
  additionalProperties: false,
});

/** Members of a compound that a file leaves out stay as they are. */
function toSetting(definition: SettingDefinition): Json {
  const { required, ...schema } = toPlain(definition.schema);
  const { description } = definition;
  return { description, ...schema, ...(definition.kind !== 'compound' && required !== undefined && { required }) };
}

/** Returns the schema of a thing without the members that its name stands for. A thing may have no members at all. */
function toMembers(schema: object, names: readonly string[]): Json {
  const { properties, required, ...rest } = toPlain(schema);
  const others = Object.entries(isObject(properties) ? properties : {}).filter(([name]) => !names.includes(name));
  const needed = (Array.isArray(required) ? required : []).filter((name) => !names.includes(name));
  return {
    ...rest,
    ...(needed.length === 0 ? { type: ['object', 'null'] } : { required: needed }),
    properties: Object.fromEntries(others),
  };
}

/** Returns a schema as JSON, without what only Latchkey reads. Objects have no other members than those that it names. */
function toPlain(schema: object): Json {
  // What was an object is one.
  return simplify(JSON.parse(JSON.stringify(schema))) as Json;
}

function simplify(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(simplify);
  if (!isObject(value)) return value;
  const shapes = Array.isArray(value.anyOf) ? value.anyOf : [value];
  if (shapes.some((shape) => isObject(shape) && 'x-secret' in shape)) {
    const description = 'A reference to the secret, such as $' + '{ENV:NAME}.';
    return { type: 'string', pattern: REFERENCE, description };
  }
  const members = Object.entries(value)
    .filter(([name]) => !name.startsWith('x-'))
    .map(([name, member]) => [name, simplify(member)]);
  const isClosed = value.type === 'object' && isObject(value.properties);
  return { ...Object.fromEntries(members), ...(isClosed && { additionalProperties: false }) };
}
