// Passkeys: attestations and assertions in CBOR and JSON. Only what the registered key has signed for this site is accepted.
import assert from 'node:assert/strict';
import { createHash, sign } from 'node:crypto';
import { createWebAuthn, readChallenge } from '../../../src/factors/webauthn.ts';
import { jwk, privateKey } from '../key.ts';
import type { Target } from '../target.ts';

const RP_ID = 'id.example.org';
const ORIGIN = 'https://id.example.org';
const webAuthn = createWebAuthn({ id: RP_ID, origins: [ORIGIN] });

const bytesOf = (text: string) => Buffer.from(text, 'base64url');
const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest();
const [RP_HASH, ID] = [sha256(RP_ID), Buffer.from('a passkey of tests')];
const id = ID.toString('base64url');

/** The public key as COSE: EC2, ES256, P-256 (RFC 9053). */
const COSE = Buffer.concat([
  Buffer.from('a5010203262001215820', 'hex'),
  bytesOf(jwk.x),
  Buffer.from('225820', 'hex'),
  bytesOf(jwk.y),
]);

/** What an input is: `C` the client data, `D` the authenticator data, `A` the attestation, `K` the stored key. */
const clientDataOf = (type: string) =>
  Buffer.from(
    JSON.stringify({ type: `webauthn.${type}`, challenge: 'Y2hhbGxlbmdl', origin: ORIGIN, crossOrigin: false }),
  );
const authenticatorData = (flags: number) => Buffer.concat([RP_HASH, Buffer.from([flags, 0, 0, 0, 9])]);
const attested = Buffer.concat([authenticatorData(0x45), Buffer.alloc(16), Buffer.from([0, ID.length]), ID, COSE]);
const attestation = Buffer.concat([
  Buffer.from('a363666d74646e6f6e656761747453746d74a0686175746844617461', 'hex'),
  Buffer.from([0x58, attested.length]),
  attested,
]);

async function register(clientData: Buffer, object: Buffer) {
  const response = {
    clientDataJSON: clientData.toString('base64url'),
    attestationObject: object.toString('base64url'),
  };
  const credential = await webAuthn.verifyRegistration({ id, rawId: id, response });
  if (!credential) return undefined;
  assert.equal(credential.credentialId, id);
  assertSite(clientData, object);
  assert.ok(Number.isSafeInteger(credential.signCount) && credential.signCount >= 0);
  assert.ok(bytesOf(credential.publicKey).length > 0);
  return credential;
}

async function assertion(clientData: Buffer, data: Buffer, publicKey: Buffer) {
  const signature = sign('sha256', Buffer.concat([data, sha256(clientData)]), privateKey);
  const response = {
    clientDataJSON: clientData.toString('base64url'),
    authenticatorData: data.toString('base64url'),
    signature: signature.toString('base64url'),
  };
  const passkey = { credentialId: id, publicKey: publicKey.toString('base64url') };
  const verified = await webAuthn.verifyAssertion({ id, rawId: id, response }, passkey, true);
  if (!verified) return undefined;
  assertSite(clientData, data);
  assert.equal(verified.isUserVerified, true);
  const broken = Buffer.concat([data, sha256('other')]).toString('base64url');
  const forged = await webAuthn.verifyAssertion(
    { id, rawId: id, response: { ...response, authenticatorData: broken } },
    passkey,
    true,
  );
  assert.equal(forged, undefined, 'other data than the key has signed are refused');
  return verified;
}

/** The page and the domain that a passkey has signed for. */
function assertSite(clientData: Buffer, data: Buffer) {
  const { origin, crossOrigin, topOrigin } = JSON.parse(clientData.toString());
  assert.deepEqual([origin, Boolean(crossOrigin), topOrigin], [ORIGIN, false, undefined]);
  assert.ok(data.includes(RP_HASH), 'the data name the domain');
}

export const target: Target = {
  name: 'webauthn',
  words: [
    `C${clientDataOf('get')}`,
    `C${clientDataOf('create')}`,
    'webauthn.get',
    'webauthn.create',
    ORIGIN,
    '"topOrigin":"',
    'fmt',
    'attStmt',
    'authData',
    'packed',
    'x5c',
    'none',
    'alg',
    'sig',
    'credProps',
    'hmac-secret',
  ],
  weight: 8,
  async check(input) {
    const kind = input.toString('latin1', 0, 1);
    const rest = input.subarray(1);
    const challenge = readChallenge(rest.toString('base64url'));
    assert.ok(challenge === undefined || typeof challenge === 'string');
    switch (kind) {
      case 'A':
        return register(clientDataOf('create'), rest);
      case 'C':
        return [challenge, await register(rest, attestation), await assertion(rest, authenticatorData(0x05), COSE)];
      case 'D':
        return assertion(clientDataOf('get'), rest, COSE);
      case 'K':
        return assertion(clientDataOf('get'), authenticatorData(0x05), rest);
      default:
        return challenge;
    }
  },
};
