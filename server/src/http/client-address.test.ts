// The client's address: which headers are trusted, and that no client chooses its rate-limit key.
import assert from 'node:assert/strict';
import { isIP } from 'node:net';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createClientAddress, parseTrustedProxies } from './client-address.ts';

const trustedProxies = parseTrustedProxies('127.0.0.1, 10.0.0.0/8 2001:db8:ffff::/48');
const { resolve } = createClientAddress({ trustedProxies });

const PROXY = '10.0.0.1';
const behindProxy = (headers: Record<string, string | string[]>, socketAddress = PROXY) =>
  resolve({ socketAddress, headers }).address;
const xff = (value: string | string[]) => behindProxy({ 'x-forwarded-for': value });
const forwarded = (value: string | string[]) => behindProxy({ forwarded: value });

/** Each pair: what arrives, and the address it must give. */
function table(read: (value: string) => string, rows: readonly (readonly [string, string])[]) {
  for (const [value, expected] of rows) assert.equal(read(value), expected, value);
}

describe('client address', () => {
  it('is the peer, in canonical form', () => {
    table(
      (socketAddress) => resolve({ socketAddress, headers: {} }).address,
      [
        ['192.0.2.1', '192.0.2.1'],
        ['::ffff:192.0.2.1', '192.0.2.1'],
        ['::FFFF:C000:0201', '192.0.2.1'],
        ['2001:DB8:0:0::1', '2001:db8::1'],
        ['fe80::1%eth0', 'fe80::1'],
        ['', '0.0.0.0'],
      ],
    );
    assert.equal(resolve({ socketAddress: undefined, headers: {} }).address, '0.0.0.0');
  });

  it('shares one budget per IPv6 /64, and has one per IPv4 address', () => {
    const key = (socketAddress: string) => resolve({ socketAddress, headers: {} }).budgetKey;
    assert.equal(key('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64');
    assert.equal(key('2001:db8:1:2::'), key('2001:db8:1:2:ffff:ffff:ffff:ffff%1'));
    assert.notEqual(key('2001:db8:1:2::1'), key('2001:db8:1:3::1'));
    assert.equal(key('::ffff:192.0.2.1'), '192.0.2.1');
    assert.notEqual(key('192.0.2.1'), key('192.0.2.2'));
  });

  it('shares a second budget per IPv6 /48, and none per IPv4 network', () => {
    const key = (socketAddress: string) => resolve({ socketAddress, headers: {} }).siteKey;
    assert.equal(key('2001:db8:1:2:3:4:5:6'), '2001:db8:1::/48');
    assert.equal(key('2001:db8:1:ffff::1'), key('2001:db8:1::'));
    assert.notEqual(key('2001:db8:1::1'), key('2001:db8:2::1'));
    assert.deepEqual([key('192.0.2.1'), key('::ffff:192.0.2.1')], [undefined, undefined]);
  });

  it('ignores headers of an untrusted peer, and reports them', () => {
    for (const header of ['x-forwarded-for', 'forwarded']) {
      for (const value of ['203.0.113.9', 'for=203.0.113.9', '', '10.0.0.1']) {
        assert.deepEqual(resolve({ socketAddress: '192.0.2.1', headers: { [header]: value } }), {
          address: '192.0.2.1',
          budgetKey: '192.0.2.1',
          siteKey: undefined,
          hasUntrustedForwarding: true,
        });
      }
    }
    assert.equal(resolve({ socketAddress: '192.0.2.1', headers: {} }).hasUntrustedForwarding, false);
    const headers = { 'x-forwarded-for': '192.0.2.1' };
    assert.equal(resolve({ socketAddress: PROXY, headers }).hasUntrustedForwarding, false);
    assert.equal(createClientAddress({ trustedProxies: [] }).resolve({ socketAddress: PROXY, headers }).address, PROXY);
  });

  it('trusts proxies by address and range, also when they arrive IPv4-mapped', () => {
    for (const proxy of ['127.0.0.1', '10.255.0.3', '::ffff:10.0.0.1', '2001:db8:ffff:1::5']) {
      assert.equal(behindProxy({ 'x-forwarded-for': '203.0.113.9' }, proxy), '203.0.113.9', proxy);
    }
    for (const untrusted of ['127.0.0.2', '11.0.0.1', '2001:db8:fffe::1', '::1']) {
      assert.equal(behindProxy({ 'x-forwarded-for': '203.0.113.9' }, untrusted), untrusted);
    }
  });

  it('is the right-most hop of X-Forwarded-For that is not trusted', () => {
    table(xff, [
      ['203.0.113.9', '203.0.113.9'],
      ['1.1.1.1, 203.0.113.9', '203.0.113.9'],
      ['1.1.1.1,203.0.113.9 , 10.0.0.2,127.0.0.1', '203.0.113.9'],
      ['nonsense, 203.0.113.9, ::ffff:10.0.0.2', '203.0.113.9'],
      ['10.0.0.3, 10.0.0.2', '10.0.0.3'],
      ['203.0.113.9:51234', '203.0.113.9'],
      ['"203.0.113.9:51234"', '203.0.113.9'],
      ['::ffff:203.0.113.9', '203.0.113.9'],
      ['[2001:DB8::9]:443', '2001:db8::9'],
      ['"[2001:db8::9]"', '2001:db8::9'],
      ['2001:db8:0::9%eth0', '2001:db8::9'],
    ]);
    assert.equal(xff(['1.1.1.1', '203.0.113.9', '10.0.0.2']), '203.0.113.9');
  });

  it('is the right-most untrusted `for` of Forwarded', () => {
    table(forwarded, [
      ['for=203.0.113.9', '203.0.113.9'],
      ['For="203.0.113.9:80";proto=https;by=10.0.0.1', '203.0.113.9'],
      ['proto=http; host="a.example" ;FOR="[2001:DB8::9]:4711"', '2001:db8::9'],
      ['for=1.1.1.1, for=203.0.113.9, for=10.0.0.2', '203.0.113.9'],
      ['for=10.0.0.3;by=10.0.0.2, for=10.0.0.2', '10.0.0.3'],
      ['for="x, for=203.0.113.9', '203.0.113.9'],
    ]);
    assert.equal(forwarded(['for=1.1.1.1', 'for=203.0.113.9']), '203.0.113.9');
  });

  it('falls back to the last hop that can be read', () => {
    const unreadable = [
      '',
      ' ',
      'unknown',
      '_hidden',
      '010.0.0.9',
      '0x7f.1',
      '1.2.3',
      '203.0.113.9 1.1.1.1',
      '[1.1.1.1]',
    ];
    for (const hop of [
      ...unreadable,
      '[2001:db8::9',
      '2001:db8::9]',
      '2001:db8::9::',
      '1.1.1.1:port',
      `${' '.repeat(200)}1.1.1.1`,
    ]) {
      assert.equal(xff(hop), PROXY, hop);
      assert.equal(xff(`1.1.1.1, ${hop}`), PROXY, hop);
      assert.equal(xff(`1.1.1.1, ${hop}, 10.0.0.2`), '10.0.0.2', hop);
      assert.equal(forwarded(`for=1.1.1.1, for="${hop}", for=10.0.0.2`), '10.0.0.2', hop);
    }
    const elements = [
      '',
      'proto=https',
      'for',
      'for=1.1.1.1;for=2.2.2.2',
      'for=1.1.1.1;',
      'for = 1.1.1.1',
      'for="1.1.1.1',
      'x="a;for=1.1.1.1;b"',
    ];
    for (const element of [...elements, 'host="a,for=1.1.1.1,b"', `for=1.1.1.1;x=${'y'.repeat(1000)}`]) {
      assert.equal(forwarded(`for=9.9.9.9, ${element}`), PROXY, element);
    }
  });

  it('uses both headers if they agree, and neither if they differ', () => {
    const both = (first: string, second: string) => behindProxy({ 'x-forwarded-for': first, forwarded: second });
    assert.equal(both('1.1.1.1, 203.0.113.9', 'for="203.0.113.9:80"'), '203.0.113.9');
    assert.equal(both('203.0.113.9', 'for=1.1.1.1'), PROXY);
    assert.equal(both('203.0.113.9', 'nonsense'), PROXY);
    assert.equal(both('10.0.0.2', 'for=203.0.113.9'), PROXY);
  });

  it('is read in linear time from very long headers', () => {
    const hops = 50_000;
    for (const piece of ['10.0.0.2', 'x', '"', '[', ' ', '1.1.1.1:']) {
      assert.match(xff(Array.from({ length: hops }, () => piece).join(',')), /^10\./);
      assert.equal(xff(piece.repeat(hops)), PROXY);
      assert.match(forwarded(Array.from({ length: hops }, () => 'for=10.0.0.2').join(',')), /^10\./);
      assert.equal(forwarded(`for="${piece.repeat(hops)}`), PROXY);
    }
  });
});

const octet = fc.integer({ min: 0, max: 255 });
const someAddress = fc.oneof(fc.ipV4(), fc.ipV6(), fc.constantFrom('10.0.0.2', '::ffff:10.0.0.2', '2001:db8:ffff::2'));
const someHop = fc.oneof(
  someAddress,
  someAddress.map((address) => `"[${address}]:80"`),
  someAddress.map((address) => `for="${address}"`),
  fc.constantFrom('', 'unknown', 'for=_x', '"', ';', 'host="a', '%', '[', '\\'),
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 8 }),
);
const someHeader = fc.oneof(
  fc.array(someHop, { maxLength: 6 }).map((hops) => hops.join(',')),
  fc.array(someHop, { maxLength: 4 }),
);

describe('client address, for any header', () => {
  it('is canonical, and reading it never throws', () => {
    const headers = fc.record({ 'x-forwarded-for': someHeader, forwarded: someHeader }, { requiredKeys: [] });
    const someSocket = fc.oneof(someAddress, fc.constant('127.0.0.1'), fc.string(), fc.constant(undefined));
    fc.assert(
      fc.property(someSocket, headers, (socketAddress, given) => {
        const { address, budgetKey, siteKey } = resolve({ socketAddress, headers: given });
        assert.ok(isIP(address) > 0, address);
        const again = resolve({ socketAddress: address, headers: {} });
        assert.deepEqual([again.address, again.budgetKey, again.siteKey], [address, budgetKey, siteKey]);
      }),
      { numRuns: 2000 },
    );
  });

  it('is the address that the trusted proxy saw, for any header that a client sends', () => {
    const someClient = fc.tuple(octet, octet).map(([a, b]) => `203.0.${a}.${b}`);
    const written = someHeader.map((value) => (typeof value === 'string' ? value : value.join(',')));
    fc.assert(
      fc.property(someClient, written, (client, forged) => {
        assert.equal(xff(`${forged}, ${client}`), client);
        assert.equal(xff([forged, client]), client);
        assert.equal(forwarded(`${forged}, for=${client};proto=https`), client);
      }),
      { numRuns: 2000 },
    );
  });

  it('is at worst the proxy, when a client adds the header that the proxy does not write', () => {
    fc.assert(
      fc.property(someHeader, (forged) => {
        const { address } = resolve({
          socketAddress: PROXY,
          headers: { 'x-forwarded-for': '203.0.113.9', forwarded: forged },
        });
        assert.ok(address === '203.0.113.9' || address === PROXY, address);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('trusted proxies', () => {
  it('are addresses and ranges, separated by commas or spaces', () => {
    assert.deepEqual(parseTrustedProxies(''), []);
    assert.deepEqual(parseTrustedProxies(' 10.0.0.1,, fd00::/8\t::1 '), ['10.0.0.1', 'fd00::/8', '::1']);
  });

  it('may be given as IPv4-mapped IPv6', () => {
    const { resolve } = createClientAddress({ trustedProxies: ['::ffff:10.0.0.0/104', '::ffff:192.0.2.1'] });
    const seen = (socketAddress: string) =>
      resolve({ socketAddress, headers: { 'x-forwarded-for': '203.0.113.9' } }).address;
    for (const proxy of ['10.9.9.9', '::ffff:10.9.9.9', '192.0.2.1']) assert.equal(seen(proxy), '203.0.113.9');
    for (const untrusted of ['11.0.0.1', '192.0.2.2']) assert.equal(seen(untrusted), untrusted);
  });

  it('stop with a message that names the wrong entry', () => {
    const wrong = [
      '10.0.0',
      'proxy.example',
      '10.0.0.0/33',
      '10.0.0.0/',
      '10.0.0.0/8/8',
      '::1/129',
      '010.0.0.1',
      'fe80::1%eth0',
    ];
    for (const entry of [...wrong, '10.0.0.0/-1', '10.0.0.0/0x8', '::ffff:10.0.0.0/95', '[::1]', '/8', 'all']) {
      assert.throws(
        () => parseTrustedProxies(`127.0.0.1, ${entry}`),
        (error: Error) => error.message.startsWith(`"${entry}" is neither an IP address nor a CIDR range`),
      );
    }
  });
});
