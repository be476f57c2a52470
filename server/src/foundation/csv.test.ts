// CSV: cells keep their text, and begin no formula.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toCsvRow } from './csv.ts';

describe('a CSV row', () => {
  it('quotes what would end a cell or a row', () => {
    assert.equal(toCsvRow(['a', 1, true, null, '']), 'a,1,true,,\r\n');
    assert.equal(toCsvRow(['a,b', 'say "no"', 'two\nlines']), '"a,b","say ""no""","two\nlines"\r\n');
  });

  it('begins no cell like a formula', () => {
    for (const text of ['=1+1', '+27821234567', '-2', '@SUM(A1)', '\t=1', '\uff1d1', '=HYPERLINK("x")']) {
      const [first, second] = toCsvRow([text]);
      assert.ok(first === "'" || (first === '"' && second === "'"), text);
    }
    assert.equal(toCsvRow([-2, 'a=1']), '-2,a=1\r\n');
  });

  it('begins no cell like a formula where semicolons separate cells', () => {
    for (const text of ['x;=1+1', 'x;+1;@a', 'x\t=1', 'x\n=1', ';=1', 'x;\uff1d1', '{"a":";=1"}']) {
      assert.doesNotMatch(toCsvRow([text]), /[;\t\n][=+\-@\uff1d]/, text);
    }
    assert.equal(toCsvRow(['Mozilla/5.0 (X11; Linux) a;b']), 'Mozilla/5.0 (X11; Linux) a;b\r\n');
  });
});
