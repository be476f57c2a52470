// The passkeys of the crowd, and answers to them that are right but for the signature.
import { createHash, generateKeyPairSync, sign } from 'node:crypto';

/** As `environmentOf` configures the service. */
export const RP_ID = 'auth.example.com';
const ORIGIN = `https://${RP_ID}`;
/** The user is present and verified (WebAuthn, 6.1). */
const FLAGS = 0b101;

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
const hex = (base64url: string) => Buffer.from(base64url, 'base64url').toString('hex');

/** An ES256 key as COSE (RFC 9053), in base64url. */
export const cosePublicKey = Buffer.from(`a5010203262001215820${hex(x)}225820${hex(y)}`, 'hex').toString('base64url');

export const credentialIdOf = (name: string) => Buffer.from(`the passkey of ${name}`).toString('base64url');

/** Returns an assertion with the signature of other data. */
export function createWrongAssertion(name: string, challenge: string) {
  const clientData = JSON.stringify({ type: 'webauthn.get', challenge, origin: ORIGIN, crossOrigin: false });
  const counter = Buffer.from([0, 0, 0, 1]);
  const authenticatorData = Buffer.concat([createHash('sha256').update(RP_ID).digest(), Buffer.from([FLAGS]), counter]);
  return {
    id: credentialIdOf(name),
    rawId: credentialIdOf(name),
    response: {
      clientDataJSON: Buffer.from(clientData).toString('base64url'),
      authenticatorData: authenticatorData.toString('base64url'),
      signature: sign('sha256', Buffer.from('other data'), privateKey).toString('base64url'),
    },
  };
}
