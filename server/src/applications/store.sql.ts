// The store of applications in SQL.
import type { Selectable } from 'kysely';
import type { Instant } from '../foundation/clock.ts';
import type { ApplicationTable, Database, Statements } from '../storage/database.ts';
import type { Application } from './application.ts';

/**
 * An application with the keyed hashes of its client secrets. The former one is valid until `formerUntil`. `untrustedSince`: when an
 * administrator changed it who lacks permissions of this service. Null: who saved it last has them all.
 */
export type StoredApplication = Application & {
  readonly secretMac: string | null;
  readonly formerSecretMac: string | null;
  readonly formerUntil: Instant | null;
  readonly untrustedSince: Instant | null;
};

/** What verifies a client secret. */
export type StoredSecret = Pick<StoredApplication, 'secretMac' | 'formerSecretMac' | 'formerUntil' | 'isEnabled'>;

const toApplication = (row: Selectable<ApplicationTable>): StoredApplication => ({
  ...JSON.parse(row.settings),
  id: row.id,
  clientId: row.client_id,
  name: row.name,
  kind: row.kind,
  frontEnd: row.front_end,
  isEnabled: row.is_enabled === 1,
  createdAt: row.created_at,
  secretMac: row.secret_mac,
  formerSecretMac: row.former_secret_mac,
  formerUntil: row.former_until,
  untrustedSince: row.untrusted_since,
});

function toRow(application: StoredApplication): ApplicationTable {
  const { id, clientId, name, kind, frontEnd, isEnabled, createdAt, ...rest } = application;
  const { secretMac, formerSecretMac, formerUntil, untrustedSince, ...settings } = rest;
  return {
    id,
    client_id: clientId,
    name,
    kind,
    settings: JSON.stringify(settings),
    front_end: frontEnd,
    is_enabled: isEnabled ? 1 : 0,
    secret_mac: secretMac,
    former_secret_mac: formerSecretMac,
    former_until: formerUntil,
    untrusted_since: untrustedSince,
    created_at: createdAt,
  };
}

export type ApplicationStore = ReturnType<typeof createApplicationStore>;

export function createApplicationStore(database: Database) {
  const readSecret = database.keyedReader({
    table: 'application',
    key: 'id',
    columns: ['id', 'is_enabled', 'secret_mac', 'former_secret_mac', 'former_until'],
  });
  const select = (on: Statements, id: string) => on.selectFrom('application').selectAll().where('id', '=', id);
  const isShared = database.engine === 'postgres';
  return {
    /** Returns all applications, the oldest first. */
    async readAll(on: Statements = database.sql): Promise<StoredApplication[]> {
      const query = on.selectFrom('application').selectAll().orderBy('created_at').orderBy('id');
      return (await query.execute()).map(toApplication);
    },
    async countIn(on: Statements): Promise<number> {
      const row = await on
        .selectFrom('application')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      return Number(row.count);
    },
    async find(id: string, on: Statements = database.sql): Promise<StoredApplication | undefined> {
      const row = await select(on, id).executeTakeFirst();
      return row && toApplication(row);
    },
    /** Returns what verifies a client secret, as committed now. */
    async findSecret(id: string): Promise<StoredSecret | undefined> {
      const row = await readSecret(id);
      return (
        row && {
          secretMac: row.secret_mac,
          formerSecretMac: row.former_secret_mac,
          formerUntil: row.former_until,
          isEnabled: row.is_enabled === 1,
        }
      );
    },
    /** Returns the application, which other transactions cannot change until this one ends. SQLite runs one at a time. */
    async hold(on: Statements, id: string): Promise<StoredApplication | undefined> {
      const row = await select(on, id)
        .$if(isShared, (query) => query.forShare())
        .executeTakeFirst();
      return row && toApplication(row);
    },
    /** Returns the application, which other transactions can neither change nor hold until this one ends. */
    async findForUpdate(on: Statements, id: string): Promise<StoredApplication | undefined> {
      const row = await select(on, id)
        .$if(isShared, (query) => query.forUpdate())
        .executeTakeFirst();
      return row && toApplication(row);
    },
    /** Adds an application. @throws UniqueViolation when its client id is taken. */
    async add(on: Statements, application: StoredApplication): Promise<void> {
      await on.insertInto('application').values(toRow(application)).execute();
    },
    async replace(on: Statements, application: StoredApplication): Promise<void> {
      await on.updateTable('application').set(toRow(application)).where('id', '=', application.id).execute();
    },
    async remove(on: Statements, id: string): Promise<void> {
      await on.deleteFrom('application').where('id', '=', id).execute();
    },
    /** Moves the applications of a front end to another one. */
    async moveFrontEnd(on: Statements, from: string, to: string): Promise<void> {
      // The change of a person's roles holds several of them as well.
      await database.lockInOrder(on.selectFrom('application').select('id').where('front_end', '=', from));
      await on.updateTable('application').set({ front_end: to }).where('front_end', '=', from).execute();
    },
  };
}
