// The files of an import of users: lines of this service as they are, and users of other systems as the same lines.
import type { FormatName, UserFiles, UserRow } from 'latchkey-user-files';
import { describeProblem } from 'latchkey-user-files/lines';
import type { ImportEntry, ReadLine } from '../account-import/index.ts';
import { CommandFailure } from './command.ts';
import { openImportFile, readStats } from './import-file.ts';
import { type ImportSources, openImportSources } from './import-sources.ts';
import { fromCaller } from './paths.ts';

/** A user of the files: a line, or why it is none. */
export type GivenUser = ImportEntry | Extract<ReadLine, { skipped: string }>;

export interface ImportedFiles {
  readonly paths: readonly string[];
  /** What the files were taken for, as a sentence. Absent for lines of this service. */
  readonly about?: string;
  /** Reads what must be known before the first user. @returns the highest id of a user, or 0. */
  prepare(): Promise<number>;
  /** Yields the users, and prints the progress of long files. */
  users(): AsyncGenerator<GivenUser>;
  /** What was left out of the files, in sentences, as far as they were read. */
  notes(): string[];
  /** Whether the files are pages of a list without its last one. */
  lacksLastPage(): boolean;
  close(): Promise<void>;
}

/** How to read the files. `from`: the system; without one the content tells. `rpId`: the domain of passkeys whose file names none. */
type Reading = { readonly from: FormatName | undefined; readonly rpId: string | undefined };

/** @param given paths as the person typed them. @throws CommandFailure if they cannot be imported. */
export async function openImportedFiles(given: readonly string[], how: Reading): Promise<ImportedFiles> {
  const [only = ''] = given;
  const stats = given.length === 1 ? readStats(fromCaller(only), only) : undefined;
  const mayBeOwn = !stats?.isDirectory() && (how.from === undefined || how.from === 'latchkey');
  if (stats?.isDirectory() && how.from === undefined)
    throw new CommandFailure(
      `${only} is a folder: give the path of a file, or say by --from which system all files in it are of.`,
    );
  if (stats && mayBeOwn && !stats.isFile()) return openOwn(only);
  const files = await openImportSources(given);
  const users = await openUsers(files, how);
  const isRefused = 'refused' in users;
  const isEmpty = isRefused && users.isEmpty;
  if (stats && mayBeOwn && !isEmpty && (await isJson(files)) && (isRefused || (await isOwn(users)))) {
    await files.close();
    return openOwn(only);
  }
  if (!isRefused) return toImported(files, users);
  await files.close();
  throw new CommandFailure(users.refused);
}

/** Opens lines of this service, which JSON Lines or an array in UTF-8 holds. A pipe is read once. */
async function openOwn(given: string): Promise<ImportedFiles> {
  const { readId } = await import('../account-import/index.ts');
  const file = openImportFile(given);
  return {
    paths: [file.path],
    async prepare() {
      let highest = 0;
      if (file.isRegular) for await (const entry of file.entries()) highest = Math.max(highest, readId(entry));
      return highest;
    },
    users: () => file.entriesWithProgress(),
    notes: () => [],
    lacksLastPage: () => false,
    close: async () => {},
  };
}

type OpenUsers = UserFiles & { close(): void };

/** Why files cannot be imported, as a sentence. */
type Refused = { readonly refused: string; readonly isEmpty: boolean };

/** Opens the users of the files, or returns why they cannot be imported. */
async function openUsers(files: ImportSources, how: Reading): Promise<OpenUsers | Refused> {
  const [{ FileRefused, openUserFiles }, { describeFault }, { createLookupStore }] = await Promise.all([
    import('latchkey-user-files'),
    import('./import-faults.ts'),
    import('./store.lookups.ts'),
  ]);
  const lookups = createLookupStore();
  try {
    return { ...(await openUserFiles(files.sources, { ...how, lookups })), close: lookups.close };
  } catch (error) {
    if (error instanceof FileRefused) return { refused: describeFault(error), isEmpty: error.fault.why === 'empty' };
    throw error;
  }
}

const toImported = (files: ImportSources, users: OpenUsers): ImportedFiles => ({
  paths: files.paths,
  about: describeFiles(users),
  async prepare() {
    const { highestId } = await users.prepare();
    await files.requireUnchanged();
    return highestId;
  },
  async *users() {
    for await (const row of files.withProgress(users.rows())) yield toGiven(row);
    await files.requireUnchanged();
  },
  notes: () => describeLeftOut(users),
  lacksLastPage: users.lacksLastPage,
  async close() {
    await files.close();
    users.close();
  },
});

/**
 * Whether the file has lines of this service or columns of ABP, which are read as they are. The ids of ABP since its version 3
 * are UUIDs, which no account here can have.
 */
async function isOwn({ format, files: [file], rows }: UserFiles): Promise<boolean> {
  if (!file || file.form === 'csv' || file.encoding !== 'utf-8') return false;
  if (format.name === 'latchkey') return hasOwnNames(file);
  if (format.name !== 'abp') return false;
  for await (const row of rows()) if (!('problem' in row)) return 'line' in row && row.line.LoginProvider !== 'abp';
  return true;
}

/** Whether the first entry that can be read has a user name as this service or ABP spells it. */
async function hasOwnNames({ entries }: UserFiles['files'][number]): Promise<boolean> {
  for await (const entry of entries())
    if ('values' in entry) return 'userName' in entry.values || 'UserName' in entry.values;
  return true;
}

/** Whether the file begins as JSON in UTF-8, without compression. */
async function isJson({ sources: [source] }: ImportSources): Promise<boolean> {
  if (!source) return false;
  for await (const chunk of source.open())
    return /^(\u00ef\u00bb\u00bf)?\s*[[{]/.test(Buffer.from(chunk).toString('latin1'));
  return false;
}

/** Returns a user of another system as a line. */
function toGiven(row: UserRow): GivenUser {
  const { kind, number, file } = row;
  const place = { kind, number, ...(file !== undefined && { file }) };
  if ('skipped' in row) {
    const { skipped, userName } = row;
    return { entry: place, skipped, ...(userName !== undefined && { userName }) };
  }
  if ('line' in row) return { ...place, bytes: Buffer.from(JSON.stringify(row.line)) };
  return { ...place, bytes: Buffer.alloc(0), problem: describeProblem(row, row.problem) };
}

const forms = { csv: 'CSV', lines: 'JSON Lines', document: 'JSON' } as const;
const encodings = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16',
  'windows-1252': 'Windows-1252',
} as const;

function describeFiles({ files, format, isGuessed }: UserFiles): string {
  const kinds = new Set(files.map(({ form, encoding }) => `${forms[form]} in ${encodings[encoding]}`));
  const told = isGuessed ? ' To choose another system, add --from.' : '';
  return `Reading ${[...kinds].join(', ')} from ${format.title}.${told}`;
}

const MORE_PAGES =
  'The last page of the list is missing: the other system has more users. Fetch all pages, and give all files.';

function describeLeftOut({ unread, leftOutFactors, lacksLastPage }: UserFiles): string[] {
  const [columns, factors] = [unread(), leftOutFactors()];
  return [
    ...(columns.length > 0 ? [`Columns that have no place here, and were left out: ${columns.join(', ')}.`] : []),
    ...(factors.passkey > 0
      ? [
          `Passkeys that were left out, because the file does not say their domain: ${factors.passkey}. Add --rp-id DOMAIN.`,
        ]
      : []),
    ...(factors.app > 0 ? [`Authenticator apps that were left out, because an account has one: ${factors.app}.`] : []),
    ...(lacksLastPage() ? [MORE_PAGES] : []),
  ];
}
