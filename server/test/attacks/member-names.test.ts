// Attacks through the case of names: a member, a parameter or a setting that two readers would read differently.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createSettingRegistry } from '../../src/extensions/registered-settings.ts';
import { assertRefused } from '../support/answers.ts';
import { startTestService, type TestService, USER_PASSWORD } from '../support/service.ts';

const USER = '/api/services/app/User';
const SETTINGS = '/api/services/app/Settings';
const AUTHENTICATE = '/api/TokenAuth/Authenticate';
const SECURITY = 'Shesha.Security';

describe('names in another case', () => {
  let test: TestService;
  let admin: string;
  before(async () => {
    test = await startTestService('sqlite');
    admin = await test.admin();
    await test.createUser('thandi');
  });
  after(() => test.close());

  const swapCase = (name: string) =>
    name.replace(/[a-z]/gi, (one) => (one < 'a' ? one.toLowerCase() : one.toUpperCase()));
  const update = (body: object) => test.post(`${SETTINGS}/UpdateValue`, { token: admin, body });
  const read = async (name: string) =>
    (await test.get(`${SETTINGS}/GetValue`, { token: admin, query: { name } })).result;

  it('give no member of any call twice, in the body and in the query', async () => {
    let calls = 0;
    for (const { method, path, body, query } of test.service.routes) {
      for (const name of Object.keys((body ?? query)?.properties ?? {})) {
        const twice = { [name]: 'a', [swapCase(name)]: 'b' };
        const answer = await test.send(method, path, { token: admin, ...(body ? { body: twice } : { query: twice }) });
        assertRefused(answer, 400, 'request.invalid', `${path} ${name}`);
        assert.deepEqual(answer.error.validationErrors?.[0]?.members, [name], path);
        calls += 1;
      }
    }
    assert.ok(calls > 100, `only ${calls} members`);
  });

  it('give no member twice within lists and values of settings', async () => {
    const answers = [{ questionId: 'a', QuestionId: 'b', answer: 'c' }];
    const set = await test.post(`${USER}/SetMySecurityQuestions`, {
      token: admin,
      body: { currentPassword: USER_PASSWORD, answers },
    });
    assert.deepEqual(set.error.validationErrors?.[0]?.members, ['answers.0.questionId']);
    const before = await read(SECURITY);
    const value = { useAutoLogoff: true, UseAutoLogoff: false };
    assertRefused(await update({ name: SECURITY, value }), 400, 'request.invalid');
    const questions = [{ id: '00000000-0000-4000-8000-000000000000', Id: 'x', question: 'Why?' }];
    assertRefused(await update({ name: 'Latchkey.SecurityQuestions', value: questions }), 400, 'request.invalid');
    assert.deepEqual(await read(SECURITY), before);
  });

  it('reach no prototype, at any level and in any spelling', async () => {
    for (const name of [
      '__proto__',
      '__PROTO__',
      'constructor',
      'CONSTRUCTOR',
      'toString',
      'hasOwnProperty',
      'length',
    ]) {
      const member = `"${name}":{"isAdmin":true,"password":"x"}`;
      const text = `{${member},"userNameOrEmailAddress":"thandi","password":"${USER_PASSWORD}"}`;
      const headers = { 'content-type': 'application/json' };
      const { status } = await test.post(AUTHENTICATE, { body: text, headers });
      assert.equal(status, name === '__proto__' ? 400 : 200, name);
      const value = `{"name":"${SECURITY}","value":{${member},"USEAUTOLOGOFF":true}}`;
      const set = await test.post(`${SETTINGS}/UpdateValue`, { token: admin, body: value, headers });
      assert.equal(set.status, name === '__proto__' ? 400 : 200, name);
      assert.equal(Object.hasOwn(Object(await read(SECURITY)), name), false);
      const list = await test.get(`${USER}/GetAll`, { token: admin, query: { [name]: 'x' } });
      assert.equal(list.status, 200, name);
    }
    assert.equal(Object.hasOwn(Object.prototype, 'isAdmin'), false);
  });

  it('match by the case of ASCII alone', async () => {
    const names = ['userNameOrEmailAddre\u017fs', 'userNameOrEma\u0131lAddress', '\uff55serNameOrEmailAddress'];
    for (const name of names) {
      const answer = await test.post(AUTHENTICATE, { body: { [name]: 'thandi', password: USER_PASSWORD } });
      assertRefused(answer, 400, 'request.invalid', name);
    }
    const query = { name: SECURITY, 'app\u212aey': 'not a front end' };
    assert.equal((await test.get(`${SETTINGS}/GetValue`, { token: admin, query })).status, 200);
  });

  it('are not searched for long in a body as large as the service reads', async () => {
    const many = (make: (index: number) => string) => Array.from({ length: 4000 }, (_, index) => make(index)).join(',');
    const bodies = [
      `{${many((index) => `"password${index}":1`)}}`,
      `{"answers":[${many(() => '{}')}]}`,
      `{"answers":[${many(() => '{"QUESTIONID":1}')}]}`,
    ];
    for (const body of bodies) {
      const headers = { 'content-type': 'application/json' };
      const answer = await test.post(`${USER}/SetMySecurityQuestions`, { token: admin, body, headers });
      assert.ok([400, 413].includes(answer.status), answer.text.slice(0, 200));
      assert.ok(answer.text.length < 10_000_000);
    }
    assert.equal((await test.get(`${USER}/GetAll`, { token: admin })).status, 200);
  });

  it('find the history of a setting, and the value that a change expects', async () => {
    const name = SECURITY.toUpperCase();
    const expected = Object(await read(SECURITY));
    const renamed = Object.fromEntries(Object.entries(expected).map(([member, value]) => [swapCase(member), value]));
    const changed = await update({ NAME: name, VALUE: { AUTOLOGOFFTIMEOUT: 600 }, EXPECTED: renamed });
    assert.equal(changed.status, 200, changed.text);
    assertRefused(
      await update({
        name,
        value: { autoLogoffTimeout: 700 },
        expected: { ...renamed, [swapCase('autoLogoffTimeout')]: 61 },
      }),
      409,
      'setting.conflict',
    );
    const history = await test.get(`${SETTINGS}/GetHistory`, { token: admin, query: { Name: name } });
    assert.ok(history.result.items.length > 0);
  });

  it('are refused in a setting of an extension whose fields differ in nothing else', () => {
    const add = (...fields: string[]) => {
      const properties = Object.fromEntries(fields.map((field) => [field, { type: 'boolean', title: field }]));
      const schema = { type: 'object', properties };
      const named = { name: 'Acme.Mail', label: 'Mail', category: 'Acme', scope: 'general' };
      const value = Object.fromEntries(fields.map((field) => [field, true]));
      return createSettingRegistry([]).add('extension.mjs', { ...named, schema, default: value });
    };
    assert.throws(() => add('mailHost', 'mailhost'), /has two fields "mailhost" that differ only in case/);
    add('mailHost', 'mailHosts');
  });
});
