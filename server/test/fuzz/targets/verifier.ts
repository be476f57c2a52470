// The verifier of other services, beside the service: it accepts each token that the service accepts, and no forged one.
import assert from 'node:assert/strict';
import { TokenRejected } from '../../../../sdk/src/verify/interface.ts';
import { createSignatures } from '../../../../sdk/src/verify/signatures.ts';
import { createSignatureVerifier } from '../../../src/tokens/signatures.ts';
import { decodeToken, headerOf } from '../../../src/tokens/token.ts';
import { altered, signParts } from '../../support/forge.ts';
import { jwk, privateKey, publicKey } from '../key.ts';
import type { Target } from '../target.ts';

const ISSUER = 'https://id.example.org';
const AUDIENCE = 'everybody';
const KID = 'key';

const { d: _, ...publicJwk } = jwk;
const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
const cryptoKey = await crypto.subtle.importKey('jwk', publicJwk, algorithm, false, ['verify']);
const header = headerOf(KID);
const find = (text: string) => (text === header ? { kid: KID, header, publicKey } : undefined);
const verifySignature = createSignatureVerifier();
const keys = { find: async (kid: string) => (kid === KID ? cryptoKey : undefined), get: () => cryptoKey };
const signatures = createSignatures({
  issuer: ISSUER,
  audience: AUDIENCE,
  // The key set asks a service; this one has its key.
  keys: keys as never,
  isKeyRevoked: () => false,
  cached: 0,
});

async function verify(token: string) {
  try {
    return (await signatures.verify(token)).claims;
  } catch (error) {
    assert.ok(error instanceof TokenRejected && error.message !== '', `${error}`);
    return undefined;
  }
}

/** An input is a payload that the service's key signs, or a header and a payload in two lines, signed as well. */
export const target: Target = {
  name: 'verifier',
  words: [
    '\n',
    '{"alg":"none"}',
    '{"alg":"ES256","typ":"at+jwt","kid":"key"}',
    '"crit":["b64"],"b64":false',
    '"gen":',
    'everybody',
  ],
  maxBytes: 4096,
  weight: 4,
  async check(input) {
    const [first = '', ...second] = input.toString().split('\n');
    const isPayload = second.length === 0;
    const encoded = isPayload ? header : Buffer.from(first).toString('base64url');
    const payload = Buffer.from(isPayload ? first : second.join('\n')).toString('base64url');
    const token = signParts(encoded, payload, privateKey);
    const [accepted, decoded] = [await verify(token), await decodeToken(token, ISSUER, find, verifySignature)];
    const other = altered(token);
    assert.equal(await verify(other), undefined, 'another signature is refused');
    if (accepted) {
      assert.deepEqual([accepted.iss, accepted.aud], [ISSUER, AUDIENCE]);
      const { alg, typ, kid, crit } = JSON.parse(Buffer.from(encoded, 'base64url').toString());
      assert.deepEqual([alg, kid, crit], ['ES256', KID, undefined]);
      assert.ok(typ === 'at+jwt' || typ === 'JWT');
    }
    // The service issues session ids that the verifier can index, and a generation, which older tokens lack.
    const isIndexable = decoded?.gen !== undefined && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(decoded.sid);
    if (decoded?.aud === AUDIENCE && isIndexable && Number.isSafeInteger(decoded.gen)) {
      assert.deepEqual(accepted, decoded, 'the verifier accepts what the service accepts');
    }
    return accepted;
  },
};
