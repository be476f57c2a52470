// latchkey import users: people sign in with the passwords of their former systems, and the service replaces the hashes.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createDatabaseUrl, enginesAtLength } from '../support/databases.ts';
import { freshAddress, startTestService, type TestService } from '../support/service.ts';
import { createSite, SECRET, type Site } from './run.ts';

/** A person of each kind of system: the password, and what the file has. The hashes are those of the unit tests. */
const people: Readonly<Record<string, readonly [password: string, hash: string]>> = {
  django: ['táБℓə', 'pbkdf2_sha256$10000$bEwAfNrH1TlQ$OgYUblFNUX1B8GfMqaCYUK/iHyO0pa7STTDdaEJBuY0='],
  'django-bcrypt': ['táБℓə', 'bcrypt_sha256$$2a$06$kCXUnRFQptGg491siDKNTu8RxjBGSjALHRuvhPYNFsa4Ea5d9M48u'],
  keycloak: [
    'password',
    JSON.stringify({
      secretData: JSON.stringify({
        value: 'JsfNbCOIdZUbyBJ+BT+VoGI91Ec2rWLOvkLPDaX8e9k=',
        salt: 'P5rtFkGtPfoaryJ6PizUJw==',
      }),
      credentialData: JSON.stringify({ hashIterations: 27_500, algorithm: 'pbkdf2-sha256' }),
    }),
  ],
  laravel: ['lètmein', '$2y$05$JUD/ph7GBu3BsAe1pmoSKO4w7huZ/tgLzU4q0cH5JMKNVMYhSB8zW'],
  wordpress: ["it's", '$P$5saltsaltuWVnhYgxHqFOgrOS/y5T51'],
  'wordpress-6.8': ['it\'s "my" \\pass', '$wp$2y$05$0t8GtbBI5Kq9.O7v81u4b.pfadLwiCtYgGr2bnJWu8a95cdTs3X3y'],
  drupal: ['hashcat', '$S$C20340258nzjDWpoQthrdNTR02f0pmev0K/5/Nx80WSkOQcPEQRh'],
  'better-auth': [
    'ﬁnality pässwörd',
    '5d2bd9daa6cf21cf35a2a773fe5bd449:92fb024809364bde6e5be977cd10b1634b7656f6a8aa511e7fd24fde38f9e43e4e92006bdd2d5bb2281d76aed3ebae09b76b2f7910100c3fd6e291b8cc4db9f1',
  ],
  ldap: ['secret', '{SSHA}0H+zTv8o4MR4H43n03eCsvw1luG8LdB7'],
  linux: [
    'Hello world!',
    '$6$rounds=1000$saltstring1$P4XGme8k1Kqhy152lczdPhnSAy14XoJNfB0cuGm0.Y3t9XtDygueciKrhO/nD.cQh4pJ/khdUkc1iW9dLrbMz1',
  ],
  spring: ['password', '{pbkdf2}5d923b44a6d129f3ddf3e3c8d29412723dcbde72445e8ef6bf3b508fbf17fa4ed4d6b99ca763d8dc'],
  passlib: ['nacl', '$scrypt$ln=1,r=4,p=2$yhnD+J+Tci4lZCwFgHCuVQ$fAsEWmxSHuC0cHKMwKVFPzrQukgvK09Sj+NueTSxKds'],
};

/** The example of Firebase's own README. */
const firebase = {
  config: `hash_config {
  algorithm: SCRYPT,
  base64_signer_key: jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==,
  base64_salt_separator: Bw==,
  rounds: 8,
  mem_cost: 14,
}`,
  password: 'user1password',
  passwordHash: 'lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==',
  salt: '42xEC+ixf3L2lw==',
};

for (const engine of enginesAtLength) {
  describe(`hashes of other systems on ${engine}`, () => {
    let site: Site;
    let env: Record<string, string>;
    let service: TestService;
    before(async () => {
      site = await createSite(engine);
      const url = engine === 'sqlite' ? `sqlite:${join(site.folder, 'latchkey.db')}` : await createDatabaseUrl(engine);
      env = { LATCHKEY_DATABASE_URL: url, LATCHKEY_SECRET: SECRET };
      service = await startTestService(engine, { url, secret: SECRET });
    });
    after(async () => {
      await service.close();
      await site.close();
    });

    async function importRows(rows: readonly object[], ...words: string[]) {
      writeFileSync(join(site.folder, 'users.jsonl'), rows.map((row) => JSON.stringify(row)).join('\n'));
      const { code, out, err } = await site.run(
        ['import', 'users', 'users.jsonl', '--report', 'report.jsonl', ...words],
        { env },
      );
      const report = readFileSync(join(site.folder, 'report.jsonl'), 'utf8').split('\n').filter(Boolean);
      return { code, last: out.trim().split('\n').at(-1), err, report: report.map((line) => JSON.parse(line)) };
    }
    const signIn = async (userNameOrEmailAddress: string, password: string) => {
      const body = { userNameOrEmailAddress, password };
      return (await service.post('/api/TokenAuth/Authenticate', { body, ip: freshAddress() })).status;
    };
    const hashOf = async (userName: string) => {
      const { password_hash: hash } = await service.service.database.sql
        .selectFrom('account')
        .select('password_hash')
        .where('user_name', '=', userName)
        .executeTakeFirstOrThrow();
      return hash;
    };
    const examine = async () => (await site.run(['doctor'], { env })).out.match(/^warn {2}passwords .*$/m)?.[0];

    it('are imported as they are, and listed by the doctor if they are weak', async () => {
      const rows = Object.entries(people).map(([userName, [, passwordHash]]) => ({ userName, passwordHash }));
      const { code, last, report } = await importRows(rows);
      assert.deepEqual([code, last, report], [0, `Imported ${rows.length}, refused 0.`, []]);
      assert.match((await examine()) ?? '', /leaks: 1 of the kind phpass, 1 of the kind ssha\. /);
      const again = await importRows(rows, '--update');
      assert.equal(again.last, `Imported 0, unchanged ${rows.length}, refused 0.`);
    });

    for (const [userName, [password]] of Object.entries(people)) {
      it(`accept the old password once, and are replaced by argon2id: ${userName}`, async () => {
        const imported = await hashOf(userName);
        assert.equal(await signIn(userName, `${password} x`), 401);
        assert.equal(await hashOf(userName), imported, 'a wrong password replaces nothing');
        assert.equal(await signIn(userName, password), 200);
        assert.match((await hashOf(userName)) ?? '', /^\$argon2id\$v=19\$/);
        assert.equal(await signIn(userName, password), 200);
        assert.equal(await signIn(userName, `${password} x`), 401);
      });
    }

    it('are no longer listed by the doctor after that, and keep their import', async () => {
      assert.equal(await examine(), undefined);
      const [userName = '', [, passwordHash]] = Object.entries(people)[0] ?? assert.fail();
      const again = await importRows([{ userName, passwordHash }], '--update');
      assert.equal(again.last, 'Imported 0, unchanged 1, refused 0.');
    });

    it('of Firebase need the parameters of its project, whose secret is not stored', async () => {
      const { config, password, passwordHash, salt } = firebase;
      const row = { userName: 'firebase', passwordHash, salt };
      const refused = await importRows([row]);
      assert.deepEqual([refused.code, refused.report[0].reasons.length], [1, 1]);
      assert.match(refused.report[0].reasons[0], /parameters of its Firebase project.*--hash-config/);
      writeFileSync(join(site.folder, 'hash-config.txt'), config);
      assert.equal((await importRows([row], '--hash-config', 'hash-config.txt')).code, 0);
      assert.ok(!(await hashOf('firebase'))?.includes('jxspr8Ki0RYycVU8'));
      assert.equal(await signIn('firebase', `${password}1`), 401);
      assert.equal(await signIn('firebase', password), 200);
      assert.match((await hashOf('firebase')) ?? '', /^\$argon2id\$/);
      const inJson = { algorithm: 'SCRYPT', signerKey: /key: (\S+=)/.exec(config)?.[1], saltSeparator: 'Bw==' };
      const json = JSON.stringify({ hashConfig: { ...inJson, rounds: 8, memoryCost: 14 } }, null, 2);
      writeFileSync(join(site.folder, 'hash-config.json'), json);
      const again = await importRows([row], '--update', '--hash-config', 'hash-config.json');
      assert.equal(again.last, 'Imported 0, unchanged 1, refused 0.');
    });

    it('are refused with their kind, or left out when asked to', async () => {
      const rows = [
        { userName: 'plain', passwordHash: '{noop}password' },
        { userName: 'costly', passwordHash: 'pbkdf2_sha256$99999999$a$8xBlGd3jVgvJ+92hWPxi5ww0uuAuAnKgC45eudxro7c=' },
        { userName: 'long', passwordHash: 'x'.repeat(5000) },
        { userName: 'unusable', passwordHash: '!jvarTAF5anjBowuoYqYzuhppOnQY5EHRhUMk8f8G' },
        { userName: 'salted', passwordHash: firebase.passwordHash, salt: firebase.salt },
      ];
      const { code, last, report } = await importRows(rows);
      assert.deepEqual([code, last], [1, 'Imported 1, refused 4.']);
      const reasons = report.map((line: { reasons: string[] }) => line.reasons.join());
      assert.match(reasons[0] ?? '', /^passwordHash: The service cannot verify hashes of the kind "\{noop\}"\./);
      assert.match(
        reasons[1] ?? '',
        /"pbkdf2-sha256" hash would cost too much to verify: at most 2,000,000 iterations/,
      );
      assert.equal(await hashOf('unusable'), null);
      assert.equal((await importRows(rows.slice(0, 3).concat(rows.slice(4)), '--without-passwords')).code, 0);
      for (const { userName } of rows) {
        assert.equal(await hashOf(userName), null);
        assert.equal(await signIn(userName, 'password'), 401);
      }
    });

    it('need a file of parameters that has them', async () => {
      for (const [text, told] of [
        ['algorithm: SCRYPT', /has no password hash parameters of Firebase/],
        ['algorithm: BCRYPT, base64_signer_key: AAAA', /has no password hash parameters of Firebase/],
        ['x'.repeat(100_000), /no file of at most 64 KiB/],
      ] as const) {
        writeFileSync(join(site.folder, 'wrong.txt'), text);
        const { code, err } = await site.run(['import', 'users', 'users.jsonl', '--hash-config', 'wrong.txt'], { env });
        assert.deepEqual([code, told.test(err)], [1, true], err);
      }
    });
  });
}
