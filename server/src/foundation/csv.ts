// CSV (RFC 4180) whose cells no spreadsheet takes for formulas.

/** With it, spreadsheets take the file for UTF-8. */
export const BYTE_ORDER_MARK = '\ufeff';

/** A spreadsheet takes text that begins so for a formula (OWASP, CSV injection). */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

export type CsvCell = string | number | boolean | null;

/** Returns one row, with its line break. An apostrophe precedes text that a spreadsheet would take for a formula. */
export function toCsvRow(cells: readonly CsvCell[]): string {
  return `${cells.map(toCell).join(',')}\r\n`;
}

function toCell(cell: CsvCell): string {
  if (typeof cell !== 'string') return cell === null ? '' : String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
