// Rows of tab-separated files: quoted as spreadsheets write them, or with quotation marks as text, as `mysql --batch` writes them.
import { MAX_CHARACTERS } from './entry.ts';

/** A cell in quotation marks, or one that begins with none. */
const CELL = /"([^"]*(?:""[^"]*)*)" *(?=[\t\n]|$)|(?!")[^\t\n]*/y;

/** A cell in quotation marks that goes on behind the text. */
const OPEN = /"[^"]*(?:""[^"]*)*$/y;

/** Cells, and the position behind them: that of a line break, or the length of the text. */
type Row = { readonly cells: string[]; readonly end: number };

/**
 * Returns the rows that end in the text, and the position behind them.
 * @param columns how many the file has.
 * @param isLast whether the text ends the file, and so its last row.
 */
export function readTabRows(text: string, columns: number, isLast: boolean): { rows: string[][]; end: number } {
  const rows: string[][] = [];
  let end = 0;
  while (end < text.length) {
    const row = readRow(text, end, columns, isLast);
    if (!row || (!isLast && row.end === text.length)) break;
    rows.push(row.cells);
    end = row.end + 1;
  }
  return { rows, end };
}

/** Returns `undefined` where a row in quotation marks may go on behind the text. */
function readRow(text: string, start: number, columns: number, isLast: boolean): Row | undefined {
  const row = readQuoted(text, start);
  const isOpen = row === 'open' || (row !== 'malformed' && row.end === text.length);
  if (isOpen && !isLast && text.length - start <= MAX_CHARACTERS) return undefined;
  return typeof row === 'string' || areRows(text.slice(start, row.end), columns) ? readPlain(text, start) : row;
}

function readQuoted(text: string, start: number): Row | 'open' | 'malformed' {
  const cells: string[] = [];
  for (let at = start; ; at += 1) {
    CELL.lastIndex = at;
    OPEN.lastIndex = at;
    const [whole, quoted] = CELL.exec(text) ?? [];
    if (whole === undefined) return OPEN.test(text) ? 'open' : 'malformed';
    cells.push(quoted === undefined ? whole : quoted.replaceAll('""', '"'));
    at += whole.length;
    if (text[at] !== '\t') return { cells, end: at };
  }
}

/** Whether the lines are rows of their own: two of them have a cell with one quotation mark. */
const areRows = (text: string, columns: number) =>
  columns > 1 && text.includes('\n') && text.split('\n').every((line) => line.split('\t').length === columns);

function readPlain(text: string, start: number): Row {
  const found = text.indexOf('\n', start);
  const end = found === -1 ? text.length : found;
  return { cells: text.slice(start, end).split('\t'), end };
}
