// The file of an import: its rows as CSV, JSON lines or JSON arrays have them.
import type { Problem, Source } from 'latchkey-user-files';

/** In megabytes. A file of 100,000 users is about half as large. */
export const MOST_MEGABYTES = 30;

const BYTES_PER_MEGABYTE = 1_000_000;

/** One row: its number in the file, and its values by column, or why it has none. Values of CSV are texts. */
export type Row = { readonly number: number } & (
  | { readonly values: Readonly<Record<string, unknown>> }
  /** It is no person of the other system, in a few words. */
  | { readonly skipped: string; readonly userName: string | undefined }
  | { readonly problem: Problem }
);

export type ImportFile = {
  readonly name: string;
  /** The system that exported the file. Absent for a table with columns of its own. */
  readonly system?: string;
  /** The file is one page of several, and not the last one. */
  readonly hasMorePages?: true;
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
};

/** Why a file cannot be imported. `columns`: the names that more than one column has. */
export type FileFault =
  | { readonly fault: 'tooLarge' | 'notReadable' }
  | { readonly fault: 'repeated'; readonly columns: readonly string[] };

/** Reads a file completely: it is bounded. */
export async function readImportFile(file: File): Promise<ImportFile | FileFault> {
  if (file.size > MOST_MEGABYTES * BYTES_PER_MEGABYTE) return { fault: 'tooLarge' };
  const { chunksOf, FileRefused } = await import('latchkey-user-files');
  const { name, size } = file;
  const source = { name, size, open: () => chunksOf(file.stream()) };
  try {
    const { columns, rows, ...told } = (await readExport(source)) ?? (await readTable(source));
    return rows.length === 0 || columns.length === 0 ? { fault: 'notReadable' } : { name, columns, rows, ...told };
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error;
    const { fault } = error;
    return fault.why === 'repeated' ? { fault: 'repeated', columns: fault.columns } : { fault: 'notReadable' };
  }
}

type Content = Omit<ImportFile, 'name'>;

/** Reads the export of another system, whose users become rows with the names of this service. Returns `undefined` for other files. */
async function readExport(source: Source): Promise<Content | undefined> {
  const { createLookups, FileRefused, openUserFiles } = await import('latchkey-user-files');
  try {
    const users = await openUserFiles([source], { lookups: createLookups() });
    const { name, title: system } = users.format;
    if (name === 'latchkey' || name === 'abp') return undefined;
    await users.prepare();
    const rows: Row[] = [];
    for await (const { number, ...row } of users.rows())
      rows.push('line' in row ? { number, values: row.line } : { number, ...row });
    return { system, rows, columns: columnsOf(rows), ...(users.lacksLastPage() && { hasMorePages: true }) };
  } catch (error) {
    // The administrator says what the columns of an unknown table are.
    if (error instanceof FileRefused) return undefined;
    throw error;
  }
}

async function readTable(source: Source): Promise<Content> {
  const { openFile } = await import('latchkey-user-files');
  const opened = await openFile(source);
  const rows: Row[] = [];
  for await (const entry of opened.entries()) if (!entry.isFrame) rows.push(entry);
  return { columns: opened.columns ?? columnsOf(rows), rows };
}

const columnsOf = (rows: readonly Row[]) => [
  ...new Set(rows.flatMap((row) => ('values' in row ? Object.keys(row.values) : []))),
];
