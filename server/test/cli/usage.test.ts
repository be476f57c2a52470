// Unknown words, and failures before a command begins: one clear line, the right exit code, no stack.
import assert from 'node:assert/strict';
import { closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { createSite, SECRET, type Site, startCommandLine } from './run.ts';

describe('the command line', () => {
  let site: Site;
  before(async () => {
    site = await createSite('sqlite');
  });
  after(() => site.close());

  /** Asserts one matching line on standard error, and no other output. */
  async function failsWith(code: number, line: RegExp, words: string[], env: Record<string, string> = {}) {
    const ended = await site.run(words, { env });
    assert.equal(ended.code, code, ended.err);
    assert.equal(ended.out, '');
    assert.match(ended.err, /^latchkey: [^\n]+\n$/);
    assert.match(ended.err, line);
    return ended;
  }

  it('prints help without arguments, and for each command', async () => {
    for (const words of [[], ['--help'], ['-h']]) {
      const { code, out, err } = await site.run(words);
      assert.deepEqual({ code, err }, { code: 0, err: '' });
      for (const command of ['serve', 'user create', 'keys rotate', 'sessions end-all', 'import users', 'doctor']) {
        assert.match(out, new RegExp(`^  ${command} `, 'm'));
      }
    }
    const { out: ofGroup } = await site.run(['user']);
    assert.match(ofGroup, /user list/);
    assert.doesNotMatch(ofGroup, /keys/);
    const { out: ofOne } = await site.run(['user', 'create', '--help']);
    assert.match(ofOne, /--password-stdin/);
    assert.match((await site.run(['--version'])).out, /^latchkey \d+\.\d+\.\d+\n$/);
  });

  it('fails if its output cannot be written, such as on a full disk', async () => {
    const output = openSync('/dev/full', 'w');
    for (const words of [['--help'], ['user', 'create', 'ann'], ['config', 'export'], ['audit', 'export']]) {
      const { code, err } = await startCommandLine(words, site.env, { cwd: site.folder, output }).ended;
      assert.equal(code, 1, words.join(' '));
      assert.match(err, /^latchkey: The output cannot be written \(ENOSPC\): check its disk\. [^\n]+\n$/);
    }
    closeSync(output);
  });

  it('goes on when nobody reads its output any more, and fails only if it has written that alone', async () => {
    const rows = ['userName;emailAddress', ...Array.from({ length: 500 }, (_, index) => `reader${index};`)];
    writeFileSync(join(site.folder, 'staff.csv'), rows.join('\n'));
    const runUnread = (words: readonly string[]) => {
      const { child, ended } = startCommandLine(words, site.env, { cwd: site.folder });
      child.stdout?.destroy();
      return ended;
    };
    assert.deepEqual(await runUnread(['import', 'users', 'staff.csv']), { code: 0, out: '', err: '' });
    const { out } = await site.run(['user', 'list', '--search', 'reader499', '--json']);
    assert.equal(out.split('\n').length, 2);
    assert.deepEqual(await runUnread(['audit', 'export']), { code: 1, out: '', err: '' });
  });

  it('refuses unknown words with exit code 2', async () => {
    await failsWith(2, /no command "usr"/, ['usr']);
    await failsWith(2, /no command "user creat"/, ['user', 'creat', 'ann']);
    await failsWith(2, /no option --foo/, ['--foo']);
    await failsWith(2, /--foo/, ['user', 'list', '--foo']);
    await failsWith(2, /needs USERNAME/, ['user', 'create']);
    await failsWith(2, /needs NAME/, ['user', 'unlock']);
    await failsWith(2, /--search/, ['user', 'list', '--search']);
    await failsWith(2, /--search/, ['user', 'list', '--search', '--json']);
  });

  it('takes values that begin with a hyphen, as hashes in base64url do', async () => {
    for (const value of ['-J4x', '--J4x', '-0', '-']) {
      for (const words of [['--search', value], [`--search=${value}`]]) {
        const { code, out, err } = await site.run(['user', 'list', '--json', ...words]);
        assert.deepEqual({ code, out, err }, { code: 0, out: '', err: '' }, words.join(' '));
      }
    }
  });

  it('neither accepts nor repeats a password as an argument', async () => {
    for (const words of [
      ['user', 'create', 'ann', '--password', 'hunter2hunter2'],
      ['user', 'create', 'ann', '--password=hunter2hunter2'],
      ['user', 'create', 'ann', 'hunter2hunter2'],
      ['user', 'reset-password', 'ann', '--password-stdin=hunter2hunter2'],
    ]) {
      const { err } = await failsWith(2, /./, words);
      assert.doesNotMatch(err, /hunter2/);
    }
  });

  it('names the variable that is wrong, for every command that needs it', async () => {
    for (const words of [['serve'], ['user', 'list'], ['keys', 'list']]) {
      await failsWith(1, /LATCHKEY_PORT/, words, { LATCHKEY_PORT: 'eighty' });
    }
    await failsWith(1, /LATCHKEY_PUBLIC_URL/, ['serve'], { LATCHKEY_MODE: 'production' });
  });

  it('reports an unreachable database, and never its address', async () => {
    const env = { LATCHKEY_DATABASE_URL: 'postgres://me:hunter2@127.0.0.1:1/none', LATCHKEY_SECRET: SECRET };
    for (const words of [['serve'], ['user', 'list']]) {
      const { err } = await failsWith(1, /LATCHKEY_DATABASE_URL.*ECONNREFUSED/, words, env);
      assert.doesNotMatch(err, /hunter2/);
    }
  });

  it('reports in one line what is wrong with the files', async () => {
    const file = join(site.folder, 'a-file');
    writeFileSync(file, '');
    await failsWith(1, /LATCHKEY_DATA_DIR/, ['user', 'list'], { LATCHKEY_DATA_DIR: join(file, 'data') });
    const damaged = join(site.folder, 'damaged');
    mkdirSync(damaged);
    writeFileSync(
      join(damaged, 'latchkey.db'),
      'this is no database, but it is long enough to look like one'.repeat(20),
    );
    await failsWith(1, /LATCHKEY_DATABASE_URL.*not a database/, ['user', 'list'], { LATCHKEY_DATA_DIR: damaged });
  });

  it('refuses a database that a newer program has migrated, and a secret that does not match', async () => {
    const dataDir = join(site.folder, 'newer');
    assert.equal((await site.run(['user', 'list'], { env: { LATCHKEY_DATA_DIR: dataDir } })).code, 0);
    await failsWith(1, /LATCHKEY_SECRET/, ['user', 'list'], { LATCHKEY_DATA_DIR: dataDir, LATCHKEY_SECRET: SECRET });
    const db = new DatabaseSync(join(dataDir, 'latchkey.db'));
    db.exec("insert into schema_migration (number, name) values (99, 'future')");
    db.close();
    await failsWith(1, /version 99.*newer program/, ['serve'], { LATCHKEY_DATA_DIR: dataDir });
  });

  it('reports that the port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as { port: number };
    try {
      const { code, err } = await site.run(['serve'], {
        env: { LATCHKEY_PORT: String(port), LATCHKEY_LOG_LEVEL: 'silent' },
      });
      assert.equal(code, 1);
      assert.match(err, /^latchkey: LATCHKEY_PORT is in use[^\n]+\n$/);
    } finally {
      other.close();
    }
  });
});
