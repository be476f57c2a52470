// Import files as the page of an administrator reads them: rows have the columns of the file, or the file is refused.
import assert from 'node:assert/strict';
import { guessMapping, members } from 'latchkey-user-files/members';
import { readImportFile } from '../../../../web/src/app/users/import/file.ts';
import { toAccount } from '../../../../web/src/app/users/import/members.ts';
import type { Target } from '../target.ts';

export const target: Target = {
  name: 'import-page',
  words: [
    'User name,E-mail,Roles\n',
    'user;mail\n',
    'Benutzername\tRolle\n',
    '"',
    '""',
    '\r\n',
    'ja',
    'A;B',
    "'=1",
    '__proto__',
    '{"userName":"ann","roles":["A"]}',
    '[{',
    '}]',
    '\ufeff',
    '[]',
    'constructor',
    'passwordHash',
  ],
  weight: 10,
  async check(input) {
    const file = await readImportFile(new File([new Uint8Array(input)], 'users.csv'));
    if ('fault' in file) {
      assert.ok(['tooLarge', 'notReadable', 'repeated'].includes(file.fault));
      return file;
    }
    const { columns, rows } = file;
    assert.ok(rows.length > 0 && columns.length > 0 && new Set(columns).size === columns.length);
    const mapping = guessMapping(columns);
    return rows.map((row) => {
      assert.ok(row.number > 0, 'rows have their number in the file');
      if (!('values' in row)) return undefined;
      const { values } = row;
      assert.ok(Object.keys(values).every((column) => columns.includes(column)));
      const account = toAccount(values, mapping);
      assert.ok(Object.keys(account).every((member) => members.some((known) => known === member)));
      assert.equal(Object.getPrototypeOf(account), Object.prototype);
      // The page sends the account as one line.
      assert.ok(!JSON.stringify(account).includes('\n'));
      return account;
    });
  },
};
