// Headers: what a client sends decides neither its address nor its language beyond the known ones, and no name leaves unescaped.
import assert from 'node:assert/strict';
import { isIP } from 'node:net';
import { chooseLanguage, languages } from '../../../src/abp-compatibility/culture.ts';
import { findUnmetDemand, identityHeaders, readDemands } from '../../../src/contract/forward-auth.ts';
import { createClientAddress, parseTrustedProxies } from '../../../src/http/client-address.ts';
import { readBearerToken, readServiceKey } from '../../../src/http/guard.ts';
import { isServiceKey } from '../../../src/service-keys/service-key.ts';
import { answerOf, type Target } from '../target.ts';

const PROXY = '10.0.0.1';
const CLIENT = '203.0.113.9';
const { resolve } = createClientAddress({ trustedProxies: parseTrustedProxies('10.0.0.0/8 2001:db8:ffff::/48') });

/** Reads `name: value` lines. Several lines of one name are a list, as in Node. */
function parseHeaders(text: string): Record<string, string[]> {
  const headers: Record<string, string[]> = Object.create(null);
  for (const line of text.split('\n')) {
    const [name = '', ...value] = line.split(':');
    const key = name.trim().toLowerCase();
    headers[key] ??= [];
    headers[key].push(value.join(':').trim());
  }
  return headers;
}

/** @param given what the client has sent in the two headers, in front of what the proxy adds. */
function assertAddress(given: Record<string, string[]>) {
  const xff = given['x-forwarded-for'] ?? [];
  const forwarded = given.forwarded ?? [];
  const addressOf = (headers: Record<string, string[]>, socketAddress = PROXY) => resolve({ socketAddress, headers });
  const { address, budgetKey } = addressOf({ 'x-forwarded-for': xff, forwarded });
  assert.ok(isIP(address) !== 0, 'the address is one');
  assert.equal(addressOf({}, address).address, address, 'the address is canonical');
  assert.equal(addressOf({}, address).budgetKey, budgetKey, 'one address has one budget');
  assert.equal(
    addressOf({ 'x-forwarded-for': [...xff, CLIENT] }).address,
    CLIENT,
    'a client cannot choose its address',
  );
  assert.equal(addressOf({ forwarded: [...forwarded, `for=${CLIENT}`] }).address, CLIENT, 'nor by the other header');
  const both = addressOf({ 'x-forwarded-for': [...xff, CLIENT], forwarded }).address;
  assert.ok(both === CLIENT || both === PROXY, 'nor by the header that the proxy forwards');
  const direct = addressOf({ 'x-forwarded-for': xff, forwarded }, CLIENT);
  assert.deepEqual([direct.address, direct.hasUntrustedForwarding], [CLIENT, true]);
  return [address, budgetKey];
}

function assertCredentials(header: string | undefined) {
  const token = readBearerToken(header);
  assert.ok(token === undefined || (/^\S+$/.test(token) && header?.includes(token)));
  const key = readServiceKey(header);
  if (token !== undefined) assert.equal(key, token);
  if (isServiceKey(key)) assert.match(key, /^lks_[A-Za-z0-9_-]{43}$/);
  return [token, key];
}

function assertIdentity(name: string) {
  const roles = name.split('/');
  const identity = { id: '7', userName: name, name, email: name, roles, level: 'aal1' } as const;
  const headers = identityHeaders(identity);
  for (const value of Object.values(headers)) assert.match(value, /^[!-~]?([ -~]*[!-~])?$/);
  assert.equal(decodeURIComponent(headers['remote-name'] ?? ''), name.toWellFormed());
  assert.deepEqual(
    (headers['remote-groups'] ?? '').split(',').map(decodeURIComponent),
    roles.map((one) => one.toWellFormed()),
  );
  return identity;
}

export const target: Target = {
  name: 'headers',
  words: [
    'x-forwarded-for: ',
    'forwarded: ',
    'authorization: ',
    'accept-language: ',
    'cookie: ',
    '.aspnetcore.culture: ',
    'url: ',
    'name: ',
    'for=',
    'for="[2001:db8::1]:80"',
    '10.0.0.2',
    '::ffff:10.0.0.1',
    'Bearer ',
    'Basic ',
    'lks_',
    'c=de|uic=de',
    'Abp.Localization.CultureName=',
    ';q=0.5',
    '?roles=',
    '&acr=aal2',
    '%2C',
    '\n',
    ', ',
    '%25eth0',
  ],
  check(input) {
    const headers = parseHeaders(input.toString());
    const joined = (name: string) => headers[name]?.join(', ');
    const language = chooseLanguage(joined);
    assert.ok(languages.includes(language));
    const identity = assertIdentity(joined('name') ?? '');
    const demands = answerOf(() => readDemands(joined('url') ?? ''), 'request.invalid');
    if ('value' in demands) {
      const unmet = findUnmetDemand(identity, demands.value, (role, roles) => roles.includes(role));
      // A caller with level 1 and no matching role never meets a demand for more.
      if (demands.value.levels.includes('aal2')) assert.ok(unmet !== undefined);
    }
    return [assertAddress(headers), assertCredentials(joined('authorization')), language, demands];
  },
};
