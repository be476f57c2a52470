// Generated requests to every operation, from every kind of caller. None may cause a fault or change another account.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { createTestAccounts, type TestAccount, type TestAccounts } from '../support/accounts.ts';
import { assertEnvelope } from '../support/answers.ts';
import { engines } from '../support/databases.ts';
import { altered } from '../support/forge.ts';
import { createTestProvider } from '../support/providers.ts';
import { type Document, type GeneratedRequest, requestsOf } from '../support/requests.ts';
import { isLong } from '../support/scale.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { type Verifications, watchVerifications } from '../support/verifications.ts';

/** Requests per caller. Few of them depend on the database. */
const runs = isLong ? { sqlite: 10_000, postgres: 3000 } : { sqlite: 300, postgres: 100 };

/** An API answer is at most as large as a request. Pages, files and the OpenAPI document may be larger. */
const LARGEST_ANSWER = 64 * 1024;

/** The description of all settings, as many as the service declares. */
const SETTINGS = /\/GetConfigurations(Async)?$/i;
const LARGEST_DESCRIPTION = 2 * LARGEST_ANSWER;

/** Paths outside the API that answer: pages and standards. */
const beside = [
  ...['/', '/login', '/login/pin', '/forgot-password', '/reset-password', '/register', '/app/settings'],
  ...['/openapi.json', '/.well-known/jwks.json', '/.well-known/openid-configuration', '/health/live', '/metrics'],
];

const SESSIONS = '/api/services/app/Session/GetAll';

/** The document lists these statuses for every operation that answers them. */
const refusals = [400, 401, 403, 429];

/** Whether the operation answers a file. */
const isFile = (responses: object) => !JSON.stringify(responses).includes('SuccessEnvelope');

const callers = ['nobody', 'stranger', 'user', 'administrator'] as const;

for (const engine of engines) {
  describe(`generated requests on ${engine}`, () => {
    let test: TestService;
    let accounts: TestAccounts;
    let hashes: Verifications;
    let others: TestAccount[];
    let tokens: string[];
    let documented: Document['paths'];
    let requests: fc.Arbitrary<GeneratedRequest>;

    before(async () => {
      test = await startTestService(engine, { additions: { providers: [createTestProvider('Acme').info] } });
      accounts = await createTestAccounts(test);
      // Later than any time that a generated number can mean.
      await test.service.database.sql
        .updateTable('account')
        .set({ id: 2 ** 40 })
        .where('user_name', '=', 'admin')
        .execute();
      others = [{ id: 2 ** 40, userName: 'admin' }];
      tokens = await Promise.all(others.map((one) => accounts.open(one)));
      hashes = watchVerifications(test);
      hashes.skipHashing();
      const document: Document = JSON.parse((await test.get('/openapi.json')).text);
      documented = document.paths;
      requests = requestsOf({
        ...document,
        paths: { ...documented, ...Object.fromEntries(beside.map((path) => [path, { get: {} }])) },
      });
    });
    after(() => test.close());

    /** Returns the data of other accounts, and the shared data. */
    async function possessions() {
      const { sql } = test.service.database;
      const ids = others.map(({ id }) => id);
      return {
        accounts: await sql.selectFrom('account').selectAll().where('id', 'in', ids).execute(),
        sessions: await sql.selectFrom('session').selectAll().where('account_id', 'in', ids).orderBy('id').execute(),
        settings: await sql.selectFrom('setting_value').selectAll().execute(),
        frontEnds: await sql.selectFrom('front_end').selectAll().orderBy('id').execute(),
        keys: await sql.selectFrom('signing_key').select('kid').execute(),
      };
    }

    async function tokenOf(caller: (typeof callers)[number]) {
      if (caller === 'nobody') return {};
      if (caller === 'stranger') return { token: altered(tokens[0] ?? '') };
      const account = await accounts.add(caller === 'administrator' ? ['Administrator'] : []);
      return { token: await accounts.open(account) };
    }

    it('are generated from a document that lists the whole API and nothing else', () => {
      const listed = Object.entries(documented).flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
      );
      const answered = test.service.routes.map(({ method, path }) => `${method} ${path}`);
      assert.deepEqual(listed.toSorted(), answered.toSorted());
    });

    for (const caller of callers) {
      it(`cause no fault when they come from ${caller}, and change no data of other accounts`, async () => {
        const seen = new Set<number>();
        const property = fc.asyncProperty(requests, async ({ method, path, query, headers, body }) => {
          const before = await possessions();
          const answer = await test.send(method, `${path}?${query}`, {
            headers,
            ...(body !== undefined && { body }),
            ...(await tokenOf(caller)),
          });
          seen.add(answer.status);
          assert.ok(answer.status < 500, answer.text);
          const responses = documented[path]?.[method.toLowerCase()]?.responses ?? {};
          if (refusals.includes(answer.status) && 'default' in responses) {
            assert.ok(answer.status in responses, `${method} ${path} does not document ${answer.text}`);
          }
          // A file is streamed, however long it is.
          if (/^\/+api\//i.test(path) && (answer.status !== 200 || !isFile(responses))) {
            assertEnvelope(answer);
            const largest = SETTINGS.test(path) ? LARGEST_DESCRIPTION : LARGEST_ANSWER;
            assert.ok(answer.text.length <= largest, `${method} ${path}: ${answer.text.length} characters`);
          }
          // An administrator may change other accounts, but only by a call that succeeds.
          if (caller !== 'administrator' || answer.status !== 200) assert.deepEqual(await possessions(), before);
        });
        await fc.assert(property, { numRuns: runs[engine] });
        // Otherwise the requests were all refused at the entrance.
        assert.ok(seen.has(200) && seen.has(400), [...seen].join());
        assert.deepEqual(
          test.logs.filter((line) => /"level":(50|60)/.test(line) && !line.includes('last good value')),
          [],
        );
      });
    }

    it('leave the service working', async () => {
      for (const token of tokens) assert.equal((await test.get(SESSIONS, { token })).status, 200);
    });
  });
}
