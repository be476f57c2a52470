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

  it('reach no prototype', () => {
    const given = JSON.parse('{"constructor":{"a":1},"toString":2,"userName":"a"}');
    assert.deepEqual(nameMembers(schema, given), given);
  });
});
