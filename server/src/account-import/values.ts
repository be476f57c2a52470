// What a value of a table means: nothing, yes or no, a number, a list. Databases and spreadsheets write them in many ways.
import type { TSchema } from 'typebox';
import { typesOf } from '../contract/input.ts';
import { foldCase } from '../foundation/case-folding.ts';
import { readWords } from '../foundation/typed-text.ts';

/** Texts that databases and their tools write where there is no value. `Null` is a surname. */
const NOTHING: readonly string[] = ['', 'NULL', 'null', '\\N'];

/** Yes and no, as databases, and spreadsheets in many languages, write them. Access writes -1 for yes. */
const flags: ReadonlyMap<string, boolean> = new Map(
  [
    ...'true t yes y on x 1 -1 ja j wahr oui vrai si sí verdadero vero sim verdadeiro waar sant sand sann tak prawda evet doğru да истина'
      .split(' ')
      .map((word) => [word, true] as const),
    ...'false f no n off 0 nein nee falsch non faux falso não nao onwaar nej nei falskt falsk usann nie fałsz hayır yanliş нет ложь'
      .split(' ')
      .map((word) => [word, false] as const),
  ].map(([word, flag]) => [foldCase(word), flag]),
);

/** Whether the value says that there is nothing. */
export const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'string' && NOTHING.includes(readWords(value)));

/** Returns the flag that a text or number stands for, or `undefined`. */
export const readFlag = (value: unknown): boolean | undefined =>
  typeof value === 'boolean'
    ? value
    : typeof value === 'string' || typeof value === 'number'
      ? flags.get(foldCase(readWords(String(value))))
      : undefined;

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
