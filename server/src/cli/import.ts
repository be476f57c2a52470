// latchkey import users: imports accounts in batches, and reports what it refused or skipped.
import type { FormatName } from 'latchkey-user-files';
import { formatNames } from 'latchkey-user-files/names';
import type {
  BroughtNotes,
  ColumnNotes,
  Consent,
  ImportedAccount,
  ImportOutcome,
  ReadLine,
} from '../account-import/index.ts';
import type { Service } from '../app/compose.ts';
import type { FirebaseProject } from '../passwords/index.ts';
import { CommandFailure, defineCommand, UsageError } from './command.ts';
import { readSmallFile } from './import-file.ts';
import { describeNotes, openReport, type Result, reportOption } from './import-report.ts';
import { importRoles } from './import-roles.ts';
import { print } from './output.ts';
import { withService } from './service.ts';
import type { GivenUser, ImportedFiles } from './user-files.ts';

/** Accounts that are added in one transaction. */
const BATCH = 250;

/** A pause between two batches, so that a running service can write: an embedded database has one writer at a time. */
const PAUSE_MS = 10;

/** The exit code of an import that has skipped users, or whose files lack some, and that has refused none. */
const INCOMPLETE = 3;

const DEACTIVATES = 'deactivated, because it is deleted in the other system';

const LEAVES_FACTORS = 'without the second factors of the file, which only new accounts get';

const KEEPS_PASSWORD = 'with the password that it has, which was changed here since the import';

const importUsers = defineCommand({
  name: 'import users',
  about: 'Import accounts with their ids and password hashes, from files of this service or of other systems.',
  takes: ['FILE...'],
  options: {
    from: {
      type: 'string',
      value: 'SYSTEM',
      about: `Which system the files are of: ${formatNames.join(', ')}. Without it, the content tells.`,
    },
    'dry-run': { type: 'boolean', about: 'Check every line, change nothing, and show in a table what would happen.' },
    ...reportOption,
    update: {
      type: 'boolean',
      about: 'Change accounts that were imported before. Without it they are refused as taken.',
    },
    'overwrite-passwords': {
      type: 'boolean',
      about: 'With --update: replace also passwords that were changed here since the import.',
    },
    renumber: {
      type: 'boolean',
      about: 'Give an account a new id if its own is taken. Without it the line is refused.',
    },
    'allow-new-roles': {
      type: 'boolean',
      about: 'Add roles that do not exist here. They grant nothing. Without it their users are refused.',
    },
    'allow-administrators': {
      type: 'boolean',
      about: 'Give users roles that grant permissions of this service. Without it they are refused.',
    },
    'without-passwords': {
      type: 'boolean',
      about: 'Import all users without a password, whatever their hashes are. They reset it, or you invite them.',
    },
    'without-factors': {
      type: 'boolean',
      about: 'Import all users without authenticator apps and passkeys. They set them up here.',
    },
    'rp-id': {
      type: 'string',
      value: 'DOMAIN',
      about: 'The domain that passkeys are bound to, if the file does not say it.',
    },
    'hash-config': {
      type: 'string',
      value: 'FILE',
      about: 'The password hash parameters of a Firebase project, as its console shows them or as JSON.',
    },
    tenant: { type: 'string', value: 'ID', about: 'Import the users of this tenant. Without it, those of no tenant.' },
  },
  async run(options, given) {
    const { 'dry-run': isDry = false, update = false, renumber = false } = options;
    const overwritePasswords = options['overwrite-passwords'] ?? false;
    if (overwritePasswords && !update) throw new UsageError('--overwrite-passwords needs --update.');
    const [tenant, from] = [parseTenant(options.tenant), parseFrom(options.from)];
    const { openImportedFiles } = await import('./user-files.ts');
    const files = await openImportedFiles(given, { from, rpId: options['rp-id'] });
    const hashConfig = options['hash-config'];
    const project = hashConfig === undefined ? undefined : await readHashConfig(hashConfig);
    const without = {
      withoutPasswords: options['without-passwords'] ?? false,
      withoutFactors: options['without-factors'] ?? false,
    };
    const named = { sources: files.paths, things: 'users', nameMember: 'userName', isDry };
    const report = openReport(options.report, named);
    const notes = createNotes();
    const consent = {
      allowNewRoles: options['allow-new-roles'] ?? false,
      allowAdministrators: options['allow-administrators'] ?? false,
    };
    let hasBegun = false;
    try {
      await withService(async (service) => {
        hasBegun = true;
        if (files.about !== undefined) print(files.about);
        const own = { isDry, update, renumber, overwritePasswords, ...without, project, tenant, notes };
        for await (const result of importFile(service, files, { ...own, ...consent })) report.write(result);
      });
    } finally {
      report.close();
      if (hasBegun) report.finish([...files.notes(), ...describeAll(notes, consent)]);
      await files.close();
    }
    if (report.hasRefusals()) return 1;
    return report.hasSkipped() || files.lacksLastPage() ? INCOMPLETE : 0;
  },
});

export const importCommands = [importUsers, importRoles];

/** `providers`: names in external logins that no provider here has. `unasked`: kinds of factors that come along, and are off here. */
type Notes = ColumnNotes & BroughtNotes & { readonly providers: Set<string>; readonly unasked: Set<FactorKind> };

/** The kinds as the setting `Latchkey.Factors` names them. */
type FactorKind = keyof typeof kindNames;

const kindNames = { authenticator: 'authenticator apps', passkeys: 'passkeys' };

const createNotes = (): Notes => ({
  unused: new Set(),
  unknown: new Set(),
  providers: new Set(),
  unasked: new Set(),
  newRoles: new Set(),
  administrators: new Set(),
});

const describeAll = (notes: Notes, consent: Consent) => [
  ...describeNotes(notes),
  ...describeProviders(notes),
  ...describeUnasked(notes),
  ...describeBrought(notes, consent),
];

type FileOptions = Consent & {
  isDry: boolean;
  update: boolean;
  renumber: boolean;
  overwritePasswords: boolean;
  withoutPasswords: boolean;
  withoutFactors: boolean;
  project: FirebaseProject | undefined;
  tenant: number | undefined;
  notes: Notes;
};

/** Yields what becomes of each line, in order. */
async function* importFile(service: Service, files: ImportedFiles, options: FileOptions): AsyncGenerator<Result> {
  const [
    { createAccountImport, readImportLine },
    { createAccountImportStore },
    { operator },
    { systemClock },
    { describeHash },
    { factorSettings },
  ] = await Promise.all([
    import('../account-import/index.ts'),
    import('../accounts/index.ts'),
    import('../app/first-start.ts'),
    import('../foundation/clock.ts'),
    import('../passwords/index.ts').then(({ loadForeignHashes }) => loadForeignHashes()),
    import('../factors/index.ts'),
  ]);
  const { isDry, notes } = options;
  const imports = createAccountImportStore(service.database);
  const importing = createAccountImport({ ...service, imports, clock: systemClock }, options);
  const reading = {
    ...options,
    members: 'any' as const,
    prepare: importing.prepare,
    now: systemClock.now(),
    describeHash: (hash: string, salt?: string) => describeHash(hash, salt, options.project),
  };
  const registered = new Set(service.providers.list().map(({ name }) => name));
  const offered = service.settings.read(factorSettings);
  const by = operator('import');
  const needsPause = !isDry && service.database.engine === 'sqlite';

  await importing.reserveIds(await files.prepare());
  const read = (user: GivenUser) => ('skipped' in user ? user : readImportLine(user, reading));

  async function* flush(batch: readonly ReadLine[]) {
    const ready = batch.filter((line) => 'account' in line);
    const deleted = batch.flatMap((line) => ('skipped' in line && line.deleted ? [line.deleted] : []));
    const deactivated = await importing.deactivate(deleted, by);
    for (const { account } of ready) {
      noteProviders(account, registered, notes.providers);
      if (account.factors.authenticator !== null && !offered.authenticator) notes.unasked.add('authenticator');
      if (account.factors.passkeys.length > 0 && !offered.passkeys) notes.unasked.add('passkeys');
    }
    const outcomes = await importing.import(
      ready.map(({ account }) => account),
      by,
    );
    const byLine = new Map<ReadLine, ImportOutcome | undefined>(ready.map((line, index) => [line, outcomes[index]]));
    for (const line of batch) {
      const gone = 'skipped' in line && line.deleted ? deactivated.get(line.deleted) : undefined;
      yield gone ? toDeactivation(line, gone) : toResult(line, byLine.get(line));
    }
    if (needsPause) await systemClock.sleep(PAUSE_MS);
  }

  let batch: ReadLine[] = [];
  let hasUsers = false;
  for await (const user of files.users()) {
    const line = read(user);
    if (line) batch.push(line);
    hasUsers ||= batch.length > 0;
    if (batch.length < BATCH) continue;
    yield* flush(batch);
    batch = [];
  }
  yield* flush(batch);
  // A pipe is not read before.
  if (!hasUsers) throw new CommandFailure('The import has got no users: check what writes to the pipe.');
}

function toResult(line: ReadLine, outcome: ImportOutcome | undefined): Result {
  const { entry, userName } = line;
  const named = { entry, ...(userName !== undefined && { name: userName }) };
  if ('skipped' in line) return { ...named, done: 'skipped', reasons: [line.skipped] };
  if ('reasons' in line) return { ...named, done: 'refused', reasons: line.reasons };
  if (outcome === undefined) throw new Error('An import gave no outcome.');
  if (outcome.done === 'refused') return { ...named, ...outcome };
  if (outcome.done !== 'added') return { ...named, done: outcome.done, ...describeLeft(outcome) };
  const { id, former } = outcome;
  if (former.id === undefined && former.personId === undefined) return { ...named, done: 'added' };
  const ids = { ...(former.id !== undefined && { formerId: former.id }), id: id ?? 'new' };
  const personIds = former.personId !== undefined && { formerPersonId: former.personId };
  return { ...named, done: 'added', why: 'with a new id, because its own is taken', more: { ...ids, ...personIds } };
}

/** Returns the result of a line whose account is deleted in the other system, and was imported before. */
function toDeactivation({ entry, userName }: ReadLine, outcome: ImportOutcome): Result {
  const named = { entry, ...(userName !== undefined && { name: userName }) };
  if (outcome.done === 'refused') return { ...named, ...outcome };
  return { ...named, done: 'updated', why: DEACTIVATES, more: { deactivated: true } };
}

/** Says what an update has left as it was. */
function describeLeft({ keepsPassword, leavesFactors }: { keepsPassword: boolean; leavesFactors?: boolean }) {
  const why = [...(keepsPassword ? [KEEPS_PASSWORD] : []), ...(leavesFactors ? [LEAVES_FACTORS] : [])];
  const more = { ...(keepsPassword && { password: 'kept' }), ...(leavesFactors && { factors: 'left out' }) };
  return why.length === 0 ? {} : { why: why.join(', '), more };
}

function noteProviders({ externalLogins }: ImportedAccount, registered: Set<string>, unknown: Set<string>) {
  for (const { provider } of externalLogins) if (!registered.has(provider) && unknown.size < 100) unknown.add(provider);
}

function describeProviders({ providers }: Notes): string[] {
  if (providers.size === 0) return [];
  return [
    `External logins at providers that are not registered here: ${[...providers].join(', ')}. They work when a provider of this name is registered by latchkey providers add with --keep-logins, or by an extension. Logins of the former system itself only keep its ids.`,
  ];
}

/** A person whose second factor is off here signs in with the password alone, which nobody may expect. */
function describeUnasked({ unasked }: Notes): string[] {
  if (unasked.size === 0) return [];
  const kinds = [...unasked].map((kind) => kindNames[kind]).join(' and ');
  return [
    `Users have ${kinds}, which the setting Latchkey.Factors has off: they sign in without them until you turn ${kinds} on.`,
  ];
}

/** Names what needs consent, whether it is given or not. */
function describeBrought({ newRoles, administrators }: BroughtNotes, consent: Consent): string[] {
  const list = (names: Set<string>) => [...names].join(', ');
  const toAdd = consent.allowNewRoles ? 'They grant nothing.' : 'To add them, repeat with --allow-new-roles.';
  const toMake = consent.allowAdministrators ? '' : ' To import them, repeat with --allow-administrators.';
  return [
    ...(newRoles.size > 0 ? [`New roles: ${list(newRoles)}. ${toAdd}`] : []),
    ...(administrators.size > 0 ? [`New administrators: ${list(administrators)}.${toMake}`] : []),
  ];
}

/** Returns the parameters of a Firebase project. @throws CommandFailure if the file has none. */
async function readHashConfig(given: string): Promise<FirebaseProject> {
  const { loadForeignHashes } = await import('../passwords/index.ts');
  const { readFirebaseProject } = await loadForeignHashes();
  const project = readFirebaseProject(readSmallFile(given));
  if (project) return project;
  throw new CommandFailure(
    `${given} has no password hash parameters of Firebase: copy them from the console, under Authentication, Users, Password hash parameters.`,
  );
}

function parseFrom(text: string | undefined): FormatName | undefined {
  const found = formatNames.find((name) => name === text);
  if (text !== undefined && found === undefined)
    throw new UsageError(`--from takes one of: ${formatNames.join(', ')}.`);
  return found;
}

function parseTenant(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text)) throw new UsageError('--tenant takes the number of a tenant, such as --tenant 1.');
  return Number(text);
}
