// Cells of CSV on their way out of the service and back: no formula begins, and each text returns as it was.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toCsvRow } from '../server/src/foundation/csv.ts';
import { guard, unguard } from '../web/src/app/users/import/formulas.ts';
import { toAccount } from '../web/src/app/users/import/members.ts';

const TEXTS = ['=1+1', '+27821234567', 'x;=1+1', 'a;+b;@c', "it's", "'quoted'", 'x\t-1', '\uff1d1', 'Clerk;Nurse', ''];
/** Found by fuzzing: texts with apostrophes of their own, and line breaks. */
const FOUND = ["'=1+1", "''+1", "a;'=1", '\r\n', "'\t=1", "\n'\n"];

describe('a cell of CSV', () => {
  it('begins no formula in the report of an import, and is read back from an export', () => {
    for (const text of [...TEXTS, ...FOUND]) {
      assert.doesNotMatch(guard(text), /(^|[;\t])[=+\-@\uff1d]/, text);
      assert.equal(unguard(guard(text)), text);
      const cell = toCsvRow([text]).slice(0, -2);
      assert.equal(unguard(cell.startsWith('"') ? cell.slice(1, -1) : cell), text);
    }
  });

  it('is a flag only if it is spelled like one', () => {
    const flagOf = (cell: string) => toAccount({ Active: cell }, { Active: 'isActive' }).isActive;
    assert.deepEqual(['Ja', 'no', 'constructor', '__proto__', 'maybe'].map(flagOf), [
      true,
      false,
      'constructor',
      '__proto__',
      'maybe',
    ]);
  });
});
