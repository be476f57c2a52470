// What a value of a table is for a member: nothing, yes or no, a number, a list.
import { isNothing, readFlag } from 'latchkey-user-files/values';
import type { TSchema } from 'typebox';
import { typesOf } from '../contract/input.ts';
import { readWords } from '../foundation/typed-text.ts';

/** Returns the integer that a text stands for, or the value as it is. */
export function readInteger(value: unknown): unknown {
  const text = typeof value === 'string' ? readWords(value) : '';
  return /^-?\d{1,15}$/.test(text) ? Number(text) : value;
}

/** Returns the items of a text: between semicolons, or between commas if it has no semicolon. */
function readList(text: string): string[] {
  const items = text.split(text.includes(';') ? ';' : ',');
  return items.map((item) => item.trim()).filter((item) => item !== '');
}

/** Returns the value for a member of this schema. A value that cannot be one stays, and the schema refuses it. */
export function readValue(schema: TSchema, value: unknown): unknown {
  if (isNothing(value)) return null;
  const types = typesOf(schema);
  if (types.includes('boolean')) return readFlag(value) ?? value;
  if (types.includes('integer')) return readInteger(value);
  if (types.includes('array')) {
    if (typeof value === 'string') return readList(value);
    return Array.isArray(value) ? value.filter((item) => !isNothing(item)) : value;
  }
  return value;
}
