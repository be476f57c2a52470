// Migration of e-mail keys: accounts of older programs keep their data, and one mailbox belongs to one account.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { administrationActions } from '../../src/account-changes/declarations.ts';
import { createAccountStore } from '../../src/accounts/index.ts';
import { foldCase } from '../../src/foundation/case-folding.ts';
import type { Instant } from '../../src/foundation/clock.ts';
import { systemRandom } from '../../src/foundation/random.ts';
import { openDatabase } from '../../src/storage/open.ts';
import { createDatabaseUrl, createFormerDatabase, engines, PATIENT } from '../support/databases.ts';

const MIGRATION = 'email-addresses';

/** An account as the previous program stored it. */
type Old = { userName: string; email?: string; confirmed?: boolean; emailKey?: string };

const folder = mkdtempSync(join(tmpdir(), 'latchkey-email-'));
after(() => rmSync(folder, { recursive: true }));
let files = 0;

for (const engine of engines) {
  describe(`e-mail keys of older programs on ${engine}`, () => {
    /** A database that the previous program has left with these accounts, numbered from 1. */
    async function createOld(accounts: readonly Old[], next = MIGRATION): Promise<string> {
      const url = engine === 'sqlite' ? `sqlite:${join(folder, `${files++}.db`)}` : await createDatabaseUrl(engine);
      const rows = accounts.map(({ userName, email, confirmed = true, emailKey }) => ({
        person_id: userName,
        user_name: userName,
        user_name_key: foldCase(userName),
        name: '',
        surname: '',
        email: email ?? null,
        email_key: emailKey ?? (email === undefined ? null : foldCase(email)),
        is_email_confirmed: confirmed ? (1 as const) : (0 as const),
        is_mobile_confirmed: 0 as const,
        is_active: 1 as const,
        must_change_password: 0 as const,
        password_version: 3,
        roles: '[]',
        created_at: 0 as Instant,
      }));
      await createFormerDatabase(engine, url, next, async (db) => {
        for (let at = 0; at < rows.length; at += 500) {
          await db
            .insertInto('account')
            .values(rows.slice(at, at + 500))
            .execute();
        }
      });
      return url;
    }

    /** Starts this program on the database. */
    async function upgrade(url: string) {
      const notices: string[] = [];
      const database = await openDatabase(url, { timeLimits: PATIENT, onNotice: (notice) => notices.push(notice) });
      const accounts = createAccountStore(database, systemRandom);
      const find = async (name: string) => (await accounts.findByName(database.sql, name))?.id;
      const trail = await database.sql.selectFrom('audit').selectAll().orderBy('user_id').execute();
      const stored = await database.sql.selectFrom('account').selectAll().orderBy('id').execute();
      return { database, notices, find, trail, stored };
    }

    it('follow the domain, in any spelling, and nothing else of the account changes', async () => {
      const url = await createOld([
        { userName: 'plain', email: 'Plain@Example.COM' },
        { userName: 'jo@例え.jp', email: 'jo@例え.jp' },
        { userName: 'dot', email: 'dot@example.com.', confirmed: false },
        { userName: 'lenient', email: '.lenient@example。com' },
        { userName: 'ａｎｎ' },
        { userName: 'path', email: 'path@example.com/x' },
      ]);
      const { database, notices, find, trail, stored } = await upgrade(url);
      try {
        assert.deepEqual(
          stored.map(({ user_name, user_name_key, email, email_key }) => [user_name, user_name_key, email, email_key]),
          [
            ['plain', 'plain', 'Plain@Example.COM', 'plain@example.com'],
            ['jo@例え.jp', 'jo@xn--r8jz45g.jp', 'jo@xn--r8jz45g.jp', 'jo@xn--r8jz45g.jp'],
            ['dot', 'dot', 'dot@example.com', 'dot@example.com'],
            ['lenient', 'lenient', '.lenient@example.com', '.lenient@example.com'],
            ['ａｎｎ', 'ann', null, null],
            ['path', 'path', 'path@example.com/x', 'path@example.com/x'],
          ],
        );
        assert.deepEqual([notices, trail], [[], []]);
        assert.ok(stored.every((row) => row.password_version === 3));
        for (const name of ['jo@例え.jp', 'JO@例え。JP.', 'jo@xn--r8jz45g.jp']) assert.equal(await find(name), 2, name);
        for (const name of ['dot@example.com', 'dot@example.com.']) assert.equal(await find(name), 3, name);
      } finally {
        await database.close();
      }
    });

    it('that become equal stay with the account that has the key, else a confirmed one, else the older one', async () => {
      const url = await createOld([
        { userName: 'late', email: 'one@example.com.' },
        { userName: 'holder', email: 'one@example.com', confirmed: false },
        { userName: 'unproven', email: 'two@example.org.', confirmed: false },
        { userName: 'proven', email: 'two@example。org' },
        { userName: 'older', email: 'three@例え.jp' },
        { userName: 'younger', email: 'three@例え。jp' },
        { userName: 'four@example.com.', email: 'four@example.com.' },
        { userName: 'four', email: 'four@example.com' },
      ]);
      const { database, notices, find, trail, stored } = await upgrade(url);
      try {
        assert.equal(await find('one@example.com.'), 2);
        assert.equal(await find('two@example.org'), 4);
        assert.equal(await find('three@xn--r8jz45g.jp'), 5);
        for (const name of ['four@example.com', 'FOUR@example.com.']) assert.equal(await find(name), 8, name);
        const left = stored.filter(({ id }) => [1, 3, 6, 7].includes(id));
        assert.deepEqual(
          left.map(({ user_name, user_name_key, email, email_key }) => [user_name, user_name_key, email, email_key]),
          [
            ['late', 'late', 'one@example.com.', 'one@example.com.'],
            ['unproven', 'unproven', 'two@example.org.', 'two@example.org.'],
            ['younger', 'younger', 'three@例え。jp', 'three@例え。jp'],
            ['four@example.com.', 'four@example.com.', 'four@example.com.', 'four@example.com.'],
          ],
        );
        for (const [id, name] of [
          [1, 'late'],
          [3, 'unproven'],
          [6, 'younger'],
        ] as const) {
          assert.equal(await find(name), id);
        }
        assert.deepEqual(
          trail.map(({ action, reason, user_id, details }) => [action, reason, user_id, JSON.parse(details ?? '')]),
          [
            [1, 2],
            [3, 4],
            [6, 5],
            [7, 8],
          ].map(([id, heldBy]) => [administrationActions.emailAddressShared.name, 'account.duplicate', id, { heldBy }]),
        );
        assert.equal(notices.length, 1);
        assert.match(notices[0] ?? '', /^4 accounts are no longer found .*1 \(found: 2\)/);
        assert.doesNotMatch(notices[0] ?? '', /example/, 'a log line holds no address');
      } finally {
        await database.close();
      }
    });

    it('that another account gives up go to the account that owns the address', async () => {
      // `ß` was folded to `ss`, which is another domain.
      const url = await createOld([
        { userName: 'dot', email: 'x@strasse.de.' },
        { userName: 'sharp', email: 'x@straße.de' },
      ]);
      const { database, notices, find } = await upgrade(url);
      try {
        assert.deepEqual([await find('x@strasse.de'), await find('x@STRAẞE.de'), notices], [1, 2, []]);
      } finally {
        await database.close();
      }
    });

    it('hold no mark that people cannot see, and a name with such a mark is found without it', async () => {
      const url = await createOld(
        [
          { userName: 'an\u200bna', email: '\u200fanna@example.com' },
          { userName: 'be\u034fa' },
          { userName: 'bea', email: 'bea@example.com' },
        ],
        'typed-names',
      );
      const { database, notices, find, stored } = await upgrade(url);
      try {
        for (const name of ['anna', 'an\u200bna', 'anna@example.com']) assert.equal(await find(name), 1, name);
        assert.equal(stored[0]?.email, 'anna@example.com');
        assert.equal(await find('bea'), 3, 'the account that has the key keeps it');
        assert.match(notices[0] ?? '', /^1 accounts are no longer found .*2 \(found: 3\)/);
      } finally {
        await database.close();
      }
    });

    it('are migrated in batches, and once', async () => {
      const people = Array.from({ length: 2500 }, (_, n) => ({
        userName: `p${n}`,
        email: `p${n}@example${n % 2 ? '.com' : '。com'}`,
      }));
      const url = await createOld(people);
      for (const _ of [1, 2]) {
        const { database, notices, stored } = await upgrade(url);
        await database.close();
        assert.deepEqual(notices, []);
        assert.ok(stored.every(({ email, email_key }, n) => email === `p${n}@example.com` && email_key === email));
      }
    });
  });
}
