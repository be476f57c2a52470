// Cookies: how they are written, and which are read.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createCookies } from './cookies.ts';

describe('cookies', () => {
  const http = createCookies('http://id.example.com');
  const https = createCookies('https://id.example.com');

  it('are sent to this host alone, by https alone, and not to scripts', () => {
    assert.equal(http.write('a', 'x'), 'a=x; Path=/; HttpOnly; SameSite=Lax');
    assert.equal(
      https.write('a', 'x', { maxAgeSeconds: 60 }),
      '__Host-a=x; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=60',
    );
    assert.match(http.write('a', '', { maxAgeSeconds: 0 }), /; Max-Age=0$/);
  });

  it('of installations below different paths of one host have different names', () => {
    const below = createCookies('https://id.example.com/auth/eu');
    assert.match(below.write('a', 'x'), /^__Host-auth\+eu\+a=x; Path=\/; /);
    assert.equal(below.read('__Host-a=1; __Host-auth+eu+a=2; __Host-auth+a=3', 'a'), '2');
    assert.equal(https.read('__Host-auth+eu+a=2', 'a'), undefined);
    assert.deepEqual(below.names('__Host-a-1=x; __Host-auth+eu+a-2=y', 'a-'), ['a-2']);
  });

  it('are read by their whole name', () => {
    assert.equal(http.read('b=1; a=x=y ;c', 'a'), 'x=y');
    assert.equal(http.read('aa=1', 'a'), undefined);
    assert.equal(http.read(undefined, 'a'), undefined);
    assert.equal(https.read('a=1', 'a'), undefined);
    assert.equal(https.read('__Host-a=1', 'a'), '1');
    assert.deepEqual(https.names('__Host-a-1=x; a-2=y; __Host-b=z', 'a-'), ['a-1']);
  });

  it('that come twice are none: another host or path has set one', () => {
    assert.equal(http.read('a=1; a=2', 'a'), undefined);
  });
});
