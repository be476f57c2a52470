// latchkey move: copies everything to another database, from SQLite to PostgreSQL or back.
import { resolve } from 'node:path';
import { CommandFailure, defineCommand } from './command.ts';
import { print } from './output.ts';

export const moveCommand = defineCommand({
  name: 'move',
  about:
    'Copy everything to an empty database, from SQLite to PostgreSQL or back. The service must not run. Tokens stay valid.',
  takes: [],
  options: {
    to: {
      type: 'string',
      value: 'URL',
      about:
        'The empty database: sqlite:PATH, or postgres://USER@HOST/DATABASE. An address with a password belongs in LATCHKEY_MOVE_TO.',
    },
  },
  async run({ to: given }) {
    const [{ readEnvironment }, { findAddressProblem }, { moveDatabase }, { systemRandom }] = await Promise.all([
      import('../config/environment.ts'),
      import('../storage/addresses.ts'),
      import('../storage/move.ts'),
      import('../foundation/random.ts'),
    ]);
    const { databaseUrl, moveTo, secret, dataDir } = readEnvironment(process.env);
    // Other users of the machine see the arguments of a process, not its variables.
    const [name, to] = given === undefined ? ['LATCHKEY_MOVE_TO', moveTo] : ['--to', given];
    if (to === undefined)
      throw new CommandFailure(
        'Say where to: LATCHKEY_MOVE_TO=postgres://USER:PASSWORD@HOST/DATABASE, or --to sqlite:PATH.',
      );
    const problem = /^sqlite:(?!:memory:$)./.test(to) ? undefined : findAddressProblem(to);
    if (problem) throw new CommandFailure(`${name} ${problem}`);
    if (toPlace(to) === toPlace(databaseUrl))
      throw new CommandFailure(`${name} is the database of LATCHKEY_DATABASE_URL itself.`);
    const { rows, tables } = await moveDatabase(databaseUrl, to, systemRandom);
    print(`Moved ${rows} rows in ${tables} tables. Their numbers and checksums are equal.`);
    print(
      'Start the service with the new LATCHKEY_DATABASE_URL. The former database is unchanged: delete it when all is well.',
    );
    if (secret === undefined)
      print(`Set LATCHKEY_SECRET to what stands in ${dataDir}/secret: the keys are sealed with it.`);
    return undefined;
  },
});

/** Returns one text for all spellings of the path of a file. */
const toPlace = (url: string) => (url.startsWith('sqlite:') ? resolve(url.slice('sqlite:'.length)) : url);
