// Paths: all spellings of a path share one route and one budget, and the query stays as it is.
import assert from 'node:assert/strict';
import { createPaths } from '../../../src/http/paths.ts';
import type { Target } from '../target.ts';

const paths = createPaths([
  { method: 'POST', path: '/api/TokenAuth/Authenticate' },
  { method: 'POST', path: '/api/TokenAuth/RefreshTokenAsync', aliases: ['/api/TokenAuth/Refresh'] },
  { method: 'GET', path: '/api/services/app/User/Get' },
  { method: 'DELETE', path: '/api/services/app/User/Delete' },
]);

export const target: Target = {
  name: 'paths',
  words: [
    '/api/TokenAuth/Authenticate',
    '/api/tokenauth/refreshtoken',
    '/api/services/app/User/Get',
    'Async',
    '?',
    '%2F',
    '%41',
    '//',
  ],
  check(input) {
    const url = input.toString();
    const canonical = paths.canonicalUrl(url);
    assert.equal(paths.canonicalUrl(canonical), canonical, 'the canonical path is its own');
    const [path = '', ...query] = url.split('?');
    assert.equal(canonical.split('?').slice(1).join('?'), query.join('?'), 'the query stays as it is');
    const [found = ''] = canonical.split('?');
    const isKnown = paths.methodsOf(found).length > 0;
    if (!isKnown) assert.equal(canonical, url, 'no other path is changed');
    if (!isKnown) return canonical;
    for (const spelling of [path.toUpperCase(), path.toLowerCase(), `${path}/`]) {
      // Percent signs are letters of an escape, which stand for others in capitals.
      if (!path.includes('%')) assert.equal(paths.canonicalUrl(spelling), found, `${spelling} is ${found}`);
    }
    return canonical;
  },
};
