// The code of the guide on verifying tokens, run as printed: it accepts the service's tokens, and refuses all others.
import assert from 'node:assert/strict';
import { createHmac, generateKeyPairSync } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { claimsOf, encode, forge, headerOf } from '../support/forge.ts';
import { findFreePort } from '../support/ports.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { nodeVerifier, otherVerifiers, requireTools, runVerifier } from '../support/verifiers.ts';

/** `npm run test:verifiers` sets it: run the other languages too, with tools of Debian. */
const verifiers = process.env.LATCHKEY_TEST_VERIFIERS ? [nodeVerifier, ...otherVerifiers] : [nodeVerifier];

const NOW = Math.floor(Date.now() / 1000);
const HOUR = 3600;

describe('the guide on verifying tokens', () => {
  let test: TestService;
  let issuer: string;
  before(async () => {
    const port = await findFreePort();
    issuer = `http://127.0.0.1:${port}`;
    test = await startTestService('sqlite', { publicUrl: issuer });
    await test.createUser('thandi', { roleNames: ['Clerk'] });
    await test.app.listen({ port, host: '127.0.0.1' });
  });
  after(() => test.close());

  /** Returns tokens that differ from a valid one in one thing each, by what it is. */
  async function forgeAll(live: string): Promise<Record<string, string>> {
    const sign = (algorithm: 'RS256' | 'ES256') =>
      test.service.idTokens.sign({ typ: 'JWT', claims: claimsOf(live), algorithm });
    const rsa = await sign('RS256');
    const [header, claims, key] = [headerOf(live), claimsOf(live), test.service.keys.signingKey()];
    const [head = '', payload = '', signature = ''] = live.split('.');
    const own = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const pem = key.publicKey.export({ type: 'spki', format: 'pem' }).toString();
    const hmac = (secret: string) => {
      const content = `${encode({ ...header, alg: 'HS256' })}.${payload}`;
      return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`;
    };
    const signed = (changed: object) => forge(header, { ...claims, ...changed }, key.privateKey);
    const { exp: _, ...endless } = claims;
    return {
      expired: signed({ iat: NOW - 3 * HOUR, nbf: NOW - 3 * HOUR, exp: NOW - HOUR }),
      'without an end': forge(header, endless, key.privateKey),
      'not yet valid': signed({ nbf: NOW + HOUR }),
      'of another issuer': signed({ iss: 'https://other.example.com' }),
      'for another audience': signed({ aud: 'other' }),
      'of another type': forge({ ...header, typ: 'id+jwt' }, claims, key.privateKey),
      'without a type': forge({ alg: 'ES256', kid: header.kid }, claims, key.privateKey),
      'signed with another key': forge(header, claims, own.privateKey),
      'signed with an unknown key': forge({ ...header, kid: 'unknown' }, claims, own.privateKey),
      'signed with RSA, an ID token': rsa,
      'an ID token': await sign('ES256'),
      'of this type with the kid of an RSA key': forge({ ...header, kid: headerOf(rsa).kid }, claims, key.privateKey),
      'without a kid': forge({ alg: 'ES256', typ: header.typ }, claims, own.privateKey),
      'with its own key': forge({ ...header, jwk: own.publicKey.export({ format: 'jwk' }) }, claims, own.privateKey),
      'alg none': `${encode({ ...header, alg: 'none' })}.${payload}.`,
      'alg none with a signature': `${encode({ ...header, alg: 'none' })}.${payload}.${signature}`,
      'HS256 with the public key': hmac(pem),
      'HS256 with the public key, trimmed': hmac(pem.trim()),
      'with other claims': `${head}.${encode({ ...claims, roles: ['Administrator'] })}.${signature}`,
      'without a signature': `${head}.${payload}.`,
      'in two parts': `${head}.${payload}`,
      'no token': 'nonsense',
      empty: '',
    };
  }

  for (const verifier of verifiers) {
    it(`has code for ${verifier.language} that accepts real tokens and refuses others`, async () => {
      await requireTools(verifier);
      const live = await test.signIn('thandi');
      const claims = claimsOf(live);
      const copy = forge(headerOf(live), claims, test.service.keys.signingKey().privateKey);
      const forged = await forgeAll(live);
      const tokens = [live, copy, ...Object.values(forged), live];
      const [first, second, ...rest] = await runVerifier(verifier, { issuer, tokens, headerType: 'at+jwt' });
      const accepted = `accepted ${claims.sub}`;
      assert.deepEqual([first, second, rest.pop()], [accepted, accepted, accepted]);
      const verdicts = Object.keys(forged).map((what, index) => [what, rest[index]]);
      assert.deepEqual(
        verdicts,
        Object.keys(forged).map((what) => [what, 'refused']),
      );
    });
  }

  describe('with the header type JWT', () => {
    let earlier: string;
    before(async () => {
      earlier = await test.signIn('thandi');
      await test.set('Latchkey.Tokens', { headerType: 'JWT' });
      await test.service.keys.applyHeaderType();
    });

    for (const verifier of verifiers) {
      it(`has code for ${verifier.language} that accepts tokens of this type alone`, async () => {
        await requireTools(verifier);
        const live = await test.signIn('thandi');
        const [accepted, refused] = await runVerifier(verifier, { issuer, tokens: [live, earlier], headerType: 'JWT' });
        assert.deepEqual([accepted, refused], [`accepted ${claimsOf(live).sub}`, 'refused']);
      });
    }
  });
});
