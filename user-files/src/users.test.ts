// Files of users: what they hold does not depend on how they arrive, nor on their encoding and separators.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createLookups, openUserFiles } from './index.ts';

/** Reads a file that arrives in pieces of this size. */
async function read(content: string | Uint8Array, size = 4096, ...others: readonly string[]) {
  const sources = [content, ...others].map((one) => {
    const bytes = typeof one === 'string' ? new TextEncoder().encode(one) : one;
    async function* open() {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    }
    return { name: 'users', size: bytes.length, open };
  });
  const users = await openUserFiles(sources, { lookups: createLookups() });
  const { highestId } = await users.prepare();
  return {
    format: users.format.name,
    encoding: users.files[0]?.encoding,
    highestId,
    rows: await Array.fromAsync(users.rows()),
    unread: users.unread(),
    leftOut: users.leftOutFactors(),
  };
}

const namesOf = ({ rows }: Awaited<ReturnType<typeof read>>) =>
  rows.map((row) => ('line' in row ? [row.line.userName, row.line.name] : row));

const utf16 = (text: string, isBig: boolean) => {
  const bytes = new Uint8Array(2 * text.length);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < text.length; at += 1) view.setUint16(2 * at, text.charCodeAt(at), !isBig);
  return bytes;
};
const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

describe('a file of users', () => {
  it('is the same however it arrives', async () => {
    const word = fc.stringMatching(/^[a-zäöü€😀;,\t"= ]{0,6}$/u);
    const someNames = fc.array(fc.tuple(word, word), { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(someNames, fc.integer({ min: 1, max: 9 }), async (people, size) => {
        const rows = people.map(([name, surname], index) => ({ userName: `u${index}`, name, surname }));
        const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
        const csv = rows.map((row) => Object.values(row).map(quote).join(','));
        const plain = rows.map((row) => Object.values(row).join('\t'));
        for (const text of [
          ['userName,name,surname', ...csv].join('\r\n'),
          ['userName\tname\tsurname', ...plain].join('\n'),
          ['{"userName":"first"}', ...rows.map((row) => JSON.stringify(row))].join('\n'),
          JSON.stringify([{ userName: 'first' }, ...rows], null, 1),
        ])
          assert.deepEqual(await read(text, size), await read(text), text);
      }),
      { numRuns: 50 },
    );
  });

  it('has the same users in every encoding and with every separator', async () => {
    const expected = [
      ['zoë', 'Zoë, "Z"'],
      ['ann', '1;2'],
    ];
    for (const separator of [',', ';', '\t']) {
      for (const preamble of ['', `sep=${separator}\r\n`]) {
        const lines = ['Benutzername,Vorname', 'zoë,"Zoë, ""Z"""', 'ann,"1;2"'];
        const text = `${preamble}${lines.map((line) => line.replace(',', separator)).join('\r\n')}\r\n`;
        for (const [encoding, bytes] of [
          ['utf-8', new TextEncoder().encode(text)],
          ['utf-8', new TextEncoder().encode(`\ufeff${text}`)],
          ['utf-16le', utf16(`\ufeff${text}`, false)],
          ['utf-16be', utf16(`\ufeff${text}`, true)],
          ['windows-1252', latin1(text)],
        ] as const) {
          const found = await read(bytes);
          assert.deepEqual(
            [found.encoding, namesOf(found)],
            [encoding, expected],
            JSON.stringify([separator, preamble]),
          );
        }
      }
    }
  });

  it('has a quotation mark of a tab-separated file as text where no cell is quoted', async () => {
    const names = ['"Ann', 'Bob', 'C "Cy" Lee', '"Dan" D', 'Eve"', '"""', '"Fay'];
    const rows = names.map((name, index) => `u${index}\t${name}\tu${index}@example.org`);
    const expected = names.map((name, index) => [`u${index}`, name]);
    for (const end of ['', '\n', '\r\n']) {
      const text = `username\tname\temail\n${rows.join('\n')}${end}`;
      for (const size of [1, 7, 4096]) assert.deepEqual(namesOf(await read(text, size)), expected);
    }
    const quoted = 'username\tname\tnote\nann\t"A\n""1"""\t"x\ty"\nbob\tB\t"one\ntwo"\ncid\tC';
    const asWritten = [
      ['ann', 'A\n"1"'],
      ['bob', 'B'],
      ['cid', 'C'],
    ];
    for (const size of [1, 4096]) assert.deepEqual(namesOf(await read(quoted, size)), asWritten);
    const whole = 'username\tname\nann\t"A\n2\tB""\tC"';
    for (let size = 1; size < whole.length; size += 1)
      assert.deepEqual(namesOf(await read(whole, size)), [['ann', 'A\n2\tB"\tC']], `${size}`);
  });

  it('has all rows of a tab-separated file behind a quotation mark that is never closed', async () => {
    const rows = Array.from({ length: 30_000 }, (_, index) => `u${index}\t${index === 3 ? '"' : ''}${'x'.repeat(50)}`);
    const { rows: found } = await read(`username\tname\n${rows.join('\n')}`, 65_536);
    assert.equal(found.filter((row) => 'line' in row).length, rows.length);
  });

  it('has members of hostile names as plain values', async () => {
    const { rows } = await read('{"userName":"ann","__proto__":{"isActive":false},"constructor":1}');
    const [row] = rows;
    assert.ok(row && 'line' in row);
    assert.equal(Object.getPrototypeOf(row.line), Object.prototype);
    assert.deepEqual(Object.keys(row.line).toSorted(), ['__proto__', 'constructor', 'userName']);
  });

  it('has columns with the names of members that every object has', async () => {
    const { rows } = await read('constructor,userName,__proto__,toString\na,ann,b,c');
    assert.deepEqual(rows, [{ kind: 'row', number: 2, line: { userName: 'ann' } }]);
  });

  it('is of the system whose users have its columns', async () => {
    const user = { username: 'ann', enabled: true, createdTimestamp: 1, attributes: { phone: ['1'] } };
    assert.equal((await read(JSON.stringify({ realm: 'shop', users: [user] }))).format, 'keycloak');
    assert.equal((await read(JSON.stringify(user))).format, 'keycloak');
    const attributes = [{ Name: 'email', Value: 'ann@example.org' }];
    assert.equal(
      (await read(JSON.stringify({ Users: [{ Username: 'ann', Attributes: attributes }] }))).format,
      'cognito',
    );
    const betterAuth = 'id,email,emailVerified,createdAt';
    assert.equal((await read(`${betterAuth}\n7,a@b.c,t,2020-01-01`)).format, 'better-auth');
    for (const [head, cells] of [
      [betterAuth, '7,a@b.c,t,2020-01-01'],
      ['login,email,firstName,lastName', 'ann,a@b.c,Ann,Lee'],
      ['userPrincipalName,mail', 'ann@b.c,a@b.c'],
    ] as const) {
      const { format, rows } = await read(`${head},passwordHash\n${cells},$2b$10$x`);
      assert.equal(format, 'latchkey', head);
      assert.match(JSON.stringify(rows), /"passwordHash":"\$2b\$10\$x"/);
    }
  });

  it('is of Laravel, though users have no verified address, were never remembered, or have no password', async () => {
    const { format, rows } = await read(
      'id,email,email_verified_at,password,remember_token,google_id\n1,ann@b.c,NULL,$2y$10$x,NULL,NULL\n2,bob@b.c,NULL,NULL,NULL,g2',
    );
    assert.equal(format, 'laravel');
    assert.deepEqual(
      rows.map((row) => 'line' in row && [row.line.userName, row.line.passwordHash, row.line.externalLogins]),
      [
        ['ann@b.c', '$2y$10$x', [{ provider: 'laravel', providerKey: '1' }]],
        [
          'bob@b.c',
          undefined,
          [
            { provider: 'laravel', providerKey: '2' },
            { provider: 'google', providerKey: 'g2' },
          ],
        ],
      ],
    );
  });

  it('has people without a password or a first name, and rows without a key', async () => {
    const readNames = async (text: string) => {
      const { format, rows } = await read(text);
      return [format, ...rows.map((row) => ('line' in row ? [row.line.userName, row.line.passwordHash] : row))];
    };
    const record = (pk: number, username: string, password: string | null) => ({
      ...{ model: 'auth.user', pk },
      fields: { username, password, last_login: null, date_joined: '2020-01-01T00:00:00Z' },
    });
    const people = [
      ['ann', 'pbkdf2_sha256$x'],
      ['bob', undefined],
      ['cid', undefined],
    ];
    const dump = [record(1, 'ann', 'pbkdf2_sha256$x'), record(2, 'bob', ''), record(3, 'cid', null)];
    const others = [
      { model: 'auth.group', pk: 1, fields: { name: 'Editors' } },
      {
        model: 'wagtailcore.pageviewrestriction',
        pk: 1,
        fields: { restriction_type: 'login', password: '', groups: [] },
      },
    ];
    assert.deepEqual(await readNames(JSON.stringify([...dump, ...others])), ['django', ...people]);
    const permissions = Array.from({ length: 200 }, (_, pk) => ({
      model: 'auth.permission',
      pk,
      fields: { name: `Can ${pk}` },
    }));
    assert.deepEqual(await readNames(JSON.stringify([...permissions, ...dump])), ['django', ...people]);
    const csv =
      'id,password,username,date_joined\n1,pbkdf2_sha256$x,ann,2020-01-01\n2,,bob,2020-01-01\n3,NULL,cid,2020-01-01';
    assert.deepEqual(await readNames(csv), ['django', ...people]);
    const supabase = 'id,email,encrypted_password\n1,a@b.c,$2a$x\n2,d@e.f,';
    assert.deepEqual(await readNames(supabase), ['supabase', ['a@b.c', '$2a$x'], ['d@e.f', undefined]]);
    const okta = 'login,email,firstName,lastName\nann@b.c,ann@b.c,Ann,Lee\nbob@b.c,bob@b.c,,Lee\ncid@b.c,cid@b.c,,';
    const named = ['ann', 'bob', 'cid'].map((name) => [`${name}@b.c`, undefined]);
    assert.deepEqual(await readNames(okta), ['okta', ...named]);
    const meta = [{ user_id: 1, meta_key: null, meta_value: 'x' }];
    assert.deepEqual(await readNames(JSON.stringify([{ ID: 1, user_login: 'ann' }, ...meta])), [
      'wordpress',
      ['ann', undefined],
    ]);
  });

  it('has people who sign in by another address than their e-mail address, or have none', async () => {
    const identity = (signInType: string, issuerAssignedId: string) => ({
      identities: [{ signInType, issuerAssignedId }],
    });
    const made = '0a1b@shop.onmicrosoft.com';
    const cognito = (Username: string, ...pairs: (readonly [string, string])[]) => ({
      Username,
      Attributes: [['sub', '7'], ...pairs].map(([Name, Value]) => ({ Name, Value })),
    });
    for (const [user, userName, emailAddress = userName] of [
      [{ userPrincipalName: 'ann@b.c', mail: null }, 'ann@b.c'],
      [{ userPrincipalName: 'Ann@b.c', mail: 'ann@b.c' }, 'Ann@b.c', 'ann@b.c'],
      [{ userPrincipalName: 'a1@b.c', mail: 'ann@b.c' }, 'ann@b.c'],
      [{ userPrincipalName: 'ann_b.c#EXT#@shop.onmicrosoft.com', mail: 'ann@b.c' }, 'ann@b.c'],
      [{ userPrincipalName: 'ann_b.c#EXT#@shop.onmicrosoft.com', mail: null }, 'ann_b.c', null],
      [{ userPrincipalName: made, mail: 'x@y.z', ...identity('emailAddress', 'ann@b.c') }, 'ann@b.c'],
      [{ userPrincipalName: made, mail: 'ann@b.c', ...identity('userName', 'ann') }, 'ann', 'ann@b.c'],
      [{ id: '7', profile: { login: 'a1@b.c', email: 'ann@b.c' } }, 'ann@b.c'],
      [{ id: '7', profile: { login: 'ann@b.c', email: null } }, 'ann@b.c'],
      [{ user_login: 'a1@b.c', user_email: 'ann@b.c' }, 'ann@b.c'],
      [{ user_login: 'ann', user_email: 'ann@b.c' }, 'ann', 'ann@b.c'],
      [{ model: 'auth.user', pk: 7, fields: { password: '!', username: 'a1@b.c', email: 'ann@b.c' } }, 'ann@b.c'],
      [{ model: 'auth.user', pk: 7, fields: { password: '!', username: 'ann@b.c', email: '' } }, 'ann@b.c'],
      [{ username: 'a1@b.c', email: 'ann@b.c', emailVerified: true, credentials: [] }, 'ann@b.c'],
      [cognito('a1@b.c', ['email', 'ann@b.c']), 'ann@b.c'],
    ] as const) {
      const { rows } = await read(JSON.stringify([user]));
      const names = rows.map((row) => 'line' in row && [row.line.userName, row.line.emailAddress ?? null]);
      assert.deepEqual(names, [[userName, emailAddress]], JSON.stringify(user));
    }
    for (const user of [
      { username: 'ann@b.c', emailVerified: true, credentials: [] },
      cognito('ann@b.c', ['email_verified', 'true']),
    ]) {
      const { rows } = await read(JSON.stringify([user]));
      const lines = rows.map((row) => 'line' in row && [row.line.emailAddress, row.line.isEmailConfirmed]);
      assert.deepEqual(lines, [['ann@b.c', undefined]], 'what was verified is not this address');
    }
  });

  it('has no values that are nested too deeply', async () => {
    const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
    const user = (name: string, roles: string) =>
      `{"username":"${name}","enabled":true,"createdTimestamp":1,"realmRoles":${roles}}`;
    const lines = [user('ann', '[]'), user('bob', deep(100_000)), user('cid', '[]')];
    const { rows } = await read(lines.join('\n'), 65_536);
    assert.deepEqual(
      rows.map((row) => ('line' in row ? row.line.userName : 'problem' in row && row.problem)),
      ['ann', { why: 'notObject' }, 'cid'],
    );
    const cells = await read(`username,enabled,createdTimestamp,realmRoles\nann,t,1,"${deep(100_000)}"`, 65_536);
    assert.deepEqual(
      cells.rows.map((row) => 'line' in row && row.line.roleNames),
      [[deep(100_000)]],
    );
  });

  it('is read up to a bound, also where one object has very many members', async () => {
    const member = (index: number) => `"a${index}":"${'x'.repeat(1000)}"`;
    const members = (count: number) => Array.from({ length: count }, (_, index) => member(index)).join(',\n');
    const problems = async (text: string) =>
      (await read(text, 65_536)).rows.map((row) => 'problem' in row && row.problem);
    assert.deepEqual(await problems(`{\n"username":"ann",${members(1200)}}`), [{ why: 'tooLong' }]);
    assert.deepEqual(await problems(`{\n"username":"ann",${members(18_000)}}`), [{ why: 'unreadable' }]);
  });

  it('has the first authenticator app of a person that makes usual codes, and counts the others', async () => {
    const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
    const otp = (value: string, more: object) => ({
      type: 'otp',
      secretData: JSON.stringify({ value }),
      credentialData: JSON.stringify({ subType: 'totp', algorithm: 'HmacSHA1', digits: 6, period: 30, ...more }),
    });
    const keycloak = (...credentials: object[]) => [
      { username: 'ann', enabled: true, createdTimestamp: 1, credentials },
    ];
    const device = (key: string, digits: number, confirmed: boolean) => ({
      ...{ model: 'otp_totp.totpdevice', pk: 1 },
      fields: { user: 7, key, step: 30, digits, confirmed },
    });
    const django = { model: 'auth.user', pk: 7, fields: { username: 'ann', password: '!' } };
    const supabase = { id: '1', email: 'a@b.c', encrypted_password: '!' };
    const factor = { user_id: '1', factor_type: 'totp', status: 'verified' };
    const auth0 = { user_id: 'auth0|5f', email: 'a@b.c', mfa_factors: [{ totp: { secret } }, { phone: {} }] };
    for (const [entries, expected, others] of [
      [keycloak(otp('one', { algorithm: 'HmacSHA256' }), otp('two', {}), otp('three', {})), 'two', 2],
      [keycloak(otp('one', { digits: 8 }), otp('two', { period: 60 })), 'one', 1],
      [keycloak(otp('one', {})), 'one', 0],
      [[django, device('31', 8, true), device('32', 6, false), device('33', 6, true)], '33', 1],
      [[supabase, { ...factor, secret }, { ...factor, secret: 'x' }], secret, 1],
      [[auth0], secret, 0],
    ] as const) {
      const { rows, leftOut } = await read(JSON.stringify(entries));
      const totp = rows.map((row) => 'line' in row && row.line.totp);
      assert.deepEqual([totp.length, leftOut], [1, { passkey: 0, app: others }]);
      assert.match(JSON.stringify(totp), new RegExp(`"secret":"${expected}"`));
    }
  });

  it('has the authenticator apps that Authelia exports, alone or beside the users', async () => {
    const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
    const csv = `issuer,username,algorithm,digits,period,secret\nlogin.example.org,ann,SHA1,6,30,${secret}\n`;
    const address = (label: string) =>
      `otpauth://totp/${label}?algorithm=SHA1&digits=6&issuer=login.example.org&period=30&secret=${secret}`;
    const end = "\n\n\nSuccessfully exported 2 TOTP configurations as TOTP URI's and printed them to the console\n";
    const addresses = `${address('login.example.org:ann')}\n${address('Shop%3A%20bob%40example.org')}${end}`;
    const users = 'username,email\nAnn,ann@example.org\nbob@example.org,bob@example.org\ncid,cid@example.org';
    const whole = `username,email,secret,period\nann,ann@example.org,${secret},30`;
    const names = ['Ann', 'bob@example.org', 'cid'];
    for (const [files, expected, withApp] of [
      [[csv], ['ann'], ['ann']],
      [[addresses], ['ann', 'bob@example.org'], ['ann', 'bob@example.org']],
      [[whole], ['ann'], ['ann']],
      [[users, csv], names, ['Ann']],
      [[addresses, users], names, ['Ann', 'bob@example.org']],
    ] as const) {
      const [first, ...others] = files;
      const { format, rows } = await read(first, 4096, ...others);
      assert.equal(format, 'latchkey');
      const lines = rows.map((row) => ('line' in row ? row.line : assert.fail(JSON.stringify(row))));
      assert.deepEqual(
        lines.map(({ userName }) => userName),
        expected,
      );
      const found = lines.filter(({ totp }) => totp !== undefined);
      assert.deepEqual(
        found.map(({ userName }) => userName),
        withApp,
      );
      for (const { totp } of found) assert.match(JSON.stringify(totp), new RegExp(`"secret":"${secret}"`));
    }
  });

  it('names what it has and nothing reads, also in objects, and nothing that is read', async () => {
    const record = (model: string, pk: number, fields: object) => ({ model, pk, fields });
    const login = { username: 'ann', password: '!', last_login: null };
    const dump = [
      record('auth.permission', 1, { codename: 'add_user' }),
      record('auth.user', 7, { ...login, is_active: true, is_superuser: true, user_permissions: [] }),
      record('otp_totp.totpdevice', 1, { user: 7, key: '31', step: 30, digits: 6, drift: 0 }),
    ];
    const meta = [
      { user_id: 1, meta_key: 'nickname', meta_value: 'Ann' },
      { user_id: 1, meta_key: 'first_name', meta_value: 'Ann' },
    ];
    const attributes = [
      { Name: 'email', Value: 'ann@example.org' },
      { Name: 'custom:dept', Value: 'ICT' },
    ];
    for (const [entries, expected] of [
      [[{ _id: { $oid: '5f' }, email: 'a@b.c', passwordHash: '$2b$10$x' }], []],
      [
        [
          { user_id: 'auth0|5f', email: 'a@b.c' },
          { _id: { $oid: '5f' }, passwordHash: '$2b$10$x' },
        ],
        [],
      ],
      [[{ ID: 1, user_login: 'ann' }, ...meta], []],
      [dump, ['fields.is_superuser']],
      [[{ id: '7', profile: { login: 'a@b.c', title: 'Dr.' }, status: 'ACTIVE' }], ['profile.title']],
      [[{ username: 'ann', credentials: [], attributes: { phoneNumber: ['1'], shoe: ['42'] } }], ['attributes.shoe']],
      [[{ Username: 'ann', Attributes: attributes }], ['Attributes.custom:dept']],
    ] as const) {
      assert.deepEqual((await read(JSON.stringify(entries))).unread, expected, JSON.stringify(entries));
    }
  });

  it('has the highest id of its users, so that new accounts get higher ones', async () => {
    assert.equal((await read('id,email,password,remember_token\n7,a@b.c,x,y\n12,d@e.f,x,y')).highestId, 12);
    assert.equal(
      (await read('[{"model":"auth.user","pk":31,"fields":{"password":"!","username":"a"}}]')).highestId,
      31,
    );
  });
});
