// Host names: those that browsers and the DNS know, and those that only the parser of URLs accepts.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isProperHost } from './host-name.ts';

const hostOf = (text: string) => new URL(`https://${text}`).hostname;
const long = `${'a'.repeat(63)}.`.repeat(4);

describe('a host name', () => {
  it('is an address or a domain name', () => {
    const proper = ['localhost', 'example.com', 'a_b.internal', 'id-1.example.co.za', '127.0.0.1', '1.2', '[::1]'];
    const inUnicode = ['müller.example', 'faß.de', 'xn--mller-kva.example', 'xn--fa-hia.de', 'xn--11b4c3d.co', '💩.la'];
    for (const text of [
      ...proper,
      ...inUnicode,
      'EXAMPLE.com',
      'r3---sn.example',
      'a'.repeat(63),
      long.slice(0, 253),
    ]) {
      assert.ok(isProperHost(hostOf(text)), text);
    }
  });

  it('is nothing that only looks like one', () => {
    const encoded = [
      'xn--',
      'xn--a',
      'xn--zzzzzz',
      'www.xn--',
      'xn--.com',
      'xn--a.example',
      'xn--a-ecp.ru',
      'xn---epa',
    ];
    const dots = ['a..b', '.a', 'a.', '.'];
    const others = [
      '-a.b',
      'a-.b',
      '*',
      '*.example.com',
      'a!b',
      "a'b",
      'a,b',
      'a;b',
      'a`b',
      'a{b}',
      'a(b)',
      'a~b',
      'a$b',
    ];
    for (const text of [...encoded, ...dots, ...others, 'a'.repeat(64), long.slice(0, 254)]) {
      assert.ok(!isProperHost(hostOf(text)), text);
    }
    assert.ok(!isProperHost(''));
  });
});
