// Names of members in any case: at every level, once each, and nothing that the schema does not know is touched.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Type } from 'typebox';
import { AuthError } from './errors.ts';
import { nameMembers } from './member-names.ts';

const schema = Type.Object({
  userName: Type.String(),
  password: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  answers: Type.Optional(Type.Array(Type.Object({ questionId: Type.String() }))),
  profile: Type.Optional(Type.Union([Type.Object({ firstName: Type.String() }), Type.Null()])),
  value: Type.Optional(Type.Unknown()),
});

describe('names of members', () => {
  it('are those of the schema, at every level', () => {
    const given = {
      UserName: 'thandi',
      PASSWORD: 'secret',
      answers: [{ QuestionID: '1' }, { questionId: '2' }],
      Profile: { FIRSTNAME: 'Thandi' },
    };
    assert.deepEqual(nameMembers(schema, given), {
      userName: 'thandi',
      password: 'secret',
      answers: [{ questionId: '1' }, { questionId: '2' }],
      profile: { firstName: 'Thandi' },
    });
  });

  it('are left alone where the schema does not know them', () => {
    const given = { userName: 'thandi', Extra: { UserName: 1 }, value: { UserName: 2, username: 3 } };
    assert.deepEqual(nameMembers(schema, given), given);
    for (const value of [null, 7, 'text', [], undefined]) assert.deepEqual(nameMembers(schema, value), value);
  });

  it('are refused when one is given twice, with its whole path', () => {
    const twice = (given: unknown, path: string) =>
      assert.throws(
        () => nameMembers(schema, given),
        (error) =>
          error instanceof AuthError &&
          error.reason === 'request.invalid' &&
          error.validationErrors?.[0]?.members[0] === path,
      );
    twice({ userName: 'a', UserName: 'a' }, 'userName');
    twice({ userName: 'a', answers: [{ questionId: '1', QUESTIONID: '1' }] }, 'answers.0.questionId');
    twice({ PROFILE: { firstName: 'a', FirstName: 'b' } }, 'profile.firstName');
  });

  it('may differ in case alone in the schema: then only the exact name counts', () => {
    const alike = Type.Object({ userId: Type.Integer(), userid: Type.Integer() });
    const given = { userId: 1, userid: 2 };
    assert.deepEqual(nameMembers(alike, given), given);
  });

  it('reach no prototype', () => {
    const given = JSON.parse('{"constructor":{"a":1},"toString":2,"__proto__":{"password":"b"},"userName":"a"}');
    const named = nameMembers(schema, given);
    assert.deepEqual(named, given);
    assert.equal(Object.getPrototypeOf(named), Object.prototype);
    assert.deepEqual(Object.keys(nameMembers(Type.Object({}), given) ?? {}), Object.keys(given));
  });

  it('differ when their letters differ by more than the case of ASCII', () => {
    const declared = Type.Object({ appKey: Type.String(), isItem: Type.String() });
    for (const name of [
      'app\u212aey',
      '\u0130sItem',
      '\u0131sItem',
      'i\u017fItem',
      'ａppKey',
      'appKey\u200b',
      'appKey ',
    ]) {
      assert.deepEqual(nameMembers(declared, { [name]: 'a' }), { [name]: 'a' });
    }
    assert.deepEqual(nameMembers(declared, { 'app\u212aey': 'a', APPKEY: 'b' }), { 'app\u212aey': 'a', appKey: 'b' });
  });

  it('are built once for each schema, not for each of thousands of objects', () => {
    let reads = 0;
    const item = Type.Object({ questionId: Type.Optional(Type.String()) });
    const ownKeys = (target: object) => {
      reads += 1;
      return Reflect.ownKeys(target);
    };
    const properties = new Proxy(item.properties, { ownKeys });
    const many = Array.from({ length: 2_000 }, (_, index) => ({ QUESTIONID: String(index), [`extra${index}`]: 1 }));
    const named = nameMembers({ ...Type.Array(item), items: { ...item, properties } }, many);
    assert.ok(Array.isArray(named));
    assert.deepEqual([named.length, named.at(-1)], [2_000, { questionId: '1999', extra1999: 1 }]);
    assert.equal(reads, 1);
  });
});
