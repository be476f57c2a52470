// The complexity settings as the specification names them.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Value } from 'typebox/value';
import type { SettingReader } from '../foundation/setting.ts';
import { passwordSettings, readPasswordPolicy } from './settings.ts';

describe('the password complexity settings', () => {
  const rows = Object.values(passwordSettings);

  it('are five public rows for each front end, with names and labels of the specification', () => {
    assert.deepEqual(
      rows.map(({ name, label, order }) => [
        name.replace('Abp.Zero.UserManagement.PasswordComplexity.', ''),
        label,
        order,
      ]),
      [
        ['RequireDigit', 'Require digit', 100],
        ['RequireLowercase', 'Require lowercase', 101],
        ['RequireUppercase', 'Require upper case', 102],
        ['RequireNonAlphanumeric', 'Require non alphanumeric', 103],
        ['RequiredLength', 'Require length', 104],
      ],
    );
    for (const { scope, category, kind, public: isPublic } of rows) {
      assert.deepEqual([scope, category, kind, isPublic], ['frontEnd', 'Password complexity', 'value', true]);
    }
  });

  it('have defaults and ranges that match their schemas', () => {
    assert.deepEqual(
      rows.map((row) => row.default),
      [false, false, false, false, 12],
    );
    for (const row of rows) assert.ok(Value.Check(row.schema, row.default));
    for (const [value, valid] of [
      [6, true],
      [128, true],
      [5, false],
      [129, false],
      [7.5, false],
      ['12', false],
    ] as const) {
      assert.equal(Value.Check(passwordSettings.requiredLength.schema, value), valid);
    }
  });

  it('are read as the policy of the given front end', () => {
    const asked: unknown[] = [];
    const settings: SettingReader = {
      read(definition, frontEnd) {
        asked.push(frontEnd);
        return definition.default;
      },
    };
    assert.deepEqual(readPasswordPolicy(settings, 'app'), {
      requireDigit: false,
      requireLowercase: false,
      requireUppercase: false,
      requireNonAlphanumeric: false,
      requiredLength: 12,
    });
    assert.deepEqual(asked, Array(5).fill('app'));
  });
});
