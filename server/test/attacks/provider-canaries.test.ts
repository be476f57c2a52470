// Canaries of external providers: their client secrets and private keys are in no log, table, audit entry, history, export or answer.
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import type { Egress } from '../../src/foundation/egress.ts';
import { type Engine, engines } from '../support/databases.ts';
import { startTestService, type TestAnswer, type TestService } from '../support/service.ts';

const API = '/api/services/app';
const PROVIDER = `${API}/ExternalProvider`;
const REDIRECT_URI = 'https://id.example.com/login/external/here';

const newKey = () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
};
/** The line with the key itself. */
const bodyOf = (pem: string) => pem.split('\n')[1] ?? assert.fail();

const [FIRST_KEY, SECOND_KEY] = [newKey(), newKey()];
const SECRETS = {
  first: 'canary-of-the-first-secret',
  second: 'canary & of % the+second secret',
  refused: 'canary-of-a-refused-secret',
  broken: 'canary-of-a-secret-that-was-not-stored',
  firstKey: bodyOf(FIRST_KEY),
  secondKey: bodyOf(SECOND_KEY),
};

/** Fails with all that it was given, as a careless library would. What it was given is noted. */
function createLeakyEgress(given: string[]): Egress {
  return {
    check() {},
    async fetch(address, { headers = {}, body = '' }) {
      const { authorization = '' } = headers;
      given.push(body, Buffer.from(authorization.replace(/^Basic /, ''), 'base64').toString());
      const cause = Object.assign(new Error(`refused: ${body}`), { request: { headers, body } });
      throw new Error(`${address}?${body} ${authorization}`, { cause });
    },
  };
}

for (const engine of engines) describe(`canaries of external providers on ${engine}`, () => suite(engine));

function suite(engine: Engine) {
  let test: TestService;
  let token: string;
  let google: string;
  const given: string[] = [];
  const answers: TestAnswer[] = [];

  before(async () => {
    test = await startTestService(engine, { egress: createLeakyEgress(given) });
    token = await test.admin();
    await sing();
  });
  after(() => test.close());

  async function call(method: 'GET' | 'POST' | 'PUT', path: string, body: object, status: number) {
    const answer = await test.send(method, path, { token, ...(method === 'GET' ? { query: { ...body } } : { body }) });
    assert.equal(answer.status, status, answer.text);
    answers.push(answer);
    return answer.result as { id: string };
  }
  const create = (body: object, status = 200) => call('POST', `${PROVIDER}/Create`, { clientId: 'x', ...body }, status);
  const update = (body: object, status = 200) => call('PUT', `${PROVIDER}/Update`, body, status);

  /** Comes back from a provider of this name with a code. */
  async function comeBack(name: string) {
    const begun = await test.post(`${API}/ExternalLogin/Begin`, { body: { name, redirectUri: REDIRECT_URI } });
    const { address, request } = begun.result;
    const state = new URL(address).searchParams.get('state') ?? '';
    const iss = name === 'GitHub' ? { iss: 'https://github.com/login/oauth' } : {};
    const body = { authProvider: name, request, state, code: 'a code', ...iss };
    await call('POST', '/api/TokenAuth/ExternalAuthenticateByCode', body, 502);
  }

  /** Sends every call that takes a secret, with valid and invalid input, and uses the secrets. */
  async function sing() {
    const apple = { type: 'apple', teamId: 'A1B2C3D4E5', keyId: 'F6G7H8I9J0' };
    google = (await create({ type: 'google', name: 'Google', clientSecret: SECRETS.first })).id;
    await create({ type: 'google', name: 'Google', clientSecret: SECRETS.refused }, 409);
    await create({ type: 'google', name: 'Other', clientSecret: `${SECRETS.refused} ` }, 400);
    await create({ type: 'google', name: 'Other', clientSecret: [SECRETS.refused] }, 400);
    await create({ type: 'google', name: 'Other', scopes: SECRETS.refused, clientSecret: SECRETS.refused }, 400);
    await create({ ...apple, name: 'Other', privateKey: FIRST_KEY.replace('BEGIN', 'BEGUN') }, 400);
    const { id } = await create({ ...apple, name: 'Apple', privateKey: FIRST_KEY });
    await create({ type: 'github', name: 'GitHub', clientSecret: SECRETS.first });
    for (const name of ['GitHub', 'Apple']) await comeBack(name);
    await update({ id: google, clientSecret: SECRETS.second, isEnabled: false });
    await update({ id, privateKey: SECOND_KEY, clientSecret: null });
    await update({ id, clientSecret: SECRETS.refused }, 400);
    test.clock.advance(20);
    await comeBack('Apple');
    for (const one of [google, id]) await call('POST', `${PROVIDER}/Test`, { id: one }, 200);
    const rename = (from: string, to: string) =>
      sql`alter table external_provider_change rename column ${sql.ref(from)} to ${sql.ref(to)}`.execute(
        test.service.database.sql,
      );
    await rename('changes', 'changes_away');
    await update({ id: google, clientSecret: SECRETS.broken }, 500);
    await rename('changes_away', 'changes');
    for (const path of ['Get', 'GetHistory']) await call('GET', `${PROVIDER}/${path}`, { id: google }, 200);
    for (const path of ['GetAll', 'GetTypes']) await call('GET', `${PROVIDER}/${path}`, {}, 200);
    await call('GET', '/api/TokenAuth/GetExternalAuthenticationProviders', {}, 200);
    await call('GET', `${API}/ExternalLogin/GetSignInPages`, {}, 200);
  }

  function assertFree(text: string, where: string) {
    for (const [name, secret] of Object.entries(SECRETS)) {
      const inForm = new URLSearchParams({ '': secret }).toString().slice(1);
      for (const form of [secret, encodeURIComponent(secret), inForm, Buffer.from(secret).toString('base64url')])
        assert.equal(text.includes(form), false, `${where} holds "${name}"`);
    }
  }

  it('reach the provider alone', () => {
    assert.ok(given.some((text) => new URLSearchParams(text).get('client_secret') === SECRETS.first));
    assert.ok(given.every((text) => !text.includes(SECRETS.firstKey) && !text.includes(SECRETS.secondKey)));
  });

  it('are in no log line and in no printed message', () => {
    const logged = test.logs.join('');
    assert.match(logged, /could not be asked/, 'the log has failures to search');
    assert.match(logged, /service\.error/);
    assertFree(logged, 'the log');
    assertFree(test.printed.join(''), 'what was printed');
  });

  it('are in no column of the database', async () => {
    const { sql: statements } = test.service.database;
    const names =
      engine === 'sqlite'
        ? sql<{ name: string }>`select name from sqlite_master where type = 'table'`
        : sql<{ name: string }>`select table_name as name from information_schema.tables where table_schema = 'public'`;
    for (const { name } of (await names.execute(statements)).rows) {
      const { rows } = await sql`select * from ${sql.table(name)}`.execute(statements);
      if (['external_provider', 'external_provider_change', 'audit'].includes(name)) assert.ok(rows.length > 1, name);
      assertFree(JSON.stringify(rows), `the table ${name}`);
    }
  });

  it('are in no answer, and in nothing that is handed out', async () => {
    for (const status of [400, 409, 500, 502]) assert.ok(answers.some((answer) => answer.status === status));
    for (const { text, headers } of answers) assertFree(text + JSON.stringify(headers), text.slice(0, 200));
    const { result: me } = await test.get(`${API}/Session/GetCurrentLoginInfo`, { token });
    await test.service.chainer.chainAll();
    const key = await test.createServiceKey('collector', ['audit']);
    const exports: [path: string, query: Record<string, string>, by: string][] = [
      [`${API}/Audit/Export`, { format: 'csv' }, token],
      [`${API}/Audit/Export`, { format: 'jsonl' }, token],
      [`${API}/Audit/GetAll`, { maxResultCount: '100' }, token],
      [`${API}/User/ExportPerson`, { userId: String(me.user?.id) }, token],
      ['/api/audit-feed', {}, key],
    ];
    for (const [path, query, by] of exports) {
      const { status, text } = await test.send('GET', path, { token: by, query });
      assert.equal(status, 200, `${path}: ${text}`);
      assert.match(text, /externalProvider\.updated|externalProviderChanges/, path);
      assertFree(text, path);
    }
    for (const path of ['/metrics', '/openapi.json']) {
      const { text } = await test.get(path, { ip: '127.0.0.1' });
      assertFree(text, path);
    }
  });
}
