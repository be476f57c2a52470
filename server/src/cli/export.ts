// latchkey export users: writes all accounts to a file that `latchkey import users` takes.
import { Readable } from 'node:stream';
import { defineCommand } from './command.ts';
import { writeNewFile } from './new-file.ts';
import { print, printProgress } from './output.ts';
import { byCommandLine, withService } from './service.ts';

const exportUsers = defineCommand({
  name: 'export users',
  about: 'Write all accounts with their ids, roles and external logins as JSON lines to a new FILE.',
  takes: ['FILE'],
  options: {
    'with-credentials': {
      type: 'boolean',
      about: 'Write also password hashes, secrets of authenticator apps, and passkeys. Keep such a file encrypted.',
    },
  },
  async run({ 'with-credentials': withCredentials = false }, [file = '']) {
    let total = 0;
    await withService(
      async (service) => {
        const [{ createLineExport }, { createAccountImportStore }] = await Promise.all([
          import('../account-import/index.ts'),
          import('../accounts/index.ts'),
        ]);
        const imports = createAccountImportStore(service.database);
        const pieces = await createLineExport({ ...service, imports }).export(withCredentials, await byCommandLine());
        const texts = async function* () {
          for await (const { text, count } of pieces) {
            yield text;
            total += count;
          }
        };
        await writeNewFile(file, Readable.from(texts()));
      },
      { isStored: true },
    );
    print(`Exported ${total} users to ${file}. To import them: latchkey import users ${file}`);
    if (withCredentials)
      printProgress(
        'The file has password hashes, secrets of authenticator apps and passkeys: who reads it can make codes and guess passwords. Keep it encrypted, and delete it after the import.',
      );
    return undefined;
  },
});

export const exportCommands = [exportUsers];
