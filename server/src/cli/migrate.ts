// latchkey migrate: brings the database to this version, with a role that may change tables.
import { CommandFailure, defineCommand } from './command.ts';
import { explain } from './failures.ts';
import { print } from './output.ts';

export const migrateCommand = defineCommand({
  name: 'migrate',
  about: 'Bring the database to this version, with the role in LATCHKEY_MIGRATION_DATABASE_URL if it is set.',
  takes: [],
  options: {},
  async run() {
    const [
      { readEnvironment },
      { openDatabase },
      { countApplied },
      { migrations },
      { findSchemaToGrant, grantsTo, roleOf },
    ] = await Promise.all([
      import('../config/environment.ts'),
      import('../storage/open.ts'),
      import('../storage/migrate.ts'),
      import('../storage/migrations/index.ts'),
      import('../storage/rights.ts'),
    ]);
    const { databaseUrl, migrationDatabaseUrl } = readEnvironment(process.env);
    const database = await openDatabase(migrationDatabaseUrl ?? databaseUrl, { onNotice: print }).catch(
      async (error) => {
        if (migrationDatabaseUrl === undefined) throw error;
        throw new CommandFailure(await explain(error, 'LATCHKEY_MIGRATION_DATABASE_URL'));
      },
    );
    try {
      const applied = await countApplied(database.sql, database.engine, migrations);
      print(
        applied > migrations.length
          ? `The database is at version ${applied}, from a newer program: this one knows ${migrations.length} and may go on.`
          : `The database is at version ${applied}, which this program needs.`,
      );
      const role = roleOf(databaseUrl);
      if (migrationDatabaseUrl === undefined || role === undefined || role === roleOf(migrationDatabaseUrl))
        return undefined;
      const schema = await findSchemaToGrant(database.sql, role);
      if (schema === undefined) return undefined;
      throw new CommandFailure(
        `The role ${role} of the service may not use all tables. Run with the role of the migration: ${grantsTo(role, schema)}`,
      );
    } finally {
      await database.close();
    }
  },
});
