// What the explorer says of a schema, and which field it gets.
import { words } from '../words/all.ts';
import { type Api, resolve, type Schema } from './document.ts';

const isNull = ({ type }: Schema) => type === 'null';

/** Returns the type in words. The names of types are those of the document. */
export function describeType(schema: Schema): string {
  const { $ref, anyOf, type, items } = schema;
  const { list, or, any } = words.api.type;
  if ($ref !== undefined) return $ref.slice($ref.lastIndexOf('/') + 1);
  if (anyOf) return anyOf.map(describeType).join(or);
  const values = valuesOf(schema);
  if (values) return values.map((value) => JSON.stringify(value)).join(or);
  if (type === 'array') return list(describeType(items ?? {}));
  return type ?? any;
}

/** Returns the values that the schema allows, if it lists them. */
function valuesOf(schema: Schema): readonly unknown[] | undefined {
  if (schema.enum) return schema.enum;
  return 'const' in schema ? [schema.const] : undefined;
}

/** Returns the object that a value of this schema is, or has in its list. */
export function findObject(schema: Schema, schemas: Api['schemas']): Schema | undefined {
  const { type, items, anyOf, properties } = resolve(schema, schemas);
  if (properties) return { ...resolve(schema, schemas) };
  if (type === 'array' && items) return findObject(items, schemas);
  return anyOf?.map((one) => findObject(one, schemas)).find((found) => found !== undefined);
}

/** How a member is typed: in a line, as a secret, as a number, by choice, or as JSON. */
export type Field =
  | { readonly kind: 'text' | 'secret' | 'number' | 'json' }
  | { readonly kind: 'choice'; readonly values: readonly unknown[] };

export function fieldOf(schema: Schema, schemas: Api['schemas']): Field {
  const resolved = resolve(schema, schemas);
  const others = resolved.anyOf?.filter((one) => !isNull(one));
  if (others?.length === 1 && others[0]) return fieldOf(others[0], schemas);
  const choices = others?.map(valuesOf);
  if (choices?.length && choices.every((values) => values !== undefined))
    return { kind: 'choice', values: choices.flat() };
  const values = resolved.type === 'boolean' ? [true, false] : valuesOf(resolved);
  if (values) return { kind: 'choice', values };
  if (resolved.type === 'integer' || resolved.type === 'number') return { kind: 'number' };
  if (resolved.type === 'string') return { kind: resolved['x-secret'] ? 'secret' : 'text' };
  return { kind: 'json' };
}
