// CSV: rows below a head with the names of the columns. Commas, semicolons or tabs separate the cells.
import Papa from 'papaparse';
import { type Entry, MAX_CHARACTERS, MAX_OPEN_CHARACTERS, type Problem } from './entry.ts';
import { unguard } from './formulas.ts';
import { CutOff, REPLACEMENT } from './source.ts';
import { readTabRows } from './tabs.ts';

export type Delimiter = ',' | ';' | '\t';

const delimiters: readonly Delimiter[] = [',', ';', '\t'];

/** Lines above the head: what separates the cells, for spreadsheets, and what PowerShell writes. */
const PREAMBLE = /^(?:sep=(.)|#TYPE .*)\n/i;

/** How the cells of a file are separated, and what its columns are. `preamble`: the characters above the head. */
export type CsvShape = {
  readonly delimiter: Delimiter;
  readonly preamble: number;
  /** Empty names are numbers. */
  readonly columns: readonly string[];
  readonly hasHead: boolean;
};

/** @param columnsOf returns the columns of a file that has no head, by its first row. */
export function findCsvShape(
  beginning: string,
  columnsOf: (first: readonly string[]) => readonly string[] | undefined,
): CsvShape {
  const [preamble = '', separator] = PREAMBLE.exec(beginning) ?? [];
  const text = beginning.slice(preamble.length);
  const delimiter = delimiters.find((one) => one === separator) ?? guessDelimiter(text);
  const { data } = Papa.parse<string[]>(text, { delimiter, newline: '\n', preview: 1 });
  const [first = []] = data;
  const known = columnsOf(first);
  const columns = known ?? first.map((name, index) => name.trim() || `${index + 1}`);
  return { delimiter, preamble: preamble.length, columns, hasHead: known === undefined };
}

function guessDelimiter(text: string): Delimiter {
  const [head = ''] = text.split('\n', 1);
  const [only, ...others] = delimiters.filter((one) => head.includes(one));
  if (only !== undefined && others.length === 0) return only;
  // An empty line at the end would count as a row of one cell.
  const how = { newline: '\n', preview: 10, skipEmptyLines: 'greedy' } as const;
  const { meta } = Papa.parse(text, { ...how, delimitersToGuess: [...delimiters] });
  return delimiters.find((one) => one === meta.delimiter) ?? ',';
}

/** Returns the names that more than one column has, in each spelling. */
export function findRepeatedColumns({ columns }: CsvShape): string[] {
  const counts = new Map<string, number>();
  for (const key of columns.map(foldName)) counts.set(key, (counts.get(key) ?? 0) + 1);
  return [...new Set(columns.filter((name) => (counts.get(foldName(name)) ?? 0) > 1))];
}

/** Unites spellings of a name: `E-Mail`, `email`. Unlike `simplify`, it keeps the letters of all scripts, and long names apart. */
const foldName = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '') || name;

/** Yields the rows below the head. A short row has the first columns. Rows without any text are left out. */
export async function* readCsv(text: AsyncIterable<string>, shape: CsvShape): AsyncGenerator<Entry> {
  const parse = createParser(shape);
  let number = 0;
  let [rest, skipped, wanted] = ['', 0, 0];

  function* read(isLast: boolean): Generator<Entry> {
    const { rows, wrong, end } = parse(rest, isLast);
    for (const [index, cells] of rows.entries()) {
      number += 1;
      const isHead = shape.hasHead && number === 1;
      if (!isHead && cells.some((cell) => cell.trim() !== '')) yield toEntry(cells, number, wrong.has(index));
    }
    rest = isLast ? '' : rest.slice(end);
    // A row that does not end in this piece is read again. Twice as much keeps that cheap.
    wanted = 2 * rest.length;
  }

  function toEntry(cells: readonly string[], at: number, isWrong: boolean): Entry {
    const place = { kind: 'row', number: at, container: '' } as const;
    const problem = findProblem(cells, shape, isWrong);
    if (problem) return { ...place, problem };
    const columns = shape.columns.slice(0, cells.length);
    const values = columns.map((column, index) => [column, unguard((cells[index] ?? '').trim())]);
    return { ...place, values: Object.fromEntries(values) };
  }

  const fail = (why: 'cutOff' | 'quotes'): Entry => ({
    kind: 'row',
    number: number + 1,
    container: '',
    problem: { why },
  });
  try {
    for await (const chunk of text) {
      const own = chunk.slice(Math.max(0, shape.preamble - skipped));
      skipped += chunk.length - own.length;
      rest += own;
      if (rest.length < wanted) continue;
      yield* read(false);
      if (rest.length > MAX_OPEN_CHARACTERS) return yield fail('quotes');
    }
    if (rest !== '') yield* read(true);
  } catch (error) {
    if (!(error instanceof CutOff)) throw error;
    yield fail('cutOff');
  }
}

/** Returns what reads rows. `wrong`: those whose quotation marks are no CSV. `end`: the position behind the rows. */
function createParser({ delimiter, columns }: CsvShape) {
  const nothing: ReadonlySet<number | undefined> = new Set();
  if (delimiter === '\t')
    return (text: string, isLast: boolean) => ({ ...readTabRows(text, columns.length, isLast), wrong: nothing });
  const parser = new Papa.Parser({ delimiter, newline: '\n' });
  return (text: string, isLast: boolean) => {
    const { data, errors, meta }: Papa.ParseResult<string[]> = parser.parse(text, 0, !isLast);
    return { rows: data, wrong: new Set(errors.map(({ row }) => row)), end: meta.cursor };
  };
}

function findProblem(cells: readonly string[], { columns }: CsvShape, isWrong: boolean): Problem | undefined {
  if (isWrong) return { why: 'quotes' };
  if (cells.reduce((sum, cell) => sum + cell.length, 0) > MAX_CHARACTERS) return { why: 'tooLong' };
  if (cells.some((cell) => cell.includes(REPLACEMENT))) return { why: 'damaged' };
  return cells.slice(columns.length).some((cell) => cell.trim() !== '') ? { why: 'tooManyCells' } : undefined;
}
