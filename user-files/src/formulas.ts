// Formulas in CSV: cells of a report begin none, and cells of an export get their text back.

/**
 * Where a spreadsheet would begin a formula: at the start of a cell, and behind what ends a cell in some countries. Both
 * expressions are those of the service's exports.
 */
const FORMULA = /^(?='*[\t\r\n])|(?<=^|[;\t\r\n])(?='*[=+\-@\uff1d\uff0b\uff0d\uff20])/g;
const GUARDED = /^'(?='*[\t\r\n])|(?<=^|[;\t\r\n])'(?='*[=+\-@\uff1d\uff0b\uff0d\uff20])/g;

/** Puts an apostrophe before what a spreadsheet would take for a formula, as exports of the service do. */
export const guard = (text: string): string => text.replaceAll(FORMULA, "'");

/** Removes the apostrophes that {@link guard} or an export has put there. */
export const unguard = (text: string): string => text.replaceAll(GUARDED, '');
