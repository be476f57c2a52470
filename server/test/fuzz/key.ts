// The key of the fuzzer's targets: the example of RFC 7515, appendix A.3. The same one in every run, so that inputs stay valid.
import { createPrivateKey, createPublicKey } from 'node:crypto';

export const jwk = {
  kty: 'EC',
  crv: 'P-256',
  x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
  y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
  d: 'jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI',
};
export const privateKey = createPrivateKey({ key: jwk, format: 'jwk' });
export const publicKey = createPublicKey(privateKey);
