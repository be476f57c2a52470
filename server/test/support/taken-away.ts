// Statements of a migration that a program of the version before cannot live with.

/** What the statements of one migration have added so far, as `table` and `table.column`. */
type Added = Set<string>;

const name = '"?([a-z_]+)"?';

/** Forms that only add something. The names in them are checked by the function. */
const additions: readonly [RegExp, (added: Added, names: string[]) => boolean][] = [
  // A table of its own: the program before knows none of it.
  [new RegExp(`^create table (?:if not exists )?${name}`), (added, [table = '']) => Boolean(added.add(table))],
  [
    new RegExp(`^alter table ${name} add column ${name} (.*)$`),
    (added, [table = '', column = '', rest = '']) => {
      added.add(`${table}.${column}`);
      // A row that the program before inserts has no value for it.
      return !/unique|check|references|generated/.test(rest) && (!/not null/.test(rest) || /default/.test(rest));
    },
  ],
  [new RegExp(`^create index (?:if not exists )?${name} on ${name}`), () => true],
  // On an existing table it would refuse what the program before stores.
  [
    new RegExp(`^create unique index (?:if not exists )?${name} on ${name}`),
    (added, [, table = '']) => added.has(table),
  ],
  [new RegExp(`^insert into ${name}`), (added, [table = '']) => added.has(table)],
  [new RegExp(`^delete from ${name}`), (added, [table = '']) => added.has(table)],
  [
    new RegExp(`^update ${name} set (.*?)(?: from | where |$)`),
    (added, [table = '', assignments = '']) => {
      const columns = [...assignments.matchAll(new RegExp(`${name} = `, 'g'))].map(([, column]) => column);
      return added.has(table) || columns.every((column) => added.has(`${table}.${column}`));
    },
  ],
  [/^(select|with .* select|pragma table_info)\b/, () => true],
];

/** Returns those of a migration's statements that take something away from the program before, or ask something new of it. */
export function findTakenAway(statements: readonly string[]): string[] {
  const added: Added = new Set();
  return statements
    .map((statement) => statement.toLowerCase().replace(/\s+/g, ' ').trim())
    .filter((statement) => {
      for (const [form, isAdded] of additions) {
        const [, ...names] = form.exec(statement) ?? [];
        if (form.test(statement)) return !isAdded(added, names);
      }
      return true;
    });
}
