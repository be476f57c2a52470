// The file of an import: its text in UTF-8, and its rows as CSV, JSON lines or one JSON array have them.
import Papa from 'papaparse';
import { unguard } from './formulas.ts';

/** In megabytes. A file of 100,000 users is about half as large. */
export const MOST_MEGABYTES = 30;

const BYTES_PER_MEGABYTE = 1_000_000;

/** One row: its number in the file, and its values by column. Values of CSV are texts. `undefined`: not readable. */
export type Row = { readonly number: number; readonly values: Readonly<Record<string, unknown>> | undefined };

export type ImportFile = {
  readonly name: string;
  readonly format: 'csv' | 'json';
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
};

/** Why a file cannot be imported. `columns`: the names that more than one column has. */
export type FileFault =
  | { readonly fault: 'tooLarge' | 'notUtf8' | 'notReadable' }
  | { readonly fault: 'repeated'; readonly columns: readonly string[] };

/** Reads a file completely: it is bounded. */
export async function readImportFile(file: File): Promise<ImportFile | FileFault> {
  if (file.size > MOST_MEGABYTES * BYTES_PER_MEGABYTE) return { fault: 'tooLarge' };
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    return { fault: 'notUtf8' };
  }
  const first = text.trimStart()[0];
  const read = first === '{' || first === '[' ? readJson(text.trimStart()) : readCsv(text);
  if (!read || read.rows.length === 0 || read.columns.length === 0) return { fault: 'notReadable' };
  const { repeated, ...content } = read;
  return repeated.length > 0 ? { fault: 'repeated', columns: repeated } : { name: file.name, ...content };
}

/** `repeated`: the names that more than one column has. */
type Content = Omit<ImportFile, 'name'> & { readonly repeated: readonly string[] };

function readCsv(text: string): Content {
  const { data } = Papa.parse<string[]>(text, { skipEmptyLines: 'greedy' });
  const [head = [], ...body] = data;
  const columns = head.map((name, index) => name.trim() || `${index + 1}`);
  // The head is row 1, as a spreadsheet counts. A short row has the first columns, as in JSON.
  const rows = body.map((cells, index) => ({
    number: index + 2,
    values: Object.fromEntries(
      columns.slice(0, cells.length).map((column, place) => [column, unguard((cells[place] ?? '').trim())]),
    ),
  }));
  return { format: 'csv', columns, rows, repeated: findRepeated(columns) };
}

function findRepeated(names: readonly string[]): string[] {
  const seen = new Set<string>();
  return [...new Set(names.filter((name) => seen.size === seen.add(name).size))];
}

function readJson(text: string): Content | undefined {
  const rows = text.startsWith('[') ? readArray(text) : readLines(text);
  const columns = new Set(rows?.flatMap(({ values }) => Object.keys(values ?? {})));
  return rows && { format: 'json', columns: [...columns], rows, repeated: findRepeatedMembers(text) };
}

/** A text with the colon that makes it the name of a member, or where an object or an array begins or ends. */
const TOKEN = /("(?:[^"\\\n]|\\.)*")([ \t\r\n]*:)?|[{}[\]]/g;

/** Objects that are compared: all objects of an export have the same members. */
const COMPARED = 1000;

/** Returns the names that one of the first objects has more than once. `JSON.parse` keeps the last of these members. */
function findRepeatedMembers(json: string): string[] {
  const open: string[][] = [];
  const repeated: string[] = [];
  let objects = 0;
  for (const [token, name = '', colon] of json.matchAll(TOKEN)) {
    if (token === '{' || token === '[') open.push([]);
    else if (token === '}' || token === ']') {
      repeated.push(...findRepeated(open.pop() ?? []));
      objects += 1;
      if (objects === COMPARED) break;
    } else if (colon !== undefined) open.at(-1)?.push(name.slice(1, -1));
  }
  return [...new Set(repeated)];
}

function readArray(text: string): Row[] | undefined {
  try {
    const items: unknown = JSON.parse(text);
    return Array.isArray(items)
      ? items.map((item, index) => ({ number: index + 1, values: toValues(item) }))
      : undefined;
  } catch {
    return undefined;
  }
}

function readLines(text: string): Row[] {
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    try {
      return { number: index + 1, values: toValues(JSON.parse(line)) };
    } catch {
      return { number: index + 1, values: undefined };
    }
  });
}

const toValues = (item: unknown): Row['values'] =>
  typeof item === 'object' && item !== null && !Array.isArray(item) ? { ...item } : undefined;
