// Values in words: for hints beside fields, for the history, and for what two administrators disagree about.
import { countUnits, describeDuration } from '../../ui/format.ts';
import { words } from '../../words/index.ts';
import { type Definition, isRecord, isSame, type Schema } from './definition.ts';

/** What is counted: seconds in the reader's language, anything else as the service names it. */
export const describeUnit = ({ 'x-unit': unit }: Schema) => (unit === 's' ? words.settings.seconds : (unit ?? ''));

function describeNumber(schema: Schema, value: number): string {
  if (schema['x-unit'] !== 's') return `${value} ${describeUnit(schema)}`.trim();
  const exact = countUnits(value, 'second');
  return value < 60 ? exact : `${exact} (${describeDuration(value)})`;
}

export function describeChoice({ enum: choices = [], 'x-labels': labels }: Schema, value: unknown): string {
  return labels?.[choices.indexOf(value as string)] ?? String(value);
}

/** A value in words; those of lists and texts may have several lines. */
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
  const told = members.map(([member, inner]) => [inner.title ?? member, describeValue(inner, value[member])] as const);
  return told.length === 1 ? (told[0]?.[1] ?? '') : told.map(([title, text]) => `${title}: ${text}`).join('\n');
}

/** Ids of list entries are for machines. */
export const isId = (member: string) => member === 'id';

/** A default, where it is short enough to stand beside its field. */
export function describeDefault(schema: Schema, value: unknown): string | undefined {
  const isShort = ['boolean', 'number'].includes(typeof value) || (typeof value === 'string' && value.length <= 60);
  return isShort ? describeValue(schema, value) : undefined;
}

export type Difference = { readonly label: string; readonly from: string; readonly to: string };

/** What differs between two values: each member of a compound; of lists and long texts the entries and lines that do. */
export function findDifferences({ kind, label, schema }: Definition, from: unknown, to: unknown): Difference[] {
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
  const gone = before?.filter(lacks(after ?? [])) ?? [];
  const come = after?.filter(lacks(before ?? [])) ?? [];
  const isPartial = before && after && gone.length + come.length > 0;
  if (!isPartial) return { from: describeValue(schema, from), to: describeValue(schema, to) };
  const inWords = (parts: unknown[]) => (parts.length === 0 ? '' : describeValue(schema, fromParts(parts, from)));
  return { from: inWords(gone), to: inWords(come) };
}

/** Lists have entries, long texts have lines. */
function toParts(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) return value;
  return typeof value === 'string' && value.includes('\n') ? value.split('\n') : undefined;
}

const fromParts = (parts: unknown[], like: unknown) => (Array.isArray(like) ? parts : parts.join('\n'));
