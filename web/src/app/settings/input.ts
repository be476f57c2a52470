// Input of values: the kind of field, the first value of a new entry, and the faults before it is sent.
import { words } from '../../words/all.ts';
import { type Definition, isRecord, type Schema } from './definition.ts';
import { describeValue, isId } from './describe.ts';

/** The kind of field for a value. */
export type Entry = 'switch' | 'choice' | 'number' | 'duration' | 'text' | 'list' | 'json';

export function entryOf({ enum: choices, type, items, 'x-duration': isDuration }: Schema): Entry {
  if (choices) return 'choice';
  if (type === 'boolean') return 'switch';
  if (type === 'integer' || type === 'number') return isDuration ? 'duration' : 'number';
  if (type === 'string') return 'text';
  return type === 'array' && items && (items.properties || entryOf(items) !== 'json') ? 'list' : 'json';
}

/** Returns the first value of a new list entry, with an id. */
export function createBlank(schema: Schema): unknown {
  const { properties, minimum, enum: choices } = schema;
  if (properties) {
    const members = Object.entries(properties);
    return Object.fromEntries(
      members.map(([member, inner]) => [member, isId(member) ? createId() : createBlank(inner)]),
    );
  }
  const blanks = {
    choice: choices?.[0],
    switch: false,
    number: minimum ?? 0,
    duration: minimum ?? 0,
    text: '',
    list: [],
    json: null,
  };
  return blanks[entryOf(schema)];
}

/** Returns a random UUID (RFC 9562, 5.4). `crypto.randomUUID` exists in secure contexts only. */
function createId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, (byte, index) => {
    const fixed = index === 6 ? (byte & 0x0f) | 0x40 : index === 8 ? (byte & 0x3f) | 0x80 : byte;
    return fixed.toString(16).padStart(2, '0');
  }).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Returns the path of a member, as the service names it in validation errors. */
export const pathTo = (path: string, member: string | number) => (path === '' ? String(member) : `${path}.${member}`);

/** The path of the whole value. */
const WHOLE = 'value';

export const nameOf = (path: string) => path || WHOLE;

/** Returns the faults of a draft, by path. The service checks patterns and rules between members. */
export function findInputProblems({ schema }: Definition, value: unknown): Record<string, string> {
  return Object.fromEntries(listProblems(schema, value, ''));
}

function listProblems(schema: Schema, value: unknown, path: string): [string, string][] {
  const { type, properties, items, minItems = 0 } = schema;
  if (properties && isRecord(value)) {
    return Object.entries(properties).flatMap(([member, inner]) =>
      listProblems(inner, value[member], pathTo(path, member)),
    );
  }
  if (type === 'array' && items && Array.isArray(value)) {
    if (value.length < minItems) return [[nameOf(path), words.settings.tooFew(minItems)]];
    return value.flatMap((entry, index) => listProblems(items, entry, pathTo(path, index)));
  }
  const problem = findProblem(schema, value);
  return problem === undefined ? [] : [[nameOf(path), problem]];
}

function findProblem(schema: Schema, value: unknown): string | undefined {
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema;
  switch (entryOf(schema)) {
    case 'number':
    case 'duration':
      if (typeof value !== 'number') return words.common.required;
      return value < minimum || value > maximum ? describeRange(schema) : undefined;
    case 'text':
      return value === '' && (schema.minLength ?? 0) > 0 ? words.common.required : undefined;
    case 'json':
      return value === undefined ? words.settings.noJson : undefined;
    default:
      return undefined;
  }
}

/** Returns the range of a number in words, if it has both bounds. */
export function describeRange(schema: Schema): string | undefined {
  const { minimum, maximum } = schema;
  if (minimum === undefined || maximum === undefined) return undefined;
  return words.settings.range(describeValue(schema, minimum), describeValue(schema, maximum));
}
