// The users of one or several files of a system, as lines that the import takes.
import type { Entry, Place, Problem, Values } from './entry.ts';
import { type FactorReading, finishFactors } from './factors.ts';
import { createColumns, createFields, type Fields, findUnread } from './fields.ts';
import { type EntryFile, type FileFault, FileRefused, openFile } from './file.ts';
import { type EntryTable, type Format, type Line, type Lookups, Skip } from './format.ts';
import { latchkey } from './formats/latchkey.ts';
import { formats } from './formats.ts';
import { guessMapping } from './members.ts';
import type { FormatName } from './names.ts';
import type { Source } from './source.ts';
import { isNothing, readId, readText } from './values.ts';

/** Why files cannot be imported. */
export type UserFilesFault =
  | FileFault
  /** The files hold no users of this system. `looksLike`: the one of which they do. */
  | { readonly why: 'otherFormat'; readonly title: string; readonly looksLike: string | undefined }
  /** The files are of several systems. */
  | { readonly why: 'mixed'; readonly titles: readonly string[] }
  /** The files hold no users: no column is known, or they hold only what belongs to users. */
  | { readonly why: 'noUsers' };

/** What became of an entry: a line for the import, or why it is none. */
export type UserRow = Place &
  (
    | { readonly line: Line }
    | { readonly skipped: string; readonly userName: string | undefined }
    | { readonly problem: Problem }
  );

export type UserFiles = {
  readonly format: Pick<Format, 'name' | 'title'>;
  /** Whether nobody has said which system the files are of. */
  readonly isGuessed: boolean;
  readonly files: readonly Pick<EntryFile, 'name' | 'form' | 'encoding' | 'columns' | 'entries'>[];
  /** Reads what belongs to users. @returns the highest id that a user has, or 0. */
  prepare(): Promise<{ highestId: number }>;
  /** Yields the users. What belongs to them comes from `prepare`. */
  rows(): AsyncGenerator<UserRow>;
  /** Returns the columns with values that became nothing, as far as rows were read. */
  unread(): readonly string[];
  /**
   * Returns how many factors were left out, as far as rows were read: passkeys because nothing says which domain they are bound to, and
   * apps because their owner has another one.
   */
  leftOutFactors(): { readonly passkey: number; readonly app: number };
  /** Returns whether the files are pages of a list, and its last page is not among them. `prepare` finds that out. */
  lacksLastPage(): boolean;
};

/** Entries by which a format is told. */
const SAMPLES = 50;

/** What an answer has if another page follows: Microsoft Graph, Cognito, its command line, and Firebase. */
const nextPages = ['@odata.nextLink', 'PaginationToken', 'NextToken', 'nextPageToken'];

type Readable = Entry & { readonly values: Values };

/**
 * Opens the files of one system.
 * @param from the system. Without one, it is guessed.
 * @param rpId the domain of passkeys whose file names none.
 * @throws FileRefused
 */
export async function openUserFiles(
  sources: readonly Source[],
  { from, rpId, lookups }: { from?: FormatName | undefined; rpId?: string | undefined; lookups: Lookups },
): Promise<UserFiles> {
  const files = await Promise.all(sources.map((source) => openFile(source, findColumns)));
  const [{ name } = { name: '' }] = files;
  const beginnings = await Promise.all(files.map(readBeginning));
  if (beginnings.flat().every(({ isFrame }) => isFrame)) throw refuse(name, { why: 'empty' });
  const samples = beginnings.map((entries) => entries.filter(isReadable));
  const guessed = guessFormat(files, samples);
  const format = formats.find(({ name }) => name === (from ?? guessed.name)) ?? guessed;
  if (samples.flat().length === 0 || (await hasUser(format, files))) {
    return createUserFiles({ format, rpId, isGuessed: from === undefined, files, lookups });
  }
  if (format === guessed) throw refuse(name, { why: 'noUsers' });
  throw refuse(name, { why: 'otherFormat', title: format.title, looksLike: guessed.title });
}

const refuse = (file: string, fault: UserFilesFault) => new FileRefused(file, fault);

const findColumns = (first: readonly string[]) =>
  formats.map(({ columnsOf }) => columnsOf?.(first)).find((columns) => columns !== undefined);

/** Returns the first entries. */
async function readBeginning(file: EntryFile): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const entry of file.entries()) if (entries.push(entry) >= SAMPLES) break;
  return entries;
}

const isReadable = (entry: Entry): entry is Readable => 'values' in entry;

/** Returns the table of the format that reads the entry. */
function findTable({ tables }: Format, entry: Readable, fields = createFields(entry.values, createColumns())) {
  return tables.find(({ is }) => is(entry, fields));
}

/** Whether there is a user, who may stand behind thousands of other entries, such as the permissions of Django. */
async function hasUser(format: Format, files: readonly EntryFile[]): Promise<boolean> {
  for (const file of files)
    for await (const entry of file.entries()) if (isReadable(entry) && findTable(format, entry)?.read) return true;
  return false;
}

/** Whether a column is likely to have password hashes, and has a value. */
const hasHash = ({ values }: Readable) =>
  Object.entries(guessMapping(Object.keys(values))).some(
    ([name, member]) => member === 'passwordHash' && !isNothing(values[name]),
  );

/** Returns the first format that has a table for each file. @throws FileRefused */
function guessFormat(files: readonly EntryFile[], samples: readonly (readonly Readable[])[]): Format {
  const isOf = (format: Format, entries: readonly Readable[]) =>
    entries.some((entry) => findTable(format, entry) && !(format.hasNoHashes && hasHash(entry)));
  // An empty page tells nothing if there are others.
  const hasItems = (entries: readonly Readable[]) => entries.some(({ isFrame }) => !isFrame);
  const filled = samples.filter(samples.some(hasItems) ? hasItems : (entries) => entries.length > 0);
  // Entries that cannot be read tell nothing.
  if (filled.length === 0) return latchkey;
  const found = formats.find((format) => filled.every((entries) => isOf(format, entries)));
  if (found) return found;
  const each = filled.map((entries) => formats.find((format) => isOf(format, entries)));
  const unknown = filled[each.indexOf(undefined)];
  if (unknown) throw refuse(files[samples.indexOf(unknown)]?.name ?? '', { why: 'noUsers' });
  const titles = new Set(each.flatMap((format) => format?.title ?? []));
  throw refuse(files.map(({ name }) => name).join(', '), { why: 'mixed', titles: [...titles] });
}

function createUserFiles(given: {
  format: Format;
  rpId: string | undefined;
  isGuessed: boolean;
  files: readonly EntryFile[];
  lookups: Lookups;
}): UserFiles {
  const { format, rpId, isGuessed, files, lookups } = given;
  const columns = createColumns();
  /** Whether the files have users besides entries that are users only where there are no others. */
  let hasUsers = false;
  const leftOut = { passkey: 0, app: 0 };
  /** Of each document around users: whether another page follows it. */
  const pages = new Set<boolean>();
  const reading: FactorReading = {
    rpId,
    leaveOut(kind) {
      leftOut[kind] += 1;
    },
  };

  async function* entries(): AsyncGenerator<Entry> {
    for (const file of files) {
      for await (const entry of file.entries()) yield files.length > 1 ? { ...entry, file: file.name } : entry;
    }
  }

  function read(table: EntryTable, entry: Readable, fields: Fields): Line | Skip | undefined {
    if (!table.read || (table.isSpare && hasUsers)) return undefined;
    const { kind, number, values } = entry;
    return table.read(fields, lookups, values, { kind, number });
  }

  return {
    format,
    isGuessed,
    files,
    async prepare() {
      let highestId = 0;
      for await (const entry of entries()) {
        if (!('values' in entry)) continue;
        if (entry.isFrame) pages.add(nextPages.some((name) => !isNothing(entry.values[name])));
        const fields = createFields(entry.values, columns);
        const table = findTable(format, entry, fields);
        table?.index?.(fields, lookups, entry.values);
        if (!table?.read) continue;
        if (!table.isSpare) hasUsers = true;
        highestId = Math.max(highestId, idOf(entry.values));
      }
      return { highestId };
    },
    async *rows() {
      for await (const entry of entries()) {
        const { kind, number, file } = entry;
        const place = { kind, number, ...(file !== undefined && { file }) };
        if ('problem' in entry) yield { ...place, problem: entry.problem };
        else yield* toRows(place, entry);
      }
    },
    unread: () => findUnread(columns),
    leftOutFactors: () => leftOut,
    lacksLastPage: () => pages.has(true) && !pages.has(false),
  };

  function* toRows(place: Place, entry: Readable): Generator<UserRow> {
    const fields = createFields(entry.values, columns);
    const table = findTable(format, entry, fields);
    const result = table && read(table, entry, fields);
    if (!table && !isAround(entry)) yield { ...place, problem: { why: 'noUser', title: format.title } };
    if (result instanceof Skip) yield { ...place, skipped: result.skipped, userName: result.userName };
    else if (result) yield { ...place, line: finishFactors(result, reading) };
  }
}

/** Whether the entry only stands around others. phpMyAdmin begins its files with two such items. */
const isAround = ({ isFrame, values: { type } }: Readable) => isFrame || type === 'header' || type === 'database';

/** Returns the id of a user, or 0. */
function idOf(values: Values): number {
  const [, id] = Object.entries(values).find(([name]) => /^(id|pk)$/i.test(name)) ?? [];
  return readId(readText(id)) ?? 0;
}
