// Attacks by whatever comes: generated requests to every route, none of which may end in a fault.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import type { Route } from '../../src/http/contract.ts';
import { assertEnvelope } from '../support/answers.ts';
import { engines } from '../support/databases.ts';
import { createTestProvider } from '../support/providers.ts';
import { startTestService, type TestService } from '../support/service.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

const nasty = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    '',
    '\0',
    '__proto__',
    'constructor',
    '\ud800',
    '%',
    '\r\nx: y',
    -1,
    1e308,
    2 ** 53,
    0.5,
  ),
  fc.constantFrom<unknown>(
    true,
    [],
    {},
    ['a'],
    [['a']],
    { toString: 1 },
    'admin',
    'default-app',
    'Acme',
    1,
    'true',
    '9999-12-31T23:59:60Z',
  ),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.integer(),
  fc.jsonValue(),
);

/** Requests to a route: known members with values of any kind, and members that nobody knows. */
function requestsTo(route: Route) {
  const names = [...Object.keys(route.body?.properties ?? {}), ...Object.keys(route.query?.properties ?? {})];
  const known = names.map((name) => [name, nasty] as const);
  const input = fc.record({ ...Object.fromEntries(known), extra: nasty, constructor: nasty }, { requiredKeys: [] });
  const query = fc.record(
    {
      ...Object.fromEntries(
        names.map((name) => [
          name,
          fc.oneof(
            fc.string(),
            nasty.map((value) => JSON.stringify(value) ?? ''),
          ),
        ]),
      ),
      extra: fc.string(),
    },
    { requiredKeys: [] },
  );
  return fc.record({ route: fc.constant(route), body: fc.oneof({ weight: 4, arbitrary: input }, nasty), query });
}

for (const engine of engines) {
  describe(`generated requests on ${engine}`, () => {
    let test: TestService;

    before(async () => {
      test = await startTestService(engine, { additions: { providers: [createTestProvider('Acme').info] } });
    });
    after(() => test.close());

    it('answers no generated request with a fault', async () => {
      await test.set('Latchkey.RateLimiting', { loginPermitLimit: 100_000 });
      await test.createUser('fuzzer', { roleNames: ['Administrator'] });
      const fuzzer = await test.signIn('fuzzer');
      await fc.assert(
        fc.asyncProperty(
          fc.oneof(...test.service.routes.map(requestsTo)),
          fc.boolean(),
          async ({ route, body, query }, signedIn) => {
            const { method, path } = route;
            const answer = await test.send(method, `${path}?${new URLSearchParams(query as Record<string, string>)}`, {
              ...(method === 'POST' || method === 'PUT'
                ? { body: JSON.stringify(body) ?? '', headers: JSON_TYPE }
                : {}),
              ...(signedIn && !path.includes('Session') ? { token: fuzzer } : {}),
            });
            assertEnvelope(answer);
          },
        ),
        { numRuns: 1500 },
      );
      assert.deepEqual(
        test.logs.filter((line) => /"level":(50|60)/.test(line) && !line.includes('last good value')),
        [],
      );
    });
  });
}
