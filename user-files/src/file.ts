// One file: its encoding and its form, told by what it holds, and its entries.
import { type CsvShape, findCsvShape, findRepeatedColumns, readCsv } from './csv.ts';
import { isFrame, readDocuments } from './documents.ts';
import type { Entry } from './entry.ts';
import { readLines } from './lines.ts';
import { CutOff, detectEncoding, type Encoding, readText, type Source } from './source.ts';
import { readObject } from './values.ts';

/** Why a file cannot be read at all. */
export type FileFault =
  /** `empty`: it has no entries. */
  | { readonly why: 'empty' | 'spreadsheet' | 'archive' | 'database' | 'sql' | 'xml' | 'yaml' | 'pdf' | 'binary' }
  /** More than one column has each of these names. */
  | { readonly why: 'repeated'; readonly columns: readonly string[] };

/** A file, or several, cannot be imported. `file` is the name of the one that is wrong. */
export class FileRefused<Fault> extends Error {
  readonly file: string;
  readonly fault: Fault;
  constructor(file: string, fault: Fault) {
    super('The file cannot be imported.');
    this.file = file;
    this.fault = fault;
  }
}

export type EntryFile = {
  readonly name: string;
  readonly encoding: Encoding;
  /** CSV, JSON with one object a line, or JSON documents. */
  readonly form: 'csv' | 'lines' | 'document';
  /** The columns of CSV. */
  readonly columns: readonly string[] | undefined;
  entries(): AsyncGenerator<Entry>;
};

/** Characters by which the form of a file is told. */
const BEGINNING = 65_536;

/**
 * @param columnsOf returns the columns of a CSV file that has no head, by its first row.
 * @throws FileRefused
 */
export async function openFile(
  source: Source,
  columnsOf: (first: readonly string[]) => readonly string[] | undefined = () => undefined,
): Promise<EntryFile> {
  const { name } = source;
  const refuse = (fault: FileFault) => new FileRefused(name, fault);
  const encoding = await detectEncoding(source);
  const beginning = await readBeginning(source, encoding);
  if (beginning.trim() === '') throw refuse({ why: 'empty' });
  const other = findOtherForm(beginning);
  if (other) throw refuse({ why: other });
  const form = findForm(beginning);
  const text = () => readText(source, encoding);
  if (form === 'lines') return { name, encoding, form, columns: undefined, entries: () => readLines(text()) };
  if (form === 'document') return { name, encoding, form, columns: undefined, entries: () => readDocuments(text()) };
  const shape: CsvShape = findCsvShape(beginning, columnsOf);
  const columns = findRepeatedColumns(shape);
  if (columns.length > 0) throw refuse({ why: 'repeated', columns });
  return { name, encoding, form, columns: shape.columns, entries: () => readCsv(text(), shape) };
}

async function readBeginning(source: Source, encoding: Encoding): Promise<string> {
  let beginning = '';
  try {
    for await (const chunk of readText(source, encoding)) {
      beginning += chunk;
      if (beginning.length >= BEGINNING) break;
    }
  } catch (error) {
    if (!(error instanceof CutOff)) throw error;
  }
  return beginning;
}

/** How files begin that hold users in a form that cannot be read. */
const otherForms: readonly (readonly [begins: string | RegExp, why: Exclude<FileFault['why'], 'repeated'>])[] = [
  ['PK\u0003\u0004', 'archive'],
  ['SQLite format 3\0', 'database'],
  ['%PDF-', 'pdf'],
  [/^\s*</, 'xml'],
  [/^\s*(--|\/\*|INSERT INTO |CREATE TABLE |COPY \S+ \(|SET \S+ ?=)/i, 'sql'],
  [/^(?:#.*\n|\n)*(---|users:|totp_configurations:|webauthn_credentials:)[ \t]*\n/, 'yaml'],
];

function findOtherForm(beginning: string) {
  const isBegin = (begins: string | RegExp) =>
    typeof begins === 'string' ? beginning.startsWith(begins) : begins.test(beginning);
  const found = otherForms.find(([begins]) => isBegin(begins))?.[1];
  if (found === 'archive' && /xl\/|\[Content_Types\]/.test(beginning)) return 'spreadsheet';
  return found ?? (beginning.includes('\0') ? 'binary' : undefined);
}

/** Lines below the first by which JSON Lines are told if the first is broken. */
const MORE_LINES = 3;

function findForm(beginning: string): EntryFile['form'] {
  const text = beginning.trimStart();
  if (text.startsWith('[')) return 'document';
  if (!text.startsWith('{')) return 'csv';
  const [first = '', ...others] = text.split('\n');
  const object = readObject(first);
  // The answer of an API may stand in one line.
  if (object) return isFrame(object) ? 'document' : 'lines';
  const isSpread = /[[{,]\s*$/.test(first);
  return !isSpread && others.slice(0, MORE_LINES).some((line) => readObject(line)) ? 'lines' : 'document';
}
