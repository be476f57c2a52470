// latchkey import users: imports valid lines, reports the others with line and reason; a second run changes nothing.
import assert from 'node:assert/strict';
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { hash as bcrypt } from '@node-rs/bcrypt';
import { enginesAtLength } from '../support/databases.ts';
import { callProcess } from '../support/process.ts';
import { createSite, type Site } from './run.ts';

/** ASP.NET Core Identity V3 of "my password". */
const IDENTITY_HASH = 'AQAAAAIAAAAyAAAAEOMwvh3+FZxqkdMBz2ekgGhwQ4B6pZWND6zgESBuWiHw';

const taken = (...keys: string[]) => `Taken, by an account or by an earlier line: ${keys.join(', ')}.`;
const NAME = 'the user name';
const ADDRESS = 'the e-mail address';
const NO_JSON = 'The line is not one JSON object in UTF-8.';

type Refusal = { line: number; userName?: string; reasons: string[] };

for (const engine of enginesAtLength) {
  describe(`latchkey import users on ${engine}`, () => {
    let site: Site;
    before(async () => {
      site = await createSite(engine);
    });
    after(() => site.close());

    const list = async () => {
      const { out } = await site.run(['user', 'list', '--json']);
      return out
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line));
    };
    const write = (name: string, content: string | Buffer) => {
      writeFileSync(join(site.folder, name), content);
      return name;
    };
    const readReport = (): Refusal[] =>
      readFileSync(join(site.folder, 'report.jsonl'), 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line));

    it('imports the valid lines, and reports each other one with its reason', async () => {
      const hash = await bcrypt('gravel staple lantern', 4);
      const number = '+27821234567';
      const lines: [line: string | object, reason?: RegExp | string][] = [
        [
          {
            userName: 'ann',
            emailAddress: 'ann@example.com',
            mobileNumber: number,
            passwordHash: hash,
            roleNames: ['Clerk'],
          },
        ],
        [
          {
            userName: 'bob',
            mobileNumber: '+27 82 123 4567',
            passwordHash: IDENTITY_HASH,
            requireChangePassword: true,
          },
        ],
        ['{"userName":"broken",', NO_JSON],
        ['["a list"]', NO_JSON],
        ['{"userName":"trap","__proto__":{}}', NO_JSON],
        ['{"userName":"half \\ud800"}', NO_JSON],
        [{ userName: 'ANN' }, taken(NAME)],
        [{ userName: 'ａｎｎ' }, taken(NAME)],
        [{ userName: 'other', emailAddress: 'ANN@example.com' }, taken(ADDRESS)],
        [{ userName: 'spelling', emailAddress: 'ann@example\u3002COM' }, taken(ADDRESS)],
        [{ userName: 'dots', emailAddress: 'dots..@example.com' }, /^Give an e-mail address/],
        [{ userName: 'weak', passwordHash: '5f4dcc3b5aa765d61d8327deb882cf99' }, /^passwordHash: /],
        [{ userName: 'local', mobileNumber: '0821234567' }, /country code/],
        [{ emailAddress: 'nameless@example.com' }, /^userName is required/],
        [{ userName: 'plain', password: 'my-clear-password', nick: 1 }, /unknown members: "password", "nick"/],
        [{ userName: 'ann@example.org' }, /user name that looks like/],
        [{ userName: 'two words' }, /^userName /],
        [{ userName: 'typed', isActive: 'maybe' }, /^isActive /],
        [`"${'x'.repeat(70_000)}"`, /longer than 64 KiB/],
        [{ userName: 'carl', name: null, isActive: false, passwordHash: null }],
      ];
      const texts = lines.map(([line]) => (typeof line === 'string' ? line : JSON.stringify(line)));
      const file = write('users.jsonl', `\ufeff${texts.join('\r\n')}\r\n\r\n`);

      const words = ['import', 'users', file, '--allow-new-roles', '--report', 'report.jsonl'];
      const rehearsal = await site.run([...words, '--dry-run']);
      assert.equal(rehearsal.code, 1);
      assert.match(
        rehearsal.out,
        /^New roles: Clerk\. They grant nothing\.\nWould import 3, refused 17\.\nWOULD +USERS +WHY\nimport +3 +-\nrefuse +4 +The line is not one JSON/,
      );
      assert.match(rehearsal.out, /^refuse +2 +Taken, by an account or by an earlier line: the e-mail address\.$/m);
      assert.deepEqual(await list(), []);
      const rehearsed = readReport();

      const { code, out, err } = await site.run(words);
      const told = 'New roles: Clerk. They grant nothing.\nImported 3, refused 17.\n';
      assert.deepEqual({ code, out, err }, { code: 1, out: told, err: '' });
      const report = readReport();
      assert.deepEqual(report, rehearsed);
      const expected = lines.flatMap(([, reason], index) =>
        reason === undefined ? [] : [{ line: index + 1, reason }],
      );
      assert.deepEqual(
        report.map(({ line }) => line),
        expected.map(({ line }) => line),
      );
      for (const [index, { line, reason }] of expected.entries()) {
        const text = report[index]?.reasons.join(' ') ?? '';
        if (typeof reason === 'string') assert.equal(text, reason, `line ${line}`);
        else assert.match(text, reason, `line ${line}`);
      }
      assert.equal(statSync(join(site.folder, 'report.jsonl')).mode & 0o077, 0);

      const [ann, bob, carl, ...others] = await list();
      assert.deepEqual(others, []);
      assert.deepEqual([ann.roleNames, ann.mobileNumber, bob.mobileNumber], [['Clerk'], number, number]);
      assert.deepEqual([bob.requireChangePassword, carl.isActive], [true, false]);
    });

    it('refuses every line the second time, and says so without a report', async () => {
      const { code, out, err } = await site.run(['import', 'users', 'users.jsonl']);
      assert.deepEqual({ code, out }, { code: 1, out: 'Imported 0, refused 20.\n' });
      assert.match(err, new RegExp(`^latchkey: line 1 \\(ann\\): ${taken(NAME, ADDRESS)}$`, 'm'));
      assert.doesNotMatch(err, /\$2[aby]\$|AQAAAA|5f4dcc|my-clear-password/);
      assert.equal((await list()).length, 3);
    });

    it('lets people sign in with their old passwords, and records the import in the audit trail', async () => {
      const service = await site.serve();
      await site.run(['user', 'create', 'boss', '--admin', '--password-stdin'], { input: 'correct horse battery' });
      const signIn = (userNameOrEmailAddress: string, password: string) =>
        callProcess(service.url, 'POST', '/api/TokenAuth/Authenticate', { body: { userNameOrEmailAddress, password } });
      assert.equal((await signIn('ann', 'gravel staple lantern')).status, 200);
      assert.equal((await signIn('bob', 'my password')).result.requiredChangePassword, true);
      assert.equal((await signIn('carl', '')).result ?? null, null);
      // The stronger hash that replaced the imported one accepts the same password.
      assert.equal((await signIn('ann', 'gravel staple lantern')).status, 200);
      assert.equal((await signIn('ann', 'my password')).status, 401);

      const token = (await signIn('boss', 'correct horse battery')).result.accessToken;
      const path = '/api/services/app/Audit/GetAll?action=account.created&maxResultCount=100';
      const { result } = await callProcess(service.url, 'GET', path, { token });
      const imported = result.items.filter((entry: { details: { by: string } }) => entry.details.by === 'import');
      assert.deepEqual(imported.map(({ userName }: { userName: string }) => userName).sort(), ['ann', 'bob', 'carl']);
    });

    it('imports thousands of lines, duplicates in later batches included', async () => {
      const row = (number: number) =>
        JSON.stringify({ userName: `many${number}`, emailAddress: `many${number}@example.com` });
      const rows = Array.from({ length: 1200 }, (_, number) => row(number));
      const file = write('many.jsonl', [...rows, row(3), row(700)].join('\n'));
      const { code, out, err } = await site.run(['import', 'users', file, '--dry-run']);
      assert.equal(code, 1);
      assert.match(out, /^Would import 1200, refused 2\.\nWOULD/);
      assert.match(err, /line 1202 \(many700\): Taken, by an account or by an earlier line: the user name, the e-mail/);
      assert.equal((await site.run(['import', 'users', file])).out, 'Imported 1200, refused 2.\n');
    });

    it('replaces the report, which its owner alone can read, whatever the mode of the former one', async () => {
      const report = join(site.folder, write('report.jsonl', `${'former report '.repeat(100)}\n`));
      chmodSync(report, 0o644);
      const file = write('broken.jsonl', '{"userName":"whole"}\n7');
      assert.equal((await site.run(['import', 'users', file, '--dry-run', '--report', 'report.jsonl'])).code, 1);
      assert.equal(statSync(report).mode & 0o777, 0o600);
      assert.deepEqual(readReport(), [{ line: 2, reasons: [NO_JSON] }]);
    });

    it('stops before it begins when a file cannot be used', async () => {
      const words = ['import', 'users'];
      for (const [more, line] of [
        [['missing.jsonl'], /Cannot read missing\.jsonl \(ENOENT\)/],
        [['.'], /is a folder/],
        [['users.jsonl', '--report', './users.jsonl'], /would overwrite/],
        [['users.jsonl', '--report', 'nowhere/report.jsonl'], /Cannot write the report/],
      ] as const) {
        const { code, out, err } = await site.run([...words, ...more]);
        assert.deepEqual({ code, out }, { code: 1, out: '' });
        assert.match(err, line);
      }
      assert.ok(statSync(join(site.folder, 'users.jsonl')).size > 1000);
    });
  });
}
