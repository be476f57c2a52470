// Fields: the values of one entry by the names of its columns, however the name is spelled, and which columns nothing has asked for.
import type { Values } from './entry.ts';
import { isNothing, readFlag, readList, readObject, readText, readTime } from './values.ts';

/** The values of an entry. The first name that has a value counts. `Email Verified`, `email_verified` and `emailVerified` are one name. */
export type Fields = {
  has(...names: readonly string[]): boolean;
  /** Whether the entry has this column, also without a value. */
  hasColumn(name: string): boolean;
  raw(...names: readonly string[]): unknown;
  text(...names: readonly string[]): string | undefined;
  flag(...names: readonly string[]): boolean | undefined;
  time(...names: readonly string[]): string | undefined;
  list(...names: readonly string[]): readonly unknown[];
  /** The fields of an object, or of one in JSON. Without it, fields without values. */
  object(...names: readonly string[]): Fields;
  /** The fields of values that stand in this column. */
  within(name: string, values: Values): Fields;
};

/** Names of columns that are noted. A file may have any number. */
const MAX_NOTED = 100;

/** Which columns a file has, and which of them a reader has asked for, by their simplified names. Members of objects have paths: `fields.is_staff`. */
export type Columns = { readonly seen: Map<string, string>; readonly asked: Set<string> };

export const createColumns = (): Columns => ({ seen: new Map(), asked: new Set() });

/** Returns the columns with values that nobody has asked for. */
export const findUnread = ({ seen, asked }: Columns): string[] =>
  [...seen].filter(([key]) => !asked.has(key)).map(([, name]) => name);

const simplified = new Map<string, string>();

/** Returns a name without case, accents, spaces and punctuation. */
export function simplify(name: string): string {
  const known = simplified.get(name);
  if (known !== undefined) return known;
  const simple = name
    .slice(0, 100)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
  // The names of a file are few. Those of a hostile one are not kept.
  if (simplified.size < 10_000) simplified.set(name, simple);
  return simple;
}

const empty: Fields = createFields({}, createColumns());

/**
 * @param columns notes the columns of the entry, and what is asked of them.
 * @param path that of the object, with a dot at its end. Its members are noted once one is asked for: most objects belong to no user.
 */
export function createFields(values: Values, columns: Columns, path = ''): Fields {
  const byName = new Map<string, unknown>();
  const present = new Set<string>();
  const toKey = (name: string) => `${path && `${simplify(path)}.`}${simplify(name)}`;
  for (const [name, value] of Object.entries(values)) {
    const key = simplify(name);
    present.add(key);
    if (!isNothing(value) && !byName.has(key)) byName.set(key, value);
  }
  let isNoted = false;
  const note = () => {
    if (isNoted) return;
    isNoted = true;
    for (const [name, value] of Object.entries(values)) {
      if (!isEmpty(value) && columns.seen.size < MAX_NOTED) columns.seen.set(toKey(name), `${path}${name}`);
    }
  };
  if (path === '') note();
  const raw: Fields['raw'] = (...names) => {
    note();
    let found: unknown;
    for (const name of names) {
      columns.asked.add(toKey(name));
      found ??= byName.get(simplify(name));
    }
    return found;
  };
  const within: Fields['within'] = (name, inner) => createFields(inner, columns, `${path}${name}.`);
  return {
    within,
    raw,
    has: (...names) => names.every((name) => byName.has(simplify(name))),
    hasColumn: (name) => present.has(simplify(name)),
    text: (...names) => readText(raw(...names)),
    flag: (...names) => readFlag(raw(...names)),
    time: (...names) => readTime(raw(...names)),
    list: (...names) => readList(raw(...names)),
    object(...names) {
      const [name = ''] = names;
      const object = readObject(raw(...names));
      return object ? within(name, object) : empty;
    },
  };
}

const isEmpty = (value: unknown) => isNothing(value) || (Array.isArray(value) && value.length === 0);
