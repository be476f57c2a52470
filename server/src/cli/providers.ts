// latchkey providers: registers, lists, changes, tries and removes the external providers that people sign in with.
import type { Service } from '../app/compose.ts';
import type { DescribedProvider } from '../providers/index.ts';
import { CommandFailure, defineCommand, type Values } from './command.ts';
import { readSmallFile } from './import-file.ts';
import { print, printProgress, printTable, toMoment } from './output.ts';
import { readPassword } from './passwords.ts';
import { byCommandLine, withService } from './service.ts';

const text = (value: string, about: string) => ({ type: 'string', value, about }) as const;
const list = (value: string, about: string) => ({ type: 'string', multiple: true, value, about }) as const;

/** What both a new provider and a change take. */
const settings = {
  'client-secret-stdin': { type: 'boolean', about: 'Read the client secret from standard input.' },
  'private-key-file': text('FILE', 'The file with the private key: for the type apple.'),
  'display-name': text('TEXT', 'What people see. By default the name.'),
  issuer: text('URL', 'The issuer: for the type oidc, and for another GitLab than gitlab.com.'),
  tenant: text('GUID', 'The directory id: for the type microsoft.'),
  'authorization-endpoint': text('URL', 'For the type oauth2, with --token-endpoint and --userinfo-endpoint.'),
  'token-endpoint': text('URL', 'For the type oauth2.'),
  'userinfo-endpoint': text('URL', 'For the type oauth2.'),
  'emails-endpoint': text('URL', 'For the type oauth2: where it lists the addresses of a person.'),
  scope: list('SCOPE', 'A scope to ask. By default the usual ones of the type. May be repeated.'),
  parameter: list('NAME=VALUE', 'A further parameter of the request. May be repeated.'),
  claim: list('MEMBER=CLAIM', 'Which claim is providerKey, name, surname or emailAddress. May be repeated.'),
  'email-trust': text('RULE', 'verified or always: whether the operator vouches for its addresses.'),
  'allowed-domain': list('DOMAIN', 'Only addresses of these domains may register. May be repeated.'),
  'registers-new-users': text('yes|no', 'Whether new people may register. yes by default.'),
  'role-for-new-users': text('ROLE', 'The role that a new account gets.'),
  'secret-expires-at': text('TIME', 'When the secret expires, such as 2030-01-31T12:00:00Z.'),
  'team-id': text('ID', 'For the type apple.'),
  'key-id': text('ID', 'For the type apple.'),
  disabled: { type: 'boolean', about: 'Nobody can sign in with it.' },
} as const;

/** Returns the members that the options give. */
async function readMembers(values: Values<typeof settings>): Promise<Record<string, unknown>> {
  const file = values['private-key-file'];
  const [authorization, token, userinfo, emails] = (['authorization', 'token', 'userinfo', 'emails'] as const).map(
    (name) => values[`${name}-endpoint`],
  );
  const endpoints = { authorization, token, userinfo, emails };
  const members = {
    clientSecret: values['client-secret-stdin'] ? await readPassword('--client-secret-stdin') : undefined,
    privateKey: file === undefined ? undefined : readSmallFile(file),
    displayName: values['display-name'],
    issuer: values.issuer,
    tenant: values.tenant,
    endpoints: Object.values(endpoints).some((one) => one !== undefined) ? given(endpoints) : undefined,
    scopes: values.scope,
    authorizationParameters: toPairs('parameter', values.parameter),
    claims: toPairs('claim', values.claim),
    emailTrust: values['email-trust'],
    allowedDomains: values['allowed-domain'],
    registersNewUsers: toFlag(values['registers-new-users']),
    roleForNewUsers: values['role-for-new-users'],
    secretExpiresAt: values['secret-expires-at'],
    teamId: values['team-id'],
    keyId: values['key-id'],
    isEnabled: values.disabled ? false : undefined,
  };
  return given(members);
}

const given = (values: object) => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

/** Any other word stays, and is refused. */
const toFlag = (word: string | undefined) => (word === 'yes' ? true : word === 'no' ? false : word);

function toPairs(option: string, words: readonly string[] | undefined) {
  return words && Object.fromEntries(words.map((word) => toPair(option, word)));
}

function toPair(option: string, word: string): [string, string] {
  const at = word.indexOf('=');
  if (at < 1) throw new CommandFailure(`Write --${option} as NAME=VALUE.`);
  return [word.slice(0, at), word.slice(at + 1)];
}

const add = defineCommand({
  name: 'providers add',
  about: 'Register an external provider that people sign in with, and print the redirect URI that it must know.',
  takes: ['TYPE', 'NAME', 'CLIENT-ID'],
  options: {
    ...settings,
    'keep-logins': {
      type: 'boolean',
      about:
        'People who have external logins of this name, of an import or a former provider, sign in by this one: it is the same provider.',
    },
  },
  async run({ 'keep-logins': keepsLogins = false, ...values }, [type, name, clientId]) {
    const [{ ProviderMembers, redirectUriOf, toProviderChanges }, { checkInput }] = await Promise.all([
      import('../providers/index.ts'),
      import('../contract/input.ts'),
    ]);
    const {
      type: checkedType,
      name: checkedName,
      clientId: checkedId,
      ...rest
    } = checkInput(ProviderMembers, {
      type,
      name,
      clientId,
      ...(await readMembers(values)),
    });
    const input = { ...toProviderChanges(rest), type: checkedType, name: checkedName, clientId: checkedId };
    await withService(async ({ externalProviders, issuer }) => {
      const made = await externalProviders.create(input, await byCommandLine(), { keepsLogins });
      printProgress(`Registered the provider ${made.name}. Enter this redirect URI there:`);
      print(redirectUriOf(made, issuer));
      printWarnings(made);
    });
    return undefined;
  },
});

const listAll = defineCommand({
  name: 'providers list',
  about: 'List the registered external providers, the oldest first. Their secrets are not shown.',
  takes: [],
  options: {},
  async run() {
    await withService(async ({ externalProviders }) => {
      const rows = (await externalProviders.readAll()).map((provider) => [
        provider.id,
        provider.isEnabled ? 'enabled' : 'disabled',
        provider.type,
        provider.secretExpiresAt === null ? '' : toMoment(provider.secretExpiresAt),
        provider.clientId,
        provider.name,
      ]);
      printTable(['ID', 'STATE', 'TYPE', 'SECRET EXPIRES', 'CLIENT ID', 'NAME'], rows);
    });
    return undefined;
  },
});

const change = defineCommand({
  name: 'providers change',
  about: 'Change an external provider. What no option names stays.',
  takes: ['NAME'],
  options: {
    ...settings,
    'client-id': text('ID', 'Another client id.'),
    enabled: { type: 'boolean', about: 'People can sign in with it.' },
    public: { type: 'boolean', about: 'Take its client secret away: it is a public client.' },
  },
  async run({ 'client-id': clientId, enabled, public: isPublic, ...values }, [name = '']) {
    const [{ ProviderChangeMembers, toProviderChanges }, { checkInput }] = await Promise.all([
      import('../providers/index.ts'),
      import('../contract/input.ts'),
    ]);
    const members = {
      ...(await readMembers(values)),
      ...given({ clientId, isEnabled: enabled, clientSecret: isPublic ? null : undefined }),
    };
    await withService(async (service) => {
      const found = await find(service, name);
      const { id, ...changes } = checkInput(ProviderChangeMembers, { id: found.id, ...members });
      const changed = await service.externalProviders.update(id, toProviderChanges(changes), await byCommandLine());
      print(`Changed the provider ${found.name}.`);
      printWarnings(changed);
    });
    return undefined;
  },
});

const remove = defineCommand({
  name: 'providers remove',
  about: 'Delete an external provider with all external logins at it. The sessions of their accounts end.',
  takes: ['NAME'],
  options: {},
  async run(_, [name = '']) {
    await withService(async (service) => {
      const found = await find(service, name);
      await service.externalProviders.remove(found.id, await byCommandLine());
      print(`Deleted the provider ${found.name}.`);
    });
    return undefined;
  },
});

const test = defineCommand({
  name: 'providers test',
  about: 'Try an external provider without a person: its addresses, its keys, PKCE and the clock.',
  takes: ['NAME'],
  options: {},
  async run(_, [name = '']) {
    return withService(async (service) => {
      const { id } = await find(service, name);
      const steps = await service.providers.check(await service.externalProviders.open(id));
      printTable(
        ['STEP', 'RESULT', 'MESSAGE'],
        steps.map((step) => [step.name, step.isSuccess ? 'ok' : 'failed', step.message ?? '']),
      );
      return steps.every(({ isSuccess }) => isSuccess) ? undefined : 1;
    });
  },
});

/** On standard error, so that a script reads the answer alone. */
function printWarnings({ warnings }: DescribedProvider): void {
  for (const warning of warnings) printProgress(`Warning: ${warning}`);
}

/** Returns the provider with this name, in any case, or id. @throws CommandFailure if there is none. */
async function find({ externalProviders }: Service, word: string): Promise<DescribedProvider> {
  const key = word.toLowerCase();
  const all = await externalProviders.readAll();
  const found = all.find(({ name }) => name.toLowerCase() === key) ?? all.find(({ id }) => id === key);
  if (!found)
    throw new CommandFailure(
      `There is no external provider with the name or id "${word}". See: latchkey providers list`,
    );
  return found;
}

export const providerCommands = [add, listAll, change, remove, test];
