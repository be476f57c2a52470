// The members of a file against their schema: a name that the schema does not know is refused, with the nearest that it knows.
import { IsArray, IsObject, IsUnion, type TObject, type TSchema } from 'typebox';
import { findNearest } from '../foundation/nearest.ts';
import { isObject, isRecord } from '../foundation/object.ts';
import type { ConfigurationFile } from './file.ts';
import type { Members } from './kind.ts';
import type { Path } from './problem.ts';

/** @throws ConfigurationError for the first member, at any level, that the schema does not know. */
export function requireKnownMembers(file: ConfigurationFile, schema: TSchema, value: unknown, path: Path): void {
  const shapes = IsUnion(schema) ? schema.anyOf : [schema];
  if (Array.isArray(value)) {
    const items = shapes.find(IsArray)?.items;
    if (items) for (const [index, one] of value.entries()) requireKnownMembers(file, items, one, [...path, `${index}`]);
    return;
  }
  const properties = shapes.find(IsObject)?.properties;
  if (!properties || !isObject(value)) return;
  requireKnownNames(file, Object.keys(properties), value, path);
  for (const [name, member] of Object.entries(value)) {
    const inner = properties[name];
    if (inner) requireKnownMembers(file, inner, member, [...path, name]);
  }
}

/** @throws ConfigurationError for the first name that is not one of these. */
export function requireKnownNames(file: ConfigurationFile, known: readonly string[], value: Members, path: Path): void {
  const unknown = Object.keys(value).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw file.refuse([...path, unknown], `There is no such member. Did you mean "${findNearest(unknown, known)}"?`);
}

/** Returns the members of a value that must have some; null counts as none. @throws ConfigurationError */
export function readMembers(file: ConfigurationFile, value: unknown, path: Path): Members {
  if (isRecord(value)) return value;
  throw file.refuse(path, 'Write its members on lines of their own below it, or {} for none.');
}

/** The names of the members that are secrets. */
export const secretsOf = ({ properties }: TObject): string[] =>
  Object.entries(properties)
    .filter(([, schema]) => (IsUnion(schema) ? schema.anyOf : [schema]).some((shape) => 'x-secret' in shape))
    .map(([name]) => name);
