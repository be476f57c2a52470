// latchkey import users from other systems: each file is recognized, and people sign in as before. `npm run test:long` has 1,000 people of each.
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { createMigratedUrl, type Engine } from '../support/databases.ts';
import { useFactors } from '../support/factors.ts';
import { type ForeignFiles, passwordOf, systems, TOTP_SECRET } from '../support/foreign-users.ts';
import { isLong } from '../support/scale.ts';
import { freshAddress, startTestService, type TestService } from '../support/service.ts';
import { createSite, SECRET, type Site } from './run.ts';

const COUNT = isLong ? 1000 : 20;

for (const [index, makeFiles] of systems.entries()) {
  const given = makeFiles(COUNT);
  // Each system on one engine: the readers know nothing of databases.
  const engine: Engine = index % 2 === 0 ? 'sqlite' : 'postgres';
  describe(`people of ${given.title}`, () => {
    let site: Site;
    let env: Record<string, string>;
    let service: TestService;
    before(async () => {
      site = await createSite(engine);
      const url = engine === 'sqlite' ? `sqlite:${join(site.folder, 'latchkey.db')}` : await createMigratedUrl(engine);
      env = { LATCHKEY_DATABASE_URL: url, LATCHKEY_SECRET: SECRET };
      service = await startTestService(engine, { url, secret: SECRET });
      for (const [name, content] of Object.entries(given.files)) writeFileSync(join(site.folder, name), content);
    });
    after(async () => {
      await service.close();
      await site.close();
    });

    const importAll = (...words: string[]) => {
      const files = Object.keys(given.files).filter((name) => !given.words?.includes(name));
      return site.run(['import', 'users', ...files, ...(given.words ?? []), ...words], { env });
    };

    it('are recognized, checked and imported', async () => {
      const dry = await importAll('--from', given.system, '--dry-run');
      assert.match(dry.out, new RegExp(`^Would import ${COUNT}, refused 0\\.$`, 'm'), dry.err);
      assert.equal(await service.service.accounts.count([]), 1, 'a check changes nothing');
      const unasked = /^Users have .*authenticator apps.*: they sign in without them until you turn .* on\.$/m;
      assert.equal(unasked.test(dry.out), given.hasTotp ?? false, dry.out);
      const { code, out, err } = await importAll();
      assert.ok(out.includes(` from ${given.title}. To choose another system, add --from.`), out);
      assert.match(out, new RegExp(`^Imported ${COUNT}, refused 0\\.$`, 'm'), err);
      assert.equal(code, 0);
      const again = await importAll('--update');
      assert.match(again.out, new RegExp(`^Imported 0, unchanged ${COUNT}, refused 0\\.$`, 'm'), again.err);
    });

    it('sign in as before, and keep their ids', () => signInAll(service, given));
  });
}

/** Signs every tenth person in. */
async function signInAll(service: TestService, { signsInAs, login, hasPasswords, hasTotp }: ForeignFiles) {
  const { accounts, database, externalLoginStore } = service.service;
  const factors = useFactors({ here: service, there: service, close: service.close });
  if (hasTotp) await factors.allow();
  // Codes count from the step in which the command ran, by the clock of the machine.
  service.clock.advance(3600);
  for (let number = 10; number <= COUNT; number += 10) {
    const account = (await accounts.findByName(database.sql, signsInAs(number))) ?? assert.fail(signsInAs(number));
    if (login) assert.equal(await externalLoginStore.find(database.sql, login(number)), account.id);
    const body = { userNameOrEmailAddress: signsInAs(number), password: passwordOf(number) };
    const attempt = (more = {}) =>
      service.post('/api/TokenAuth/Authenticate', { body: { ...body, ...more }, ip: freshAddress() });
    assert.equal((await attempt({ password: 'another one' })).status, 401);
    const { status, result, text } = await attempt();
    assert.equal(status, hasPasswords ? 200 : 401, text);
    if (!hasTotp) continue;
    const code = factors.nextCode({ secret: TOTP_SECRET });
    const verified = await factors.verify(result?.challengeToken ?? assert.fail(text), code);
    assert.ok(verified.result?.accessToken, verified.text);
  }
}

describe('files that cannot be imported', () => {
  let site: Site;
  let env: Record<string, string>;
  before(async () => {
    site = await createSite('sqlite');
    env = { LATCHKEY_DATABASE_URL: `sqlite:${join(site.folder, 'latchkey.db')}`, LATCHKEY_SECRET: SECRET };
  });
  after(() => site.close());

  async function importText(name: string, content: string | Buffer, ...words: string[]) {
    writeFileSync(join(site.folder, name), content);
    const ended = await site.run(['import', 'users', name, '--report', 'report.jsonl', ...words], { env });
    const report = readFileSync(join(site.folder, 'report.jsonl'), 'utf8').split('\n').filter(Boolean);
    return { ...ended, report: report.map((line) => JSON.parse(line)) };
  }

  it('are refused as a whole, with what to do', async () => {
    for (const [content, pattern, ...words] of [
      ['mail;name;mail\na@example.org;A;b@example.org', /more than one column with the name "mail"\. Rename or remove/],
      ['colour,size\nred,1', /has no column of a user name or e-mail address/],
      ['PK\u0003\u0004xl/workbook.xml', /is a workbook of a spreadsheet\. Save it as "CSV UTF-8"/],
      ['SQLite format 3\0', /is a database of SQLite/],
      ["INSERT INTO users VALUES (1,'ann')", /has statements of SQL/],
      ['<users/>', /is XML\. Give CSV or JSON/],
      ['# yaml-language-server: x\n\ntotp_configurations:\n', /is YAML\. .*authelia storage user totp export csv/],
      ['userName\nann', /has no users of Keycloak: it looks like Latchkey/, '--from', 'keycloak'],
      ['userName\nann', /--from takes one of: auth0, /, '--from', 'oracle'],
    ] as const) {
      writeFileSync(join(site.folder, 'report.jsonl'), '');
      const { code, err } = await importText('users.txt', content, ...words);
      assert.match(err, pattern);
      assert.ok(code === 1 || code === 2, `${code}`);
    }
  });

  it('in some rows name each of them, and import the others', async () => {
    const cut = '{"users":[{"localId":"1","email":"one@example.org"},{"localId":"2","email":"two@exam';
    const first = await importText('cut.json', cut, '--from', 'firebase');
    assert.match(first.out, /^Imported 1, refused 1\.$/m);
    assert.deepEqual(first.report, [{ item: 2, reasons: ['The array does not end: the file is cut off here.'] }]);
    const whole = `${cut}ple.org"}]}`;
    assert.match((await importText('cut.json', whole, '--update')).out, /^Imported 1, unchanged 1, refused 0\.$/m);

    const rows = [
      'userName,name,roleNames,passwordHash',
      `long,${'x'.repeat(1_100_000)},,`,
      `wide,${'x'.repeat(500_000)},,`,
      '__proto__,=1+1,,',
      'quoted,"a ""b""",,',
      'costly,,,pbkdf2_sha256$99999999$salt$OgYUblFNUX1B8GfMqaCYUK/iHyO0pa7STTDdaEJBuY0=',
      'extra,,,,,more',
      ',,,',
    ];
    const { code, out, report } = await importText('rows.csv', rows.join('\n'));
    assert.match(out, /^Imported 2, refused 4\.$/m);
    assert.equal(code, 1);
    const reasons = Object.fromEntries(report.map(({ row, reasons: why }) => [row, why.join(' ')]));
    assert.match(reasons[2], /longer than 1 MiB/);
    assert.match(reasons[3], /^name /);
    assert.match(reasons[6], /^passwordHash: /);
    assert.match(reasons[7], /more cells than the head/);
    const mixed = '{"realm":"r","users":[{"username":"a","enabled":true,"credentials":[]},{"localId":"x"},7]}';
    const both = await importText('mixed.json', mixed, '--from', 'keycloak');
    assert.match(both.out, /^Imported 1, refused 2\.$/m);
    assert.match(JSON.stringify(both.report), /no user of Keycloak.*not one JSON object/);
  });

  it('skip what is no person, and end with code 3', async () => {
    const users = [{ localId: 'anonymous' }, { localId: 'ann', email: 'ann@example.org' }];
    const { code, out, report } = await importText('users.json', JSON.stringify({ users }));
    assert.match(out, /^Imported 1, skipped 1, refused 0\.$/m);
    assert.deepEqual([code, report], [3, [{ item: 1, userName: 'anonymous', skipped: 'anonymous' }]]);
  });

  it('may be compressed, and hold lines of this service', async () => {
    const lines = gzipSync('{"userName":"small"}\n{"userName":"smaller"}\n');
    assert.match((await importText('lines.jsonl.gz', lines)).out, /^Imported 2, refused 0\.$/m);
    const cut = await importText('lines.jsonl.gz', lines.subarray(0, -12), '--update');
    assert.match(cut.out, /refused 1\.$/m);
    assert.match(JSON.stringify(cut.report), /The file is cut off here\./);
  });

  it('have people whose sign-in name is another address than their e-mail address', async () => {
    const entra = [
      { id: '1', userPrincipalName: 'one@shop.example', mail: null },
      { id: '2', userPrincipalName: 'p2@shop.example', mail: 'two@shop.example' },
      { id: '3', userPrincipalName: 'three_shop.example#EXT#@shop.onmicrosoft.com', mail: 'three@shop.example' },
      {
        ...{ id: '4', userPrincipalName: '0a1b@shop.onmicrosoft.com', mail: null },
        identities: [{ signInType: 'emailAddress', issuer: 'shop', issuerAssignedId: 'four@shop.example' }],
      },
    ];
    const okta = [{ id: '5', profile: { login: 'p5@shop.example', email: 'five@shop.example' } }];
    const wordpress = [{ user_login: 'p6@shop.example', user_email: 'six@shop.example' }];
    for (const [system, users] of Object.entries({ entra, okta, wordpress })) {
      const { code, out, report } = await importText('users.json', JSON.stringify(users), '--from', system);
      assert.match(out, new RegExp(`^Imported ${users.length}, refused 0\\.$`, 'm'), JSON.stringify(report));
      assert.equal(code, 0);
    }
  });

  it('may be what Authelia exports of authenticator apps', async () => {
    const csv = `issuer,username,algorithm,digits,period,secret\nshop,app,SHA1,6,30,${TOTP_SECRET}\nshop,long,SHA1,8,30,${TOTP_SECRET}\n`;
    const { out, report } = await importText('totp.csv', csv, '--dry-run');
    assert.match(out, /^Would import 1, refused 1\.$/m);
    assert.match(JSON.stringify(report), /"userName":"long","reasons":\["totp: The app makes other codes/);
    assert.match(out, /^Users have authenticator apps, /m);
  });

  it('may be of Google Workspace, whose suspended and archived users arrive deactivated', async () => {
    const head =
      'First Name [Required],Last Name [Required],Email Address [Required],Status [READ ONLY],Last Sign In [READ ONLY]';
    const statuses = ['Active', 'Suspended', 'Archived'];
    const rows = statuses.map((status) => `Ann,Lee,${status}@workspace.example,${status},Never logged in`);
    const { out, report } = await importText('users.csv', [head, ...rows].join('\n'));
    assert.match(out, /^Imported 3, refused 0\.$/m, JSON.stringify(report));
    const listed = await site.run(['user', 'list', '--json'], { env });
    const found = listed.out.split('\n').filter((line) => line.includes('@workspace.example'));
    const active = found.map((line) => JSON.parse(line)).filter(({ isActive }) => isActive);
    assert.equal(found.length, 3);
    assert.deepEqual(
      active.map(({ userName }) => userName),
      ['Active@workspace.example'],
    );
  });

  it('have passkeys without a domain, which the operator names', async () => {
    const { x = '', y = '' } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' });
    // A COSE key of ES256 (RFC 9053, 7.1.1).
    const bytes = ['a5010203262001215820', Buffer.from(x, 'base64url').toString('hex'), '225820'].join('');
    const key = Buffer.from(`${bytes}${Buffer.from(y, 'base64url').toString('hex')}`, 'hex').toString('base64');
    const user = [
      { id: 'b1', email: 'bob@example.org', name: 'Bob', emailVerified: true, createdAt: '2020-01-01T00:00:00Z' },
    ];
    const passkey = [{ userId: 'b1', credentialID: 'aWQ', publicKey: key, counter: 3, transports: 'usb,nfc' }];
    const content = JSON.stringify({ user, passkey });
    const dry = await importText('tables.json', content, '--dry-run');
    assert.match(dry.out, /does not say their domain: 1\. Add --rp-id DOMAIN\./);
    const known = await importText('tables.json', content, '--dry-run', '--rp-id', 'example.org');
    assert.doesNotMatch(known.out, /domain/);
    assert.match(known.out, /^Would import 1, refused 0\.$/m);
  });

  it('are pages of a list, and the command says if the last one is missing', async () => {
    const MISSING = /^The last page of the list is missing: /m;
    const entra = (name: string) => ({ id: name, userPrincipalName: `${name}@pages.example` });
    const cognito = (name: string) => ({
      Username: name,
      Attributes: [{ Name: 'email', Value: `${name}@pages.example` }],
    });
    const firebase = (name: string) => ({ localId: name, email: `${name}@pages.example` });
    for (const [system, container, next, toUser] of [
      ['entra', 'value', '@odata.nextLink', entra],
      ['cognito', 'Users', 'PaginationToken', cognito],
      ['cognito', 'Users', 'NextToken', cognito],
      ['firebase', 'users', 'nextPageToken', firebase],
    ] as const) {
      const page = (name: string, more: object) =>
        JSON.stringify({ ...more, [container]: [toUser(`${name}-${next.replace(/\W/g, '')}`)] });
      const pages = [
        page('one', { [next]: 'https://pages.example/2' }),
        page('two', { [next]: 'x' }),
        page('three', {}),
      ];
      for (const [index, content] of pages.entries()) writeFileSync(join(site.folder, `page-${index}.json`), content);
      writeFileSync(join(site.folder, 'page-3.json'), JSON.stringify({ [container]: [] }));
      const run = (files: readonly number[], ...words: string[]) =>
        site.run(['import', 'users', ...files.map((index) => `page-${index}.json`), ...words], { env });
      for (const [files, isMissing] of [
        [[0], true],
        [[0, 1], true],
        [[0, 1, 2], false],
        [[0, 1, 3], false],
        [[2], false],
      ] as const) {
        const { code, out, err } = await run(files, '--dry-run', '--from', system);
        const users = files.filter((index) => index < 3).length;
        assert.match(out, new RegExp(`^Would import ${users}, refused 0\\.$`, 'm'), `${system} ${files}: ${err}`);
        assert.deepEqual([code, MISSING.test(out)], [isMissing ? 3 : 0, isMissing], out);
      }
      assert.match((await run([0])).out, MISSING);
      // The answers in one file.
      writeFileSync(join(site.folder, 'pages.json'), pages.slice(0, 2).join('\n'));
      const appended = await site.run(['import', 'users', 'pages.json', '--dry-run', '--update'], { env });
      assert.match(appended.out, MISSING);
    }
  });

  it('are read from a folder only if its system is named', async () => {
    const user = (id: string, username: string) => ({ id, username, enabled: true, credentials: [] });
    mkdirSync(join(site.folder, 'realm'));
    for (const [index, name] of ['first', 'second'].entries()) {
      const content = JSON.stringify({ realm: 'shop', users: [user(String(index), name), {}] });
      writeFileSync(join(site.folder, `realm/shop-users-${index}.json`), content);
    }
    const run = (...words: string[]) => site.run(['import', 'users', 'realm', ...words], { env });
    assert.match((await run()).err, /realm is a folder: .* say by --from/);
    const { out, err } = await run('--from', 'keycloak');
    assert.match(out, /^Imported 2, refused 2\.$/m);
    assert.match(err, /shop-users-1\.json item 2: The item is no user of Keycloak\./);
  });
});
