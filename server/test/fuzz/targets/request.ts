// Whole requests: any method, path, headers and body get an answer that is no fault, in the envelope, and with safe headers.
import assert from 'node:assert/strict';
import { METHODS } from 'node:http';
import type { InjectOptions } from 'fastify';
import { createTestAccounts } from '../../support/accounts.ts';
import { assertEnvelope } from '../../support/answers.ts';
import { freshAddress, ISSUER, startTestService } from '../../support/service.ts';
import { watchVerifications } from '../../support/verifications.ts';
import type { Target } from '../target.ts';

const test = await startTestService('sqlite', {
  trustedProxies: ['10.0.0.0/8'],
  corsOrigins: ['https://app.example.com'],
});
const accounts = await createTestAccounts(test);
watchVerifications(test).skipHashing();

/** An input has this word for the token of an administrator. Each input has a new one: the call may end the session, or the account. */
const TOKEN = 'TOKEN';

/** Reads a request as HTTP/1.1 writes it. What Node's own parser refuses does not reach the service. */
function parseRequest(text: string, token: string): InjectOptions | undefined {
  const [head = '', ...body] = text.split('\n\n');
  const [line = '', ...lines] = head.split('\n');
  const [, method = '', url = ''] = /^([A-Z-]+) (\/[!-~]*)$/.exec(line) ?? [];
  const headers = lines.map((one) => /^([\w!#$%&'*+.^`|~-]+): ?([\t -~\u0080-\u00ff]*)$/.exec(one)?.slice(1) ?? []);
  if (!METHODS.includes(method) || method === 'CONNECT' || headers.some(({ length }) => length === 0)) return undefined;
  // `inject` reads the URL itself, and so cannot send a few that a client can.
  if (!URL.canParse(url, ISSUER)) return undefined;
  const given = Object.fromEntries(
    headers.map(([name = '', value = '']) => [name.toLowerCase(), value.replace(TOKEN, token)]),
  );
  // `inject` counts the body itself.
  const { 'content-length': _, 'transfer-encoding': __, ...rest } = given;
  const payload = body.join('\n\n');
  return {
    method: method as 'GET',
    url,
    headers: rest,
    remoteAddress: freshAddress(),
    ...(payload !== '' && { payload }),
  };
}

export const target: Target = {
  name: 'request',
  words: [
    ...test.service.routes.map(({ method, path }) => `${method} ${path}\n`),
    'content-type: application/json\n',
    'authorization: Bearer TOKEN\n',
    '\n\n{"',
    'origin: https://app.example.com\n',
    'sha-frontend-application: x\n',
    'x-forwarded-for: 10.0.0.2\n',
    'accept: text/html\n',
    'accept-encoding: br\n',
    '?',
  ],
  weight: 200,
  async check(input) {
    const text = input.toString();
    const account = text.includes(TOKEN) ? await accounts.add(['Administrator']) : undefined;
    const request = parseRequest(text, account ? await accounts.open(account) : '');
    const answer = request && (await test.app.inject(request));
    // A list of the accounts of all inputs would take longer with each.
    if (account) await test.service.database.sql.deleteFrom('account').where('id', '=', account.id).execute();
    if (!answer) return;
    const { statusCode, headers, body } = answer;
    assert.ok(statusCode < 500, `${statusCode}`);
    for (const value of Object.values(headers).flat()) assert.match(String(value), /^[\t -~]*$/);
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.equal(headers['set-cookie'], undefined);
    const isApi =
      /^\/api\//i.test(String(request.url)) && String(headers['content-type']).startsWith('application/json');
    if (isApi && request.method !== 'HEAD' && statusCode !== 204) {
      const parsed = JSON.parse(body);
      if ('__abp' in parsed)
        assertEnvelope({ status: statusCode, headers, result: null, error: parsed.error, body: parsed, text: body });
    }
    const faults = test.logs.filter((line) => /"level":"(error|fatal)"/.test(line));
    test.logs.length = 0;
    assert.deepEqual(faults, [], 'nothing that the service logs as its own fault');
  },
};
