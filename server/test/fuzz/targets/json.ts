// JSON bodies and queries of all calls: what a handler gets is what its schema declares, and all else is refused by name.
import assert from 'node:assert/strict';
import { Check, Clean } from 'typebox/value';
import { createInputReader, parseBody } from '../../../src/contract/input.ts';
import type { Route } from '../../../src/contract/route.ts';
import { startTestService } from '../../support/service.ts';
import { type Answer, answerOf, type Target } from '../target.ts';

const test = await startTestService('sqlite');
const calls = test.service.routes.map((route) => ({ route, read: createInputReader(route) }));
await test.close();

/** Whether a member of this name stands anywhere in the value. */
const holds = (value: unknown, name: string): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (Object.hasOwn(value, name) || Object.values(value).some((member) => holds(member, name)));

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

function assertInput({ body, query }: Route, answer: Answer<unknown>) {
  const schema = body ?? query;
  if ('refused' in answer || !schema) return;
  const input = answer.value;
  assert.ok(Check(schema, input), 'the handler gets what the schema declares');
  assert.deepEqual(Clean(schema, structuredClone(input)), input, 'and nothing else');
  assert.equal(Object.getPrototypeOf(input), Object.prototype);
}

/** An input is the name of a call, a query, and a body, each after the other's line. */
export const target: Target = {
  name: 'json',
  words: [
    ...calls.map(({ route }) => `${route.path}\n\n`),
    ...calls.flatMap(({ route }) =>
      Object.keys((route.body ?? route.query)?.properties ?? {}).map((name) => `"${name}":`),
    ),
    '{"',
    '":',
    '[',
    ']',
    '{}',
    'null',
    '1e3',
    '0.1',
    '"\\u0000"',
    '"\\ud800"',
    '"__proto__":',
    '"userId":7',
  ],
  weight: 10,
  check(input) {
    const [path = '', query = ''] = input.toString().split('\n', 2);
    const bytes = input.subarray(Buffer.byteLength(path) + Buffer.byteLength(query) + 2);
    const body = answerOf(() => parseBody(bytes), 'request.invalid');
    const { route, read } = calls.find((one) => one.route.path === path) ?? calls[0] ?? assert.fail();
    assert.equal(Object.hasOwn(Object.prototype, 'polluted'), false);
    if ('refused' in body) return body;
    assert.ok(!holds(body.value, '__proto__') && depthOf(body.value) <= 16);
    const members = Object.fromEntries(new URLSearchParams(query));
    const answer = answerOf(() => read(body.value, members), 'request.invalid');
    assertInput(route, answer);
    if ('refused' in answer || !route.body || query !== '') return answer;
    const again = answerOf(() => read(JSON.parse(JSON.stringify(answer.value)), {}), 'request.invalid');
    // JSON has no number beyond those of JavaScript: 1e999 is read as infinite, and written as null.
    if (JSON.stringify(answer).includes('null')) return answer;
    assert.deepEqual(again, answer, 'an accepted input is accepted again');
    return answer;
  },
};
