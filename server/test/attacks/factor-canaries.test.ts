// Canaries of second factors: their secrets, codes, challenges and device tokens are in no log, table, audit entry or answer
// but the one that issues them.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { type Engine, engines } from '../support/databases.ts';
import { type App, useFactors } from '../support/factors.ts';
import { startTestService, type TestAnswer, type TestService, USER_PASSWORD } from '../support/service.ts';

const API = '/api/services/app';

/** They hold something of these secrets. */
const TABLES = ['authenticator', 'recovery_code', 'trusted_device', 'factor_operation', 'login_flow', 'audit'];

for (const engine of engines) describe(`canaries of second factors on ${engine}`, () => suite(engine));

function suite(engine: Engine) {
  let test: TestService;
  const secrets = new Map<string, string>();
  const answers: TestAnswer[] = [];

  before(async () => {
    test = await startTestService(engine);
    await sing();
  });
  after(() => test.close());

  /** Sends every call that takes or gives a secret of a factor, with valid and invalid input. */
  async function sing() {
    const factors = useFactors({ here: test, there: test, close: test.close });
    await factors.allow({ trustedDeviceDays: 30 });
    const addresses = { emailAddress: 'thandi@example.org', isEmailConfirmed: true };
    const userId = await test.createUser('thandi', addresses);
    let token = await test.signIn('thandi');
    const begun = await factors.begin(token);
    answers.push(await factors.confirm(token, begun.operationId, factors.wrongCode(begun)));
    const code = factors.nextCode(begun);
    const confirmed = await factors.confirm(token, begun.operationId, code);
    const app: App = { secret: begun.secret, codes: confirmed.result.recoveryCodes };
    keep({ secret: app.secret, operation: begun.operationId, ...namedCodes('first', app.codes) });
    const challengeToken = await factors.challenge('thandi');
    const next = factors.nextCode(app);
    const verified = await factors.verify(challengeToken, next, { rememberClient: true });
    keep({ challenge: challengeToken, device: verified.result.twoFactorRememberClientToken ?? '' });
    answers.push(await factors.verify(challengeToken, next));
    answers.push(await factors.verify(await factors.challenge('thandi'), 'canary-wrong', { provider: 'RecoveryCode' }));
    answers.push(await factors.verify('canary-challenge', 'canary-code'));
    keep({ wrong: 'canary-wrong', unknown: 'canary-challenge', code: 'canary-code', device2: 'canary-device' });
    await factors.signIn('thandi', { twoFactorRememberClientToken: 'canary-device' });
    const used = app.codes[0] ?? '';
    await factors.verify(await factors.challenge('thandi'), used, { provider: 'RecoveryCode' });
    const reauthenticate = (body: object) => test.post('/api/TokenAuth/Reauthenticate', { token, body });
    answers.push(await reauthenticate({ code: 'canary-code' }));
    answers.push(await reauthenticate({ recoveryCode: 'canary-wrong' }));
    token = (await reauthenticate({ recoveryCode: app.codes[1] })).result.accessToken;
    const currentPassword = USER_PASSWORD;
    const regenerated = await test.post(`${API}/RecoveryCode/Regenerate`, { token, body: { currentPassword } });
    keep(namedCodes('second', regenerated.result.recoveryCodes));
    answers.push(await test.get(`${API}/Factor/GetAll`, { token }));
    await test.deliver();
    answers.push(await test.get(`${API}/User/Get`, { token: await test.admin(), query: { id: userId } }));
    for (const list of ['Audit', 'Outbox'] as const) {
      const query = { maxResultCount: 100 };
      answers.push(await test.get(`${API}/${list}/GetAll`, { token: await test.admin(), query }));
    }
    await sql`alter table recovery_code rename column account_id to id_away`.execute(test.service.database.sql);
    const broken = await test.post(`${API}/RecoveryCode/Regenerate`, { token, body: { currentPassword } });
    answers.push(broken);
    assert.equal(broken.status, 500);
    await sql`alter table recovery_code rename column id_away to account_id`.execute(test.service.database.sql);
    // The new codes have ended what was begun and remembered before.
    const last = await factors.signInWithBoth('thandi', app, { rememberClient: true });
    const open = await factors.begin(token);
    keep({ lastDevice: last.twoFactorRememberClientToken ?? '', lastSecret: open.secret, lastId: open.operationId });
    keep({ lastChallenge: await factors.challenge('thandi') });
  }

  function keep(more: Readonly<Record<string, string>>) {
    for (const [name, secret] of Object.entries(more)) {
      assert.ok(secret, name);
      secrets.set(name, secret);
    }
  }
  const namedCodes = (name: string, codes: readonly string[]) =>
    Object.fromEntries(codes.map((code, index) => [`${name} ${index}`, code]));

  function assertFree(text: string, where: string) {
    for (const [name, secret] of secrets) {
      for (const form of [secret, secret.replaceAll('-', ''), Buffer.from(secret).toString('base64url')]) {
        assert.equal(text.includes(form), false, `${where} holds "${name}"`);
      }
    }
  }

  it('are in no log line and in no printed message', () => {
    assert.match(test.logs.join(''), /service\.error/, 'the log has a failure to search');
    assertFree(test.logs.join(''), 'the log');
    assert.match(test.printed.join(''), /second factors/, 'the outbox has messages to search');
    assertFree(test.printed.join(''), 'the outbox');
  });

  it('are in no column of the database', async () => {
    const { sql: statements } = test.service.database;
    const names =
      engine === 'sqlite'
        ? sql<{ name: string }>`select name from sqlite_master where type = 'table'`
        : sql<{ name: string }>`select table_name as name from information_schema.tables where table_schema = 'public'`;
    for (const { name } of (await names.execute(statements)).rows) {
      const { rows } = await sql`select * from ${sql.table(name)}`.execute(statements);
      if (TABLES.includes(name)) assert.ok(rows.length > 0, name);
      assertFree(JSON.stringify(rows), `the table ${name}`);
    }
  });

  it('are in no later answer', () => {
    assert.ok(answers.length >= 9);
    for (const { text, headers } of answers) assertFree(text + JSON.stringify(headers), text.slice(0, 200));
  });
}
