// The store of what belongs to the users of an import: hashes, identities and others of a million users do not fit into memory.
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { Lookups, Values } from 'latchkey-user-files';
import { errorCodeOf, errorMessageOf } from '../foundation/errors.ts';
import { CommandFailure } from './command.ts';

export type LookupStore = Lookups & { close(): void };

/**
 * Creates a store in a file without a name, which is gone when it is closed. It exists from the first value on.
 * `add` and `find` throw CommandFailure if the file cannot grow.
 */
export function createLookupStore(): LookupStore {
  let store: ReturnType<typeof openStore> | undefined;
  return {
    add(table, key, values) {
      onDisk(() => {
        store ??= openStore();
        store.add(table, key, values);
      });
    },
    find: (table, key) => onDisk(() => store?.find(table, key) ?? []),
    close: () => store?.close(),
  };
}

/** Runs work on the file. SQLite keeps it in the folder for temporary files. @throws CommandFailure */
function onDisk<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (errorCodeOf(error) !== 'ERR_SQLITE_ERROR') throw error;
    throw new CommandFailure(
      `Cannot keep what belongs to the users in a temporary file (${errorMessageOf(error)}): set TMPDIR to a folder that is writable and has more space.`,
    );
  }
}

function openStore() {
  const database = new DatabaseSync('');
  database.exec('pragma journal_mode = off; pragma synchronous = off');
  database.exec('create table lookup (name text not null, key text not null, content text not null); begin');
  const insert = database.prepare('insert into lookup (name, key, content) values (?, ?, ?)');
  let select: StatementSync | undefined;

  return {
    add(name: string, key: string, values: Values) {
      insert.run(name, key, JSON.stringify(values));
    },
    find(name: string, key: string): Values[] {
      if (!select) {
        database.exec('create index lookup_by_key on lookup (name, key)');
        select = database.prepare('select content from lookup where name = ? and key = ? order by rowid');
      }
      return select.all(name, key).map(({ content }): Values => JSON.parse(String(content)));
    },
    close: () => database.close(),
  };
}
