// How placeholders of a template are replaced.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fillIn } from './template.ts';

describe('placeholders', () => {
  const values = { username: 'a&b=c d', code: 'x y' };

  it('are percent-encoded inside an address of any scheme', () => {
    const filled = 'https://app.example.com/reset?user=a%26b%3Dc%20d&code=x%20y';
    assert.equal(fillIn('https://app.example.com/reset?user={{username}}&code={{ code }}', values), filled);
    assert.equal(
      fillIn('(com.example.app://reset?user={{username}})', values),
      '(com.example.app://reset?user=a%26b%3Dc%20d)',
    );
  });

  it('stand as they are elsewhere', () => {
    assert.equal(
      fillIn('See https://example.com {{username}}, {{name}}.', values),
      'See https://example.com a&b=c d, .',
    );
  });
});
