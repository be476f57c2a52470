// What latchkey import reads: columns of ABP and own members, lines, arrays and pipes, from where the person is.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { hash as argon2 } from '@node-rs/argon2';
import { startTestService, type TestService } from '../support/service.ts';
import { createSite, SECRET, type Site } from './run.ts';

describe('the file of latchkey import users', () => {
  let site: Site;
  let env: Record<string, string>;
  let service: TestService;
  before(async () => {
    site = await createSite('sqlite');
    const url = `sqlite:${join(site.folder, 'latchkey.db')}`;
    env = { LATCHKEY_DATABASE_URL: url, LATCHKEY_SECRET: SECRET };
    service = await startTestService('sqlite', { url, secret: SECRET });
  });
  after(async () => {
    await service.close();
    await site.close();
  });

  const write = (name: string, content: string | Buffer) => {
    writeFileSync(join(site.folder, name), content);
    return name;
  };
  async function importText(content: string, ...words: string[]) {
    write('users.json', content);
    const ended = await site.run(['import', 'users', 'users.json', '--report', 'report.jsonl', ...words], { env });
    const report = readFileSync(join(site.folder, 'report.jsonl'), 'utf8').split('\n').filter(Boolean);
    return { ...ended, report: report.map((line) => JSON.parse(line)) };
  }
  const find = async (userName: string) => {
    const { service: parts } = service;
    return parts.accounts.findByName(parts.database.sql, userName);
  };

  it('may give what `user list --json` prints, and Argon2 hashes with their parameters in any order', async () => {
    const password = 'gravel staple lantern';
    const phc = await argon2(password, { memoryCost: 8192, timeCost: 3, parallelism: 2 });
    const passwordHash = phc.replace(/m=(\d+),t=(\d+),p=(\d+)/, 't=$2,p=$3,m=$1');
    assert.notEqual(passwordHash, phc);
    const { code, out } = await importText(JSON.stringify({ userName: 'ann', passwordHash }));
    assert.deepEqual([code, out], [0, 'Imported 1, refused 0.\n']);
    const twice = phc.replace(/m=(\d+),t=(\d+),p=\d+/, 'm=$1,t=$2,t=$2');
    const refused = await importText(JSON.stringify({ userName: 'bob', passwordHash: twice }));
    assert.match(refused.report[0].reasons[0], /not a well-formed "Argon2" hash/);
    await service.signIn('ann', password);

    const listed = await site.run(['user', 'list', '--json'], { env });
    const again = await importText(listed.out, '--update');
    assert.match(again.out, /^Imported 0, unchanged 1, refused 1\.$/m);
    assert.deepEqual(again.report[0].userName, 'admin');
  });

  it('reads times without a zone as UTC, and refuses what is no time', async () => {
    const time = (CreationTime: unknown, index: number) => ({ UserName: `time${index}`, CreationTime });
    const accepted = ['2020-02-29T10:20:30.1234567', '2020-02-29 10:20:30.123+00', '2020-02-29T12:20:30.123+02:00'];
    const refused = ['2021-02-29T10:20:30', '2020-02-29', 'yesterday', '2020-02-29T25:00', 5];
    const { report, out } = await importText(JSON.stringify([...accepted, ...refused].map(time)));
    assert.match(out, /^Imported 3, refused 5\.$/m);
    assert.ok(report.every(({ reasons }) => /^creationTime /.test(reasons[0])));
    for (const index of accepted.keys()) {
      assert.equal((await find(`time${index}`))?.createdAt, Date.parse('2020-02-29T10:20:30.123Z'));
    }
  });

  it('refuses members of a wrong kind, given twice or unknown, and names the user', async () => {
    const rows = [
      { UserName: 'one', userName: 'one' },
      { UserName: 'two', Id: '7a' },
      { UserName: 'three', Id: 2 ** 53 },
      { UserName: 'four', PersonId: '7' },
      { UserName: 'five', Logins: [{ LoginProvider: 'Corp' }] },
      { UserName: 'six', Roles: 6 },
      { UserName: 'seven', AccessFailedCount: -1 },
      { UserName: 'eight', password: 'clear' },
      { UserName: 'nine', IsDeleted: 'maybe' },
    ];
    const { report } = await importText(JSON.stringify(rows));
    assert.deepEqual(
      report.map(({ item, userName }) => [item, userName]),
      rows.map(({ UserName }, index) => [index + 1, UserName]),
    );
    const expected = [
      /gives twice: userName/,
      /^id /,
      /^id /,
      /^personId /,
      /^externalLogins\.0\.providerKey is required/,
      /^roleNames /,
      /^accessFailedCount /,
      /unknown members: "password"/,
      /^isDeleted /,
    ];
    for (const [index, pattern] of expected.entries()) assert.match(report[index].reasons.join(' '), pattern);
  });

  it('may be a pipe, and gives new accounts ids above its own', async () => {
    const row = JSON.stringify({ Id: 4000, UserName: 'piped', LoginProvider: 'Corp', ProviderKey: 'p-1' });
    const pipe = join(site.folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const importing = site.run(['import', 'users', 'pipe'], { env });
    await writeFile(pipe, row);
    const { code, out } = await importing;
    assert.equal(code, 0);
    assert.match(out, /^Imported 1, refused 0\.$/m);
    assert.equal((await find('piped'))?.id, 4000);
    assert.equal(
      await service.service.externalLoginStore.find(service.service.database.sql, {
        provider: 'Corp',
        providerKey: 'p-1',
      }),
      4000,
    );
    assert.equal(await service.createUser('next'), 4001);
  });

  it('is found from where the person is, although npm runs the command elsewhere', async () => {
    mkdirSync(join(site.folder, 'deep'), { recursive: true });
    write('deep/users.jsonl', '{"userName":"deep"}\n{"userName":"deep"}');
    const words = ['import', 'users', 'users.jsonl', '--report', 'report.jsonl'];
    const from = { ...env, INIT_CWD: join(site.folder, 'deep') };
    assert.match((await site.run(words, { env: from })).out, /^Imported 1, refused 1\.$/m);
    assert.match(readFileSync(join(site.folder, 'deep/report.jsonl'), 'utf8'), /^\{"line":2,"userName":"deep"/);
  });

  it('may be in UTF-16, and must be whole', async () => {
    const wide = write('wide.json', Buffer.from('\ufeff[{"userName":"wide"}]', 'utf16le'));
    const { code, out } = await site.run(['import', 'users', wide], { env });
    assert.match(out, /^Reading JSON in UTF-16 from Latchkey\..*\nImported 1, refused 0\.$/m);
    assert.equal(code, 0);
    const cut = await importText('[{"userName":"whole"},{"userName":"cu');
    assert.match(cut.out, /^Imported 1, refused 1\.$/m);
    assert.deepEqual(cut.report, [{ item: 2, reasons: ['The array does not end: the file is cut off here.'] }]);
  });

  it('has users: a file or a pipe without any ends the import', async () => {
    for (const [content, ...words] of [
      [''],
      ['[]'],
      ['{"value":[],"@odata.context":"x"}'],
      ['userName,name\n'],
      ['userName,name\n', '--from', 'latchkey'],
      ['\ufeff \n'],
    ] as const) {
      const { code, err, out } = await importText(content, ...words);
      assert.match(err, /users\.json has no users\. Export them again/, content);
      assert.deepEqual([code, out], [1, '']);
    }
    execFileSync('mkfifo', [join(site.folder, 'silent')]);
    const importing = site.run(['import', 'users', 'silent'], { env });
    await writeFile(join(site.folder, 'silent'), '\n');
    const { code, err } = await importing;
    assert.match(err, /The import has got no users/);
    assert.equal(code, 1);
    assert.doesNotMatch((await importText('[{"userName":"cu')).out, /Auth0/);
  });

  it('is read alike as it is and compressed', async () => {
    const lines = '{"username":"lines1","email":"lines1@example.org","shoe":42}\n';
    assert.match((await importText(lines, '--dry-run')).out, /^Would import 1, refused 0\.$/m);
    write('users.json.gz', gzipSync(lines));
    const { out } = await site.run(['import', 'users', 'users.json.gz', '--dry-run'], { env });
    assert.match(out, /left out: shoe\.\nWould import 1, refused 0\.$/m);
    const own = '{"userName":"lines1","shoe":42}';
    assert.match((await importText(own, '--dry-run')).report[0].reasons[0], /unknown members: "shoe"/);
  });

  it('is read with options that fit together', async () => {
    for (const [words, line] of [
      [['--overwrite-passwords'], /--overwrite-passwords needs --update/],
      [['--tenant', 'one'], /--tenant takes the number/],
    ] as const) {
      const { code, err } = await site.run(['import', 'users', 'users.json', ...words], { env });
      assert.equal(code, 2);
      assert.match(err, line);
    }
  });

  it('shows progress when it is long', async () => {
    const lines = Array.from({ length: 20_500 }, (_, index) => `{"userName":"long${index}"}`).join('\n');
    const { out, err } = await importText(lines, '--dry-run');
    assert.match(out, /^Would import 20500, refused 0\.$/m);
    assert.match(err, /^10,000 lines \(4\d %\)\n20,000 lines \(9\d %\)\n$/);
  });
});
