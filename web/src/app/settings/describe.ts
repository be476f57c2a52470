// Values in words: for hints at fields, for the history, and for conflicts.
import { countUnits, describeDuration, nameUnit } from '../../ui/format.ts';
import { words } from '../../words/all.ts';
import { type Definition, isRecord, isSame, type Schema } from './definition.ts';

/** The units that have a plural in every language, as the service names them. */
const counted: Readonly<Record<string, string>> = { s: 'second', days: 'day' };

/** Returns the unit as it follows the value, in the reader's language. Without a number it is in the plural. */
export function describeUnit({ 'x-unit': unit = '' }: Schema, value: unknown): string {
  const own = counted[unit];
  return own ? nameUnit(typeof value === 'number' ? value : 2, own) : unit;
}

function describeNumber(schema: Schema, value: number): string {
  if (schema['x-duration']) return describeDuration(value);
  const { 'x-unit': unit = '' } = schema;
  const own = counted[unit];
  if (own) return countUnits(value, own);
  const format = new Intl.NumberFormat(document.documentElement.lang, { maximumFractionDigits: 20 });
  return `${format.format(value)} ${unit}`.trim();
}

export function describeChoice({ enum: choices = [], 'x-labels': labels }: Schema, value: unknown): string {
  const all: readonly unknown[] = choices;
  return labels?.[all.indexOf(value)] ?? String(value);
}

/** Returns a value in words. Lists and texts may have several lines. */
export function describeValue(schema: Schema, value: unknown): string {
  if (schema.enum) return describeChoice(schema, value);
  if (typeof value === 'boolean') return value ? words.settings.on : words.settings.off;
  if (typeof value === 'number') return describeNumber(schema, value);
  if (typeof value === 'string') return value === '' ? words.settings.empty : value;
  if (Array.isArray(value)) {
    return value.map((entry) => describeValue(schema.items ?? {}, entry)).join('\n') || words.settings.none;
  }
  if (!isRecord(value)) return JSON.stringify(value) ?? '';
  const members = Object.entries(schema.properties ?? {}).filter(([member]) => member in value && !isId(member));
  if (members.length === 0) return JSON.stringify(value);
  const parts = members.map(([member, inner]) => [inner.title ?? member, describeValue(inner, value[member])] as const);
  return parts.length === 1 ? (parts[0]?.[1] ?? '') : parts.map(([title, text]) => `${title}: ${text}`).join('\n');
}

/** Ids of list entries are not shown. */
export const isId = (member: string) => member === 'id';

/** Returns a default in words, if it is short enough for a hint. */
export function describeDefault(schema: Schema, value: unknown): string | undefined {
  const isShort = ['boolean', 'number'].includes(typeof value) || (typeof value === 'string' && value.length <= 60);
  return isShort ? describeValue(schema, value) : undefined;
}

export type Difference = { readonly label: string; readonly from: string; readonly to: string };

/** Lists the differences of two values: by member of a compound, by entry of a list, by line of a long text. */
export function findDifferences(
  { kind, label, schema }: Pick<Definition, 'kind' | 'label' | 'schema'>,
  from: unknown,
  to: unknown,
): Difference[] {
  if (isSame(from, to)) return [];
  if (kind !== 'compound' || !isRecord(from) || !isRecord(to)) return [{ label, ...describeBoth(schema, from, to) }];
  const members = Object.entries(schema.properties ?? {}).filter(([member]) => !isSame(from[member], to[member]));
  return members.map(([member, inner]) => ({
    label: inner.title ?? member,
    ...describeBoth(inner, from[member], to[member]),
  }));
}

function describeBoth(schema: Schema, from: unknown, to: unknown) {
  const [before, after] = [toParts(from), toParts(to)];
  const lacks = (parts: unknown[]) => (part: unknown) => !parts.some((other) => isSame(part, other));
  const removed = before?.filter(lacks(after ?? [])) ?? [];
  const added = after?.filter(lacks(before ?? [])) ?? [];
  const isPartial = before && after && removed.length + added.length > 0;
  if (!isPartial) return { from: describeValue(schema, from), to: describeValue(schema, to) };
  const inWords = (parts: unknown[]) => (parts.length === 0 ? '' : describeValue(schema, fromParts(parts, from)));
  return { from: inWords(removed), to: inWords(added) };
}

/** Returns the entries of a list, or the lines of a long text. */
function toParts(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) return value;
  return typeof value === 'string' && value.includes('\n') ? value.split('\n') : undefined;
}

const fromParts = (parts: unknown[], like: unknown) => (Array.isArray(like) ? parts : parts.join('\n'));
