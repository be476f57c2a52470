// latchkey service-keys: makes, lists and withdraws the keys with which other services call this one.
import { readName } from '../foundation/typed-text.ts';
import { defineCommand, UsageError } from './command.ts';
import { print, printProgress, printTable, toMoment } from './output.ts';
import { byCommandLine, withService } from './service.ts';

const create = defineCommand({
  name: 'service-keys create',
  about: 'Make a key with which another service calls this one, and print it once.',
  takes: ['NAME'],
  options: {
    permissions: {
      type: 'string',
      value: 'LIST',
      about:
        'What the key allows, separated by commas: introspect, revocations, audit, or manage and what it may manage: pages:maintenance, Pages.Users, users:resetPassword.',
    },
  },
  async run({ permissions }, [name = '']) {
    if (permissions === undefined)
      throw new UsageError(
        'Say what the key allows: --permissions introspect,revocations,audit. Each may be left out.',
      );
    const [{ ServiceKeyMembers }, { checkInput }] = await Promise.all([
      import('../service-keys/index.ts'),
      import('../contract/input.ts'),
    ]);
    const input = checkInput(ServiceKeyMembers, { name, permissions: permissions.split(',').map((one) => one.trim()) });
    await withService(async ({ serviceKeys }) => {
      const key = await serviceKeys.create(input, await byCommandLine());
      // Alone on standard output, so that a script can take it.
      print(key);
      printProgress(`Made the service key ${input.name}. It is shown only once.`);
    });
    return undefined;
  },
});

const list = defineCommand({
  name: 'service-keys list',
  about: 'List the service keys in use, the oldest first. The keys themselves are not stored.',
  takes: [],
  options: {},
  async run() {
    await withService(async ({ serviceKeys }) => {
      const rows = (await serviceKeys.list()).map(({ name, permissions, createdAt, lastUsedAt }) => [
        name,
        permissions.join(','),
        toMoment(createdAt),
        lastUsedAt === null ? 'never' : toMoment(lastUsedAt),
      ]);
      printTable(['NAME', 'ALLOWS', 'MADE', 'LAST USED'], rows);
    });
    return undefined;
  },
});

const withdraw = defineCommand({
  name: 'service-keys withdraw',
  about: 'Withdraw a service key: every node refuses it at once.',
  takes: ['NAME'],
  options: {},
  async run(_, [typed = '']) {
    const name = readName(typed);
    await withService(async ({ serviceKeys }) => {
      await serviceKeys.withdraw(name, await byCommandLine());
      print(`Withdrew the service key ${name}.`);
    });
    return undefined;
  },
});

export const serviceKeyCommands = [create, list, withdraw];
