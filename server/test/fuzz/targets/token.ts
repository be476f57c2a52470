// Tokens: only what the service's own key has signed is accepted, in one spelling, and never a claim of the wrong type.
import assert from 'node:assert/strict';
import { toInstant } from '../../../src/foundation/clock.ts';
import { createSignatureVerifier } from '../../../src/tokens/signatures.ts';
import {
  type Claims,
  decodeToken,
  encodeToken,
  headerOf,
  judgeTimes,
  readVerifiedClaims,
} from '../../../src/tokens/token.ts';
import { signParts } from '../../support/forge.ts';
import { privateKey, publicKey } from '../key.ts';
import type { Target } from '../target.ts';

const ISSUER = 'https://id.example.org';
const KID = '7d2f6f52-4b1e-4c0e-9b51-5c0b3c6a8a01';

const header = headerOf(KID);
const key = { kid: KID, header, publicKey, privateKey };
const find = (text: string) => (text === header ? key : undefined);
const verifySignature = createSignatureVerifier();
const decode = (token: string) => decodeToken(token, ISSUER, find, verifySignature);

/** Inputs that begin with this are a payload, which the service's own key signs. Others are whole tokens. */
const SIGNED = 'payload:';
const signed = new Set<string>();

/** Checks by hand what the service promises of the claims that it accepts. */
function assertClaims(claims: Claims) {
  assert.equal(claims.iss, ISSUER);
  for (const name of ['aud', 'sub', 'jti', 'sid', 'client_id', 'preferred_username', 'name'] as const) {
    assert.ok(typeof claims[name] === 'string' && claims[name] !== '', name);
  }
  for (const name of ['iat', 'nbf', 'exp', 'auth_time'] as const) assert.ok(Number.isSafeInteger(claims[name]), name);
  assert.ok(Array.isArray(claims.amr) && Array.isArray(claims.roles));
}

export const target: Target = {
  name: 'token',
  words: [SIGNED, header, `${header}.`, ISSUER],
  async check(input) {
    const text = input.toString();
    const isPayload = text.startsWith(SIGNED);
    const payload = Buffer.from(text.slice(SIGNED.length)).toString('base64url');
    // ECDSA draws a random number, so that the token is another one each time.
    const token = isPayload ? signParts(header, payload, privateKey) : text;
    if (isPayload) signed.add(token);
    const claims = await decode(token);
    if (!claims) return undefined;
    assert.ok(signed.has(token), 'a token that the key has not signed is accepted');
    assertClaims(claims);
    assert.deepEqual(readVerifiedClaims(token), claims);
    assert.equal(judgeTimes(claims, toInstant(claims.exp * 1000)), 'expired');
    for (const other of [`${token}=`, `${token}.`, ` ${token}`, token.toLowerCase(), token.slice(0, -1)]) {
      assert.equal(await decode(other), undefined, 'a token has one spelling');
    }
    const again = await decode(encodeToken(claims, key));
    assert.equal(JSON.stringify(again), JSON.stringify(claims), 'accepted claims survive another signature');
    return claims;
  },
};
