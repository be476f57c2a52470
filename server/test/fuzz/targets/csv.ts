// CSV files: what the service exports, the pages read back as the same texts, and no cell begins a formula.
import assert from 'node:assert/strict';
import { guard, unguard } from 'latchkey-user-files/formulas';
import Papa from 'papaparse';
import { BYTE_ORDER_MARK, toCsvRow } from '../../../src/foundation/csv.ts';
import type { Target } from '../target.ts';

export const target: Target = {
  name: 'csv',
  words: ['|', '=1+1', '@SUM', "'", '"', '\r\n', ';', '＝', '+27', '-1', '\t'],
  check(input) {
    const cells = input.toString().split('|');
    const row = toCsvRow(cells);
    const { data } = Papa.parse<string[]>(`${BYTE_ORDER_MARK}${row}`, { delimiter: ',' });
    const [read = []] = data;
    assert.equal(read.length, cells.length, 'a row has as many cells as before');
    for (const [index, cell] of read.entries()) {
      assert.doesNotMatch(cell, /^[=+\-@\t\r\n＝＋－＠]/, 'no cell begins a formula');
      assert.doesNotMatch(cell, /[;\t\r\n][=+\-@＝＋－＠]/, 'no part of a cell begins a formula');
      assert.equal(guard(cells[index] ?? ''), cell, 'the guards are those of the pages');
      assert.equal(unguard(cell), cells[index], 'a cell is the same text again');
    }
    return row;
  },
};
