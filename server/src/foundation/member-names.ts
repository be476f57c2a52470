// Names of members, matched without regard to case: .NET clients send `Password`, generated Angular proxies `SkipCount`.
import type { TSchema } from 'typebox';
import { invalidMember } from './errors.ts';

type Shape = {
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly items?: TSchema;
  readonly anyOf?: readonly TSchema[];
};

const shapesOf = (schema: TSchema): readonly Shape[] => {
  const shape: Shape = schema;
  return shape.anyOf ? shape.anyOf.flatMap(shapesOf) : [shape];
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

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
  const declared = new Map(Object.keys(properties).map((name) => [name.toLowerCase(), name]));
  const named = new Map<string, unknown>();
  for (const [given, member] of Object.entries(value)) {
    const name = declared.get(given.toLowerCase());
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
