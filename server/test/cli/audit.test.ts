// latchkey audit: verifies the chain over the trail, in the database and in an exported file.
import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { enginesAtLength, openPatiently } from '../support/databases.ts';
import { callProcess, type TestProcess } from '../support/process.ts';
import { createSite, type Site } from './run.ts';

const FITS = /^The chain fits: (\d+) entries from 1 of \S+Z, 0 of them erased\.\nIts head is (\d+) ([\w-]{43})\n$/;

for (const engine of enginesAtLength) {
  describe(`latchkey audit on ${engine}`, () => {
    let site: Site;
    let service: TestProcess;
    let token: string;
    before(async () => {
      site = await createSite(engine);
      service = await site.serve();
      const body = { userNameOrEmailAddress: 'admin', password: 'correct horse battery' };
      const { result } = await callProcess(service.url, 'POST', '/api/TokenAuth/Authenticate', { body });
      token = result.accessToken;
    });
    after(() => site.close());

    const get = async (call: string) =>
      (await callProcess(service.url, 'GET', `/api/services/app/Audit/${call}`, { token })).result;
    const verify = (...words: string[]) => site.run(['audit', 'verify', ...words]);

    /** Returns the head when it is that of all entries. */
    async function readWholeHead(): Promise<{ sequence: number; hash: string; at: string }> {
      for (;;) {
        const [{ totalCount }, head] = [await get('GetAll?maxResultCount=1'), await get('GetHead')];
        if (head.sequence === totalCount) return head;
      }
    }

    it('verifies the chain that the running service makes', async () => {
      const head = await readWholeHead();
      const { code, out, err } = await verify();
      assert.deepEqual([code, err], [0, '']);
      const [, count, sequence, hash] = FITS.exec(out) ?? [];
      assert.deepEqual([Number(count), Number(sequence), hash], [head.sequence, head.sequence, head.hash]);
      assert.ok(!Number.isNaN(Date.parse(head.at)));
    });

    it('exports the trail with its chain, which verifies without the database', async () => {
      const { sequence, hash } = await readWholeHead();
      const file = join(site.folder, 'trail.jsonl');
      assert.deepEqual(await site.run(['audit', 'export', 'trail.jsonl']), {
        code: 0,
        out: '',
        err: 'Wrote trail.jsonl.\n',
      });
      assert.equal(statSync(file).mode & 0o777, 0o600);
      const text = readFileSync(file, 'utf8');
      assert.equal((await site.run(['audit', 'export'])).out, text, 'the same on standard output');
      const alone = { LATCHKEY_DATA_DIR: '/nowhere', LATCHKEY_DATABASE_URL: 'sqlite:/nowhere/x.db' };
      const verified = await site.run(['audit', 'verify', 'trail.jsonl', '--head', hash], { env: alone });
      assert.deepEqual([verified.code, FITS.exec(verified.out)?.[1]], [0, String(sequence)], verified.err);
      writeFileSync(file, text.replace('"signIn.password"', '"signIn.passkey"'));
      const edited = await verify('trail.jsonl');
      assert.deepEqual([edited.code, edited.out], [1, '']);
      assert.match(
        edited.err,
        /^latchkey: The chain is broken at entry \d+ \(id \d+\)\. It or its place was changed\.\n$/,
      );
    });

    it('says in one line what it cannot do', async () => {
      const failures: [words: string[], message: RegExp][] = [
        [['export', 'trail.jsonl'], /trail\.jsonl exists already: give the path of a new file/],
        [['verify', 'nothing.jsonl'], /Cannot read nothing\.jsonl \(ENOENT\)/],
        [['verify', '.'], /Cannot read \. \(EISDIR\)/],
        [['verify', 'notes.txt'], /Line 1 is not one of an export/],
        [['verify', '--head', 'unknown'], /No entry has the hash unknown/],
      ];
      writeFileSync(join(site.folder, 'notes.txt'), 'nothing\n');
      for (const [words, message] of failures) {
        const ended = await site.run(['audit', ...words]);
        assert.deepEqual([ended.code, ended.out], [1, ''], ended.err);
        assert.match(ended.err, message);
        assert.equal(ended.err.trim().split('\n').length, 1, ended.err);
      }
    });

    it('finds what somebody has changed in the database, and goes on where the newest head is known', async () => {
      const head = await readWholeHead();
      const database = await openPatiently(
        site.env.LATCHKEY_DATABASE_URL ?? `sqlite:${join(site.folder, 'data/latchkey.db')}`,
      );
      const run = (text: string) => sql.raw(text).execute(database.sql);
      await run(`update audit set ip_address = '203.0.113.9' where sequence = ${head.sequence}`);
      const edited = await verify();
      assert.equal(edited.code, 1);
      assert.match(edited.err, new RegExp(`at entry ${head.sequence} \\(id \\d+\\)\\. Its personal data were changed`));
      await run(`delete from audit where sequence = ${head.sequence}`);
      assert.match((await verify()).err, new RegExp(`at entry ${head.sequence}\\. It is missing`));
      await database.close();
    });
  });
}
