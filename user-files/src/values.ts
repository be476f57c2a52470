// What a value of a file means: nothing, yes or no, a time, a list, an object. Databases and spreadsheets write them in many ways.
import type { Values } from './entry.ts';

/** Marks without width or ink, which spreadsheets and web pages leave around texts. */
const INVISIBLE = /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;

const bare = (text: string) => text.replace(INVISIBLE, '').trim();

/** Texts that databases and their tools write where there is no value. `Null` is a surname. */
const NOTHING: readonly string[] = ['', 'NULL', 'null', '\\N'];

/** Whether the value says that there is nothing. */
export const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'string' && NOTHING.includes(bare(value)));

/** Yes and no, as databases, and spreadsheets in many languages, write them. Access writes -1 for yes. The last words are of Google Workspace. */
const flags: ReadonlyMap<string, boolean> = new Map(
  [
    ...'true t yes y on x 1 -1 ja j wahr oui vrai si sí verdadero vero sim verdadeiro waar sant sand sann tak prawda evet doğru да истина active'
      .split(' ')
      .map((word) => [word, true] as const),
    ...'false f no n off 0 nein nee falsch non faux falso não nao onwaar nej nei falskt falsk usann nie fałsz hayır yanliş нет ложь suspended archived'
      .split(' ')
      .map((word) => [word, false] as const),
  ].map(([word, flag]) => [foldCase(word), flag]),
);

/** Unites texts that differ only in case or spelling. */
function foldCase(text: string): string {
  return text.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase().normalize('NFKC');
}

/** Returns the flag that a text or number stands for, or `undefined`. */
export const readFlag = (value: unknown): boolean | undefined =>
  typeof value === 'boolean'
    ? value
    : typeof value === 'string' || typeof value === 'number'
      ? flags.get(foldCase(bare(String(value))))
      : undefined;

/** Returns the text that a value is, or `undefined` if there is nothing. */
export function readText(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  return typeof value === 'string' && !isNothing(value) ? bare(value) : undefined;
}

/** Above it no numbers would be left that JavaScript, and so every client in a browser, can count. */
export const MAX_ID = 1_000_000_000_000_000;

/** Returns the id that an account keeps, or `undefined` for one that is no whole number above 0. */
export const readId = (id: string | undefined): number | undefined =>
  id !== undefined && /^[1-9]\d{0,15}$/.test(id) && Number(id) <= MAX_ID ? Number(id) : undefined;

/** Later milliseconds than these are no seconds: they are in the year 5138. */
const LATEST_SECONDS = 99_999_999_999;

/**
 * Returns a time in ISO 8601: the text itself, or that of a number of seconds or milliseconds since 1970. `0000-00-00` is nothing, and
 * so is a number that is no time.
 */
export function readTime(value: unknown): string | undefined {
  const text = readText(value);
  if (text === undefined || text.startsWith('0000-00-00')) return undefined;
  if (!/^\d{1,16}(\.\d{1,9})?$/.test(text)) return text;
  const number = Number(text);
  const at = new Date(number > LATEST_SECONDS ? number : number * 1000);
  return number === 0 || Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

/** Returns an object, or the one that a text is in JSON. */
export function readObject(value: unknown): Values | undefined {
  const read = typeof value === 'string' ? parseJson(value) : value;
  return typeof read === 'object' && read !== null && !Array.isArray(read)
    ? Object.fromEntries(Object.entries(read))
    : undefined;
}

/** Returns the items of a list: an array, one in JSON, or one of PostgreSQL (`{a,b}`). Any other value is the only item. */
export function readList(value: unknown): readonly unknown[] {
  if (isNothing(value)) return [];
  const read = typeof value === 'string' && value.startsWith('[') ? parseJson(value) : value;
  if (Array.isArray(read)) return read.filter((item) => !isNothing(item));
  const [, inner] = typeof value === 'string' ? (/^\{(.*)\}$/s.exec(value) ?? []) : [];
  if (inner === undefined || readObject(value)) return [value];
  return inner
    .split(',')
    .map((item) => item.replace(/^"(.*)"$/s, '$1'))
    .filter((item) => !isNothing(item));
}

/** Values that are nested more deeply are not read: what works on them calls itself for each level. */
export const MAX_DEPTH = 64;

/** Returns what the text is in JSON, or `undefined`, also for what is nested too deeply. */
function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isFlat(value, MAX_DEPTH) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isFlat = (value: unknown, levels: number): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (levels > 0 && Object.values(value).every((member) => isFlat(member, levels - 1)));
