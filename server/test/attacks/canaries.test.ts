// Canaries: tests send secrets of every kind through every call, and then search all output for them.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { ExternalAuthProviderApiBase } from '../../src/providers/index.ts';
import { readResult } from '../support/answers.ts';
import { type Engine, engines } from '../support/databases.ts';
import { claimsOf } from '../support/forge.ts';
import { createPerson, createTestProvider } from '../support/providers.ts';
import {
  ADMIN_PASSWORD,
  startTestService,
  TEST_SECRET,
  type TestAnswer,
  type TestCall,
  type TestService,
} from '../support/service.ts';

const AUTHENTICATE = '/api/TokenAuth/Authenticate';
const EXTERNAL = '/api/TokenAuth/ExternalAuthenticateAsync';
const REFRESH = '/api/TokenAuth/RefreshTokenAsync';
const SIGN_OFF = '/api/TokenAuth/SignOff';
const WHO = '/api/services/app/Session/GetCurrentLoginInfo';
const SESSIONS = '/api/services/app/Session/GetAll';
const USER = '/api/services/app/User';

/** Passwords that were right, wrong, typed into the wrong field, or never accepted. */
const CANARIES = {
  right: 'canary first plumage',
  changed: 'canary second plumage',
  reset: 'canary third plumage',
  wrong: 'canary wrong plumage',
  typedAsName: 'canaryInTheNameField',
  // With a character that no random text in base64 has: it is short enough to occur there by chance.
  weak: 'c@nry',
  inQuery: 'canaryInTheQuery',
  inMalformed: 'canaryInBrokenJson',
  nested: 'canaryInAnObject',
  long: `canaryLong${'x'.repeat(5000)}`,
};

/** Throws all secrets that it knows. */
class Leaky extends ExternalAuthProviderApiBase {
  async getUserInfoAsync(code: string): Promise<never> {
    const { clientSecret } = this.providerInfo;
    const cause = Object.assign(new Error(`refused: ${clientSecret}`), { request: { clientSecret, body: code } });
    throw new Error(`https://provider.example/?code=${encodeURIComponent(code)} ${code}`, { cause });
  }

  override async getSignInAddressAsync(): Promise<string> {
    return `http://provider.example/?client_secret=${this.providerInfo.clientSecret}`;
  }
}

for (const engine of engines) describe(`canaries on ${engine}`, () => suite(engine));

function suite(engine: Engine) {
  let test: TestService;
  const tokens: string[] = [];
  const acme = createTestProvider('Acme');
  const accessCodes = ['canary code of nobody'];
  const answers: { what: string; answer: TestAnswer }[] = [];
  before(async () => {
    const leaky = { ...acme.info, name: 'Leaky', providerApiType: Leaky };
    test = await startTestService(engine, { additions: { providers: [acme.info, leaky] } });
    await sing();
  });
  after(() => test.close());

  async function call<M extends 'GET' | 'POST' | 'PUT', Path extends string>(
    method: M,
    path: Path,
    options: TestCall,
    status: number,
  ) {
    const answer = await test.send(method, path, options);
    const what = `${method} ${path} ${JSON.stringify(options.body ?? options.query ?? {}).slice(0, 80)}`;
    assert.equal(answer.status, status, `${what}: ${answer.text}`);
    const issued = readResult(answer)?.accessToken;
    if (issued) tokens.push(issued);
    answers.push({ what, answer });
    return answer;
  }

  const signIn = (userNameOrEmailAddress: unknown, password: unknown, status: number) =>
    call('POST', AUTHENTICATE, { body: { userNameOrEmailAddress, password } }, status);

  /** Sends every call that takes a secret, with valid and invalid input. */
  async function sing() {
    const admin = (await signIn('admin', ADMIN_PASSWORD, 200)).result.accessToken;
    const thandi = { userName: 'thandi', password: CANARIES.right };
    const { result } = await call('POST', `${USER}/Create`, { token: admin, body: thandi }, 200);
    await call('POST', `${USER}/Create`, { token: admin, body: thandi }, 409);
    await call('POST', `${USER}/Create`, { token: admin, body: { userName: 'sipho', password: CANARIES.weak } }, 400);
    await call('POST', `${USER}/Create`, { token: admin, body: { userName: 'sipho', password: CANARIES.long } }, 400);

    await signIn('thandi', CANARIES.wrong, 401);
    await signIn('nobody', CANARIES.wrong, 401);
    await signIn(CANARIES.typedAsName, CANARIES.wrong, 401);
    await signIn('thandi', CANARIES.long, 400);
    await signIn('thandi', { $ne: CANARIES.nested }, 400);
    await signIn('thandi', [CANARIES.nested], 400);
    await call('POST', AUTHENTICATE, { query: { userNameOrEmailAddress: 'thandi', password: CANARIES.inQuery } }, 400);
    const broken = `{"userNameOrEmailAddress":"thandi","password":"${CANARIES.inMalformed}`;
    const json = { 'content-type': 'application/json' };
    await call('POST', AUTHENTICATE, { body: broken, headers: json }, 400);
    await call(
      'POST',
      AUTHENTICATE,
      { body: `password=${CANARIES.inMalformed}`, headers: { 'content-type': 'text/plain' } },
      415,
    );
    const first = (await signIn('thandi', CANARIES.right, 200)).result.accessToken;
    const second = (await call('POST', REFRESH, { token: first }, 200)).result.accessToken;
    await call('POST', REFRESH, { token: first }, 401);
    await call('GET', SESSIONS, { token: first }, 401);
    await call('GET', SESSIONS, { token: `${second}x` }, 401);
    await call('GET', SESSIONS, { query: { access_token: second } }, 401);
    await call('GET', WHO, { token: second }, 200);
    await call('GET', `/nowhere/${CANARIES.inQuery}?token=${second}`, {}, 404);

    const change = (currentPassword: unknown, newPassword: unknown, status: number) =>
      call('POST', `${USER}/ChangePassword`, { token: second, body: { currentPassword, newPassword } }, status);
    await change(CANARIES.wrong, CANARIES.changed, 400);
    await change(CANARIES.right, CANARIES.weak, 400);
    await change(CANARIES.right, CANARIES.right, 400);
    await change(CANARIES.right, CANARIES.long, 400);
    await change(CANARIES.right, { x: CANARIES.nested }, 400);
    await change(CANARIES.right, CANARIES.changed, 200);
    const reset = (newPassword: string, status: number) =>
      call('POST', `${USER}/ResetPassword`, { token: admin, body: { userId: result.id, newPassword } }, status);
    await reset(CANARIES.weak, 400);
    await reset(CANARIES.reset, 200);
    const last = (await signIn('thandi', CANARIES.reset, 200)).result.accessToken;
    await call('GET', SESSIONS, { token: last }, 403);
    await call('POST', SIGN_OFF, { token: last }, 200);
    await signInExternally();
    await breakTheDatabase(async () => {
      await call('POST', EXTERNAL, { body: external(createPerson()) }, 500);
      await call('POST', AUTHENTICATE, { body: { userNameOrEmailAddress: 'thandi', password: CANARIES.right } }, 500);
      await call('POST', REFRESH, { token: admin }, 500);
    });
    await test.service.keys.rotate({ compromised: false });
  }

  function external(person: ReturnType<typeof createPerson>, more: object = {}) {
    const proof = acme.proofOf(person);
    accessCodes.push(proof.providerAccessCode);
    return { ...proof, ...more };
  }

  async function signInExternally() {
    const person = createPerson();
    const enter = (more: object, status: number) => call('POST', EXTERNAL, { body: external(person, more) }, status);
    await enter({}, 200);
    await enter({}, 200);
    await enter({ providerKey: 'another' }, 401);
    await enter({ providerAccessCode: accessCodes[0] }, 401);
    await enter({ providerAccessCode: [accessCodes[0]] }, 400);
    await enter({ authProvider: 'Leaky' }, 502);
    await enter({ authProvider: 'Bolt' }, 400);
    const query = { authProvider: 'Acme', providerKey: 'any', providerAccessCode: accessCodes[0] ?? '' };
    await call('POST', EXTERNAL, { query }, 400);
    await call('GET', '/api/TokenAuth/GetExternalAuthenticationProviders', {}, 200);
    await call('GET', '/api/services/app/ExternalLogin/GetSignInPages', {}, 200);
    await call('GET', '/api/services/app/ExternalLogin/GetSignInPage', { query: { name: 'Leaky' } }, 502);
  }

  /** Runs `work` while statements fail. The resulting log lines must not contain statement values. */
  async function breakTheDatabase(work: () => Promise<void>) {
    const rename = async (from: string, to: string) => {
      for (const table of ['session', 'account']) {
        const statement = sql`alter table ${sql.ref(table)} rename column ${sql.ref(from)} to ${sql.ref(to)}`;
        await statement.execute(test.service.database.sql);
      }
    };
    await rename('id', 'id_away');
    await work();
    await rename('id_away', 'id');
  }

  /** The texts to search for: each whole secret, and the signature of each token. */
  function secrets(): Record<string, string> {
    const { privateKey } = test.service.keys.signingKey();
    const signatures = tokens.map((token, index) => [`token ${index}`, token.split('.')[2] as string]);
    const { d } = privateKey.export({ format: 'jwk' });
    return {
      ...CANARIES,
      admin: ADMIN_PASSWORD,
      secret: TEST_SECRET,
      key: d as string,
      clientSecret: acme.info.clientSecret,
      ...Object.fromEntries(accessCodes.map((code, index) => [`access code ${index}`, code])),
      ...Object.fromEntries(signatures),
    };
  }

  function assertFree(text: string, where: string) {
    for (const [name, secret] of Object.entries(secrets())) {
      for (const form of [
        secret,
        encodeURIComponent(secret),
        Buffer.from(secret).toString('base64url'),
        JSON.stringify(secret).slice(1, -1),
      ]) {
        assert.equal(text.includes(form.slice(0, 200)), false, `${where} holds the secret "${name}"`);
      }
    }
  }

  async function readTables(): Promise<Record<string, string>> {
    const { sql: statements } = test.service.database;
    const names =
      engine === 'sqlite'
        ? sql<{ name: string }>`select name from sqlite_master where type = 'table'`
        : sql<{ name: string }>`select table_name as name from information_schema.tables where table_schema = 'public'`;
    const tables: Record<string, string> = {};
    for (const { name } of (await names.execute(statements)).rows) {
      tables[name] = JSON.stringify((await sql`select * from ${sql.table(name)}`.execute(statements)).rows);
    }
    return tables;
  }

  it('are in no log line', () => {
    const logged = test.logs.join('');
    assert.match(logged, /service\.error/, 'the log has failures to search');
    assertFree(logged, 'the log');
  });

  it('are in no column of the database, and in no audit row', async () => {
    const tables = await readTables();
    for (const name of ['account', 'session', 'signing_key', 'audit', 'lockout']) {
      assert.equal((tables[name]?.length ?? 0) > 2, true, `${name} has rows to search`);
    }
    for (const [name, rows] of Object.entries(tables)) assertFree(rows, `the table ${name}`);
  });

  it('are in no answer except the one that issues them', () => {
    assert.equal(answers.filter(({ answer }) => answer.status >= 400).length > 15, true);
    for (const { what, answer } of answers) {
      const issued = readResult(answer)?.accessToken;
      const text = issued ? answer.text.replace(issued, '') : answer.text;
      assertFree(text + JSON.stringify(answer.headers), what);
      if (answer.status === 500)
        assert.doesNotMatch(answer.text, /select|insert|session_away|account|table|relation|\.ts/i);
    }
  });

  it('are in no metric, page or document', async () => {
    for (const path of ['/metrics', '/openapi.json', '/health/ready', '/.well-known/jwks.json', '/']) {
      const { text } = await test.get(path, { ip: '127.0.0.1' });
      assertFree(text, path);
    }
    const { text } = await test.get('/api/services/app/Audit/GetAll', {
      token: await test.admin(),
      query: { maxResultCount: 100 },
    });
    assert.match(text, /session\.refreshed/);
    assertFree(text, 'the trail as administrators see it');
  });

  it('are not in the claims of a token', () => {
    for (const token of tokens) {
      const claims = claimsOf(token);
      const known = [
        'iss',
        'aud',
        'sub',
        'jti',
        'sid',
        'gen',
        'iat',
        'nbf',
        'exp',
        'auth_time',
        'amr',
        'acr',
        'client_id',
      ];
      const shown = ['preferred_username', 'name', 'email', 'roles'];
      assert.deepEqual(
        Object.keys(claims).filter((name) => !known.includes(name) && !shown.includes(name)),
        [],
      );
      assertFree(JSON.stringify(claims), 'a token');
    }
  });
}
