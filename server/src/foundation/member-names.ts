// Names of members, matched without regard to case: .NET clients send `Password`, generated Angular proxies `SkipCount`.
import type { TSchema } from 'typebox';
import { invalidMember } from './errors.ts';
import { isRecord } from './object.ts';

type Properties = Readonly<Record<string, TSchema>>;
type Shape = {
  readonly properties?: Properties;
  readonly items?: TSchema;
  readonly anyOf?: readonly TSchema[];
};

const shapesOf = (schema: TSchema): readonly Shape[] => {
  const shape: Shape = schema;
  return shape.anyOf ? shape.anyOf.flatMap(shapesOf) : [shape];
};

/** Returns the key under which names are equal. Only ASCII letters have cases: `toLowerCase` makes the Kelvin sign a `k`. */
export const memberKey = (name: string): string => name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

const namesOfSchemas = new WeakMap<Properties, ReadonlyMap<string, string>>();

/** Returns the declared names by their keys. Builds them once: a body may have thousands of objects of one schema. */
function namesOf(properties: Properties): ReadonlyMap<string, string> {
  const known = namesOfSchemas.get(properties);
  if (known) return known;
  const names = new Map(Object.keys(properties).map((name) => [memberKey(name), name]));
  namesOfSchemas.set(properties, names);
  return names;
}

/**
 * The value with its members named as the schema names them, at every level. Members that the schema does not know stay
 * as they are.
 * @throws AuthError `request.invalid` when a member is given twice in different case.
 */
export function nameMembers(schema: TSchema, value: unknown, path: readonly string[] = []): unknown {
  const shapes = shapesOf(schema);
  if (Array.isArray(value)) {
    const items = shapes.find((shape) => shape.items)?.items;
    return items ? value.map((item, index) => nameMembers(items, item, [...path, String(index)])) : value;
  }
  const properties = shapes.find((shape) => shape.properties)?.properties;
  if (!properties || !isRecord(value)) return value;
  const names = namesOf(properties);
  const named = new Map<string, unknown>();
  for (const [given, member] of Object.entries(value)) {
    // The exact name first: an extension's setting may have two members that differ in case alone.
    const name = Object.hasOwn(properties, given) ? given : names.get(memberKey(given));
    if (name === undefined) {
      named.set(given, member);
      continue;
    }
    const where = [...path, name];
    if (named.has(name)) throw invalidMember(where.join('.'), `${where.join('.')} is given twice. Send it once.`);
    const inner = properties[name];
    named.set(name, inner ? nameMembers(inner, member, where) : member);
  }
  return Object.fromEntries(named);
}
