// latchkey keys and sessions: changes apply to a running service without a restart.
import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fill } from '../../../bench/fill.ts';
import { enginesAtLength } from '../support/databases.ts';
import { until } from '../support/patience.ts';
import { callProcess, type TestProcess } from '../support/process.ts';
import { itAtLength } from '../support/scale.ts';
import { createSite, type Site } from './run.ts';

it('latchkey refuses to act on what is stored where there is no database, and makes none', async () => {
  const site = await createSite('sqlite');
  const path = join(site.folder, 'nowhere', 'latchkey.db');
  writeFileSync(join(site.folder, 'latchkey.yaml'), 'roles: { Editor: }\n');
  const env = { LATCHKEY_DATABASE_URL: `sqlite:${path}` };
  for (const words of [
    ['sessions', 'end-all', '--yes'],
    ['keys', 'list'],
    ['keys', 'rotate', '--compromised'],
    ['export', 'users', 'users.jsonl'],
    ['audit', 'verify'],
    ['config', 'export'],
    ['config', 'plan', 'latchkey.yaml'],
  ]) {
    const { code, err } = await site.run(words, { env });
    assert.deepEqual([code, existsSync(path)], [1, false], words.join(' '));
    assert.match(
      err,
      /^latchkey: There is no database at .*latchkey\.db: check LATCHKEY_DATABASE_URL and LATCHKEY_DATA_DIR\.$/m,
    );
  }
  assert.equal(existsSync(join(site.folder, 'users.jsonl')), false);
  await site.close();
});

for (const engine of enginesAtLength) {
  describe(`latchkey keys and sessions beside a running service on ${engine}`, () => {
    let site: Site;
    let service: TestProcess;

    before(async () => {
      site = await createSite(engine);
      service = await site.serve();
    });
    after(() => site.close());

    async function signIn(): Promise<string> {
      const body = { userNameOrEmailAddress: 'admin', password: 'correct horse battery' };
      return (await callProcess(service.url, 'POST', '/api/TokenAuth/Authenticate', { body })).result.accessToken;
    }
    const isOpen = async (token: string) =>
      (await callProcess(service.url, 'GET', '/api/services/app/Session/GetAll', { token })).status === 200;

    async function readKids(): Promise<string[]> {
      const answer = await fetch(`${service.url}/.well-known/jwks.json`);
      const { keys } = (await answer.json()) as { keys: { kid: string }[] };
      return keys.map(({ kid }) => kid);
    }

    it('rotates: publishes the next key, and ends no session', async () => {
      const token = await signIn();
      const [first = ''] = await readKids();
      const { code, out } = await site.run(['keys', 'rotate']);
      assert.equal(code, 0);
      const [, kid = ''] = /^Made key (\S+); it signs from \S+Z\.$/m.exec(out) ?? [];
      await until(async () => (await readKids()).includes(kid));
      assert.deepEqual(await readKids(), [first, kid]);
      assert.equal(await isOpen(token), true);
      const { out: list } = await site.run(['keys', 'list']);
      assert.match(list, new RegExp(`^1 +${first} +signs `, 'm'));
      assert.match(list, new RegExp(`^2 +${kid} +next `, 'm'));
    });

    it('drops compromised keys: the service refuses all tokens they signed', async () => {
      const token = await signIn();
      const { code, out } = await site.run(['keys', 'rotate', '--compromised']);
      assert.equal(code, 0);
      const [, kid = ''] = /^Made key (\S+);/m.exec(out) ?? [];
      await until(async () => !(await isOpen(token)));
      assert.deepEqual(await readKids(), [kid]);
      assert.equal(await isOpen(await signIn()), true);
    });

    it('ends all sessions, but only with confirmation', async () => {
      const tokens = [await signIn(), await signIn()];
      const asked = await site.run(['sessions', 'end-all']);
      assert.deepEqual({ code: asked.code, out: asked.out }, { code: 2, out: '' });
      assert.match(asked.err, /--yes/);
      assert.equal(await isOpen(tokens[0] ?? ''), true);
      const { code, out } = await site.run(['sessions', 'end-all', '--yes']);
      assert.equal(code, 0);
      assert.match(out, /^Ended [2-9] sessions\.$/m);
      for (const token of tokens) assert.equal(await isOpen(token), false);
      assert.equal((await site.run(['sessions', 'end-all', '--yes'])).out, 'Ended 0 sessions.\n');
    });

    itAtLength('ends the sessions of a large installation', async () => {
      const count = 500_000;
      await fill(site.env.LATCHKEY_DATABASE_URL ?? `sqlite:${join(site.folder, 'data/latchkey.db')}`, count);
      const token = await signIn();
      const { out, err } = await site.run(['sessions', 'end-all', '--yes']);
      assert.deepEqual({ out, err }, { out: `Ended ${count + 1} sessions.\n`, err: '' });
      assert.equal(await isOpen(token), false);
    });
  });
}

describe('a command on an embedded database that was restored', () => {
  it('ends all sessions before it adds to the audit trail, which would hide that the database is older', async () => {
    const site = await createSite('sqlite');
    const { DatabaseSync } = await import('node:sqlite');
    try {
      assert.equal((await site.run(['user', 'create', 'ann'])).code, 0);
      writeFileSync(`${site.folder}/data/latchkey.mark`, '0000000000000900');
      const { code, err } = await site.run(['user', 'create', 'bob']);
      assert.equal(code, 0);
      assert.match(err, /restored, and all sessions are ended/);
      const db = new DatabaseSync(`${site.folder}/data/latchkey.db`);
      const rows = db.prepare('select action from audit order by id').all();
      db.close();
      assert.deepEqual(
        rows.map(({ action }) => action),
        ['key.rotated', 'account.created', 'session.allEnded', 'account.created'],
      );
      assert.equal((await site.run(['user', 'list'])).err, '');
    } finally {
      await site.close();
    }
  });
});
