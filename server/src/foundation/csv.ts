// CSV (RFC 4180) whose cells no spreadsheet takes for formulas.

/** With it, spreadsheets take the file for UTF-8. */
export const BYTE_ORDER_MARK = '\ufeff';

/**
 * Where a spreadsheet would begin a formula (OWASP, CSV injection). Where numbers have a decimal comma, spreadsheets end a
 * cell at a semicolon, also within quotation marks. Apostrophes of the text itself get one more, so that the text can be
 * read back.
 */
const FORMULA = /^(?='*[\t\r\n])|(?<=^|[;\t\r\n])(?='*[=+\-@\uff1d\uff0b\uff0d\uff20])/g;

export type CsvCell = string | number | boolean | null;

/** Returns one row, with its line break. An apostrophe precedes what a spreadsheet would take for a formula. */
export function toCsvRow(cells: readonly CsvCell[]): string {
  return `${cells.map(toCell).join(',')}\r\n`;
}

function toCell(cell: CsvCell): string {
  if (typeof cell !== 'string') return cell === null ? '' : String(cell);
  const text = cell.replace(FORMULA, "'");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
