// latchkey applications: registers, lists and deletes the applications that people sign in to, and replaces client secrets.
import type { Service } from '../app/compose.ts';
import { CommandFailure, defineCommand, UsageError } from './command.ts';
import { print, printProgress, printTable, toMoment } from './output.ts';
import { byCommandLine, withService } from './service.ts';

const list = (about: string, value: string) => ({ type: 'string', multiple: true, value, about }) as const;

const create = defineCommand({
  name: 'applications create',
  about: 'Register an application that people sign in to with this service, and print its client secret once.',
  takes: ['NAME'],
  options: {
    kind: { type: 'string', value: 'KIND', about: 'web, browser, native or machine. web by default.' },
    'client-id': { type: 'string', value: 'ID', about: 'Its client id. By default the service makes one.' },
    'redirect-uri': list('Where people come back to after the sign-in, exactly. May be repeated.', 'URI'),
    'post-logout-redirect-uri': list('Where people may come back to after the sign-out. May be repeated.', 'URI'),
    'backchannel-logout-uri': { type: 'string', value: 'URI', about: 'Where the service tells that a session ended.' },
    scope: list('A scope that it may ask. By default all that people have. May be repeated.', 'SCOPE'),
    resource: list('What it may ask tokens for, besides itself. May be repeated.', 'NAME'),
    role: list('Only people with one of these roles may sign in. May be repeated.', 'ROLE'),
    pkce: { type: 'string', value: 'RULE', about: 'orNonce, required or optional: for the kind web.' },
    'ask-consent': { type: 'boolean', about: 'Ask each person once before anything is shared.' },
  },
  async run(values, [name = '']) {
    const [{ ApplicationMembers }, { checkInput }] = await Promise.all([
      import('../applications/index.ts'),
      import('../contract/input.ts'),
    ]);
    const members = {
      name,
      kind: values.kind ?? 'web',
      clientId: values['client-id'],
      redirectUris: values['redirect-uri'],
      postLogoutRedirectUris: values['post-logout-redirect-uri'],
      backchannelLogoutUri: values['backchannel-logout-uri'],
      scopes: values.scope,
      resources: values.resource,
      allowedRoles: values.role,
      pkce: values.pkce,
      consent: values['ask-consent'] ? 'ask' : undefined,
    };
    const given = Object.entries(members).filter(([, value]) => value !== undefined);
    const input = checkInput(ApplicationMembers, Object.fromEntries(given));
    await withService(async ({ applications }) => {
      const { application, clientSecret } = await applications.create(input, await byCommandLine());
      printProgress(`Registered the application ${application.id} with the client id ${application.clientId}.`);
      if (clientSecret === null) return;
      // Alone on standard output, so that a script can take it.
      print(clientSecret);
      printProgress('Its client secret is shown only once.');
    });
    return undefined;
  },
});

const listAll = defineCommand({
  name: 'applications list',
  about: 'List the applications, the oldest first.',
  takes: [],
  options: {},
  async run() {
    await withService(async ({ applications }) => {
      const rows = (await applications.readAll()).map(({ id, clientId, name, kind, isEnabled, createdAt }) => [
        id,
        isEnabled ? 'enabled' : 'disabled',
        kind,
        toMoment(createdAt),
        clientId,
        name,
      ]);
      printTable(['ID', 'STATE', 'KIND', 'REGISTERED', 'CLIENT ID', 'NAME'], rows);
    });
    return undefined;
  },
});

const show = defineCommand({
  name: 'applications show',
  about: 'Show all that is set of an application, as JSON. Its client secret is not stored.',
  takes: ['ID'],
  options: {},
  async run(_, [given = '']) {
    await withService(async (service) => {
      const { createdAt, ...application } = await find(service, given);
      const shown = JSON.stringify({ ...application, createdAt: toMoment(createdAt) }, null, 2);
      for (const line of shown.split('\n')) print(line);
    });
    return undefined;
  },
});

/** The longest time for which a former client secret stays valid, in seconds. */
const LONGEST_OVERLAP = 604_800;

const rotateSecret = defineCommand({
  name: 'applications rotate-secret',
  about: 'Give an application another client secret, and print it once.',
  takes: ['ID'],
  options: {
    overlap: {
      type: 'string',
      value: 'SECONDS',
      about: 'For how long the former one stays valid, up to 604800. By default it is invalid at once.',
    },
  },
  async run({ overlap = '0' }, [given = '']) {
    const seconds = /^\d{1,6}$/.test(overlap) ? Number(overlap) : Number.POSITIVE_INFINITY;
    if (seconds > LONGEST_OVERLAP) throw new UsageError('Use a number of seconds from 0 to 604800 as --overlap.');
    await withService(async (service) => {
      const { id } = await find(service, given);
      print(await service.applications.rotateSecret(id, seconds, await byCommandLine()));
      printProgress(
        seconds === 0
          ? 'The secret is shown only once. The former one is invalid.'
          : `The secret is shown only once. The former one stays valid for ${seconds} seconds.`,
      );
    });
    return undefined;
  },
});

const remove = defineCommand({
  name: 'applications delete',
  about: 'Delete an application. People can no longer sign in to it, and its tokens end.',
  takes: ['ID'],
  options: {},
  async run(_, [given = '']) {
    await withService(async (service) => {
      const { id, name } = await find(service, given);
      await service.applications.remove(id, await byCommandLine());
      print(`Deleted the application ${name}.`);
    });
    return undefined;
  },
});

/** Returns the application with this id or client id. @throws CommandFailure if there is none. */
async function find({ applications }: Service, given: string) {
  const all = await applications.readAll();
  const found = all.find(({ clientId }) => clientId === given) ?? all.find(({ id }) => id === given.toLowerCase());
  if (!found)
    throw new CommandFailure(
      `There is no application with the id or client id "${given}". See: latchkey applications list`,
    );
  return found;
}

export const applicationCommands = [create, listAll, show, rotateSecret, remove];
