// latchkey keys: lists the keys that sign tokens, and makes the next one.
import { CommandFailure, defineCommand } from './command.ts';
import { print, printTable, toMoment } from './output.ts';
import { withService } from './service.ts';

const list = defineCommand({
  name: 'keys list',
  about: 'List the keys that verify tokens, the newest last.',
  takes: [],
  options: {},
  async run() {
    await withService(
      async (service) => {
        printKeys(await readKeys(service), service.keys);
        const forIdTokens = await readKeys(service, 'id_token_key');
        if (forIdTokens.length === 0) return;
        print('\nRS256, for ID tokens of applications:');
        printKeys(forIdTokens, service.idTokenKeys);
      },
      { isStored: true },
    );
    return undefined;
  },
});

const rotate = defineCommand({
  name: 'keys rotate',
  about: 'Make the next signing key. It signs ten minutes after it is published. Users stay signed in.',
  takes: [],
  options: {
    compromised: {
      type: 'boolean',
      about: 'Sign with it at once and delete all older keys. All users must sign in again.',
    },
  },
  async run({ compromised = false }) {
    await withService(
      async (service) => {
        const kid = await service.keys.rotate({ compromised });
        const key = (await readKeys(service)).find((one) => one.kid === kid);
        if (!key)
          throw new CommandFailure(
            `Another rotation has deleted key ${kid} since it was made. See: latchkey keys list`,
          );
        print(`Made key ${kid}; it signs from ${toMoment(key.activeFrom)}.`);
        if (compromised) print('All older keys are deleted, and the tokens that they signed are revoked.');
      },
      { isStored: true },
    );
    return undefined;
  },
});

export const keyCommands = [list, rotate];

type Service = Parameters<Parameters<typeof withService>[0]>[0];

async function readKeys({ database }: Service, table?: 'id_token_key') {
  const { createKeyStore } = await import('../tokens/index.ts');
  return createKeyStore(table).readAll(database.sql);
}

function printKeys(keys: Awaited<ReturnType<typeof readKeys>>, ring: Service['keys']): void {
  const { kid: signing } = ring.signingKey();
  const signs = keys.findIndex(({ kid }) => kid === signing);
  const states = keys.map((_, index) => (index < signs ? 'verifies' : index === signs ? 'signs' : 'next'));
  const rows = keys.map((key, index) => [
    String(key.number),
    key.kid,
    states[index] ?? '',
    toMoment(key.createdAt),
    toMoment(key.activeFrom),
  ]);
  printTable(['NUMBER', 'KID', 'STATE', 'MADE', 'SIGNS FROM'], rows);
}
