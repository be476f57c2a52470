// Files of users: cells of CSV begin no formula on their way out of the service and back, and columns are guessed or refused.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { guard, unguard } from 'latchkey-user-files/formulas';
import { guessMapping } from 'latchkey-user-files/members';
import { toCsvRow } from '../server/src/foundation/csv.ts';
import { readImportFile } from '../web/src/app/users/import/file.ts';

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
});

describe('one page of a list of users', () => {
  it('says that there are more, unless it is the last one', async () => {
    const read = async (more: object) => {
      const value = [{ id: '1', userPrincipalName: 'ann@example.org' }];
      const file = await readImportFile(new File([JSON.stringify({ ...more, value })], 'users.json'));
      return 'fault' in file ? file : [file.system, file.rows.length, file.hasMorePages];
    };
    const next = 'https://graph.microsoft.com/v1.0/users?$skiptoken=x';
    assert.deepEqual(await read({ '@odata.nextLink': next }), ['Microsoft Entra ID', 1, true]);
    assert.deepEqual(await read({ '@odata.context': 'x' }), ['Microsoft Entra ID', 1, undefined]);
  });

  it('must have users, as every file', async () => {
    for (const text of ['{"value":[],"@odata.context":"x"}', '[]', '', 'user,email\n'])
      assert.deepEqual(await readImportFile(new File([text], 'users')), { fault: 'notReadable' }, text);
  });
});

describe('the columns of a file', () => {
  const read = (text: string, name = 'users.csv') => readImportFile(new File([text], name));

  it('are guessed by the names that other systems give them', () => {
    const guess = (...columns: string[]) => columns.map((column) => guessMapping([column])[column]);
    assert.deepEqual(
      guess(
        'accountEnabled',
        'User Principal Name',
        'sn',
        'givenName',
        'mobilePhone',
        'Tenant-ID',
        'E-Mail Address [Required]',
      ),
      ['isActive', 'userName', 'surname', 'name', 'mobileNumber', 'tenantId', 'emailAddress'],
    );
    assert.deepEqual(guess('disabled', 'locked'), [undefined, undefined]);
  });

  it('refuse the file if two have one name, and say which', async () => {
    for (const [text, columns] of [
      ['mail;name;mail\na@example.org;A;b@example.org', ['mail']],
      ['a,b, a ,b\n1,2,3,4', ['a', 'b']],
      ['\ufeffuser,user\nann,bob', ['user']],
      ['user,e-mail,email\nann,a@example.org,b@example.org', ['e-mail', 'email']],
      ['user,Pr\u00e9nom,PRENOM\nann,A,B', ['Pr\u00e9nom', 'PRENOM']],
    ] as const) {
      assert.deepEqual(await read(text), { fault: 'repeated', columns }, text);
    }
    const cyrillic = '\u0418\u043c\u044f 1,\u0410\u0434\u0440\u0435\u0441 1,#,%\n1,2,3,4';
    for (const text of [
      'a,b,,\n1,2,3,4',
      cyrillic,
      '[{"a":"\\"a\\":","b":{"a":1}},{"a":2}]',
      '{"a":1}\n{"a":"{"}\n{"a":2}',
    ]) {
      const file = await read(text);
      assert.ok(!('fault' in file), text);
    }
  });
});
