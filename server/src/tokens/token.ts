// Tokens: ES256 JWTs (RFC 7519, 9068) in one canonical spelling, whose header must be one of the service's own (RFC 8725).
import { type KeyObject, sign } from 'node:crypto';
import { type Instant, toNumericDate } from '../foundation/clock.ts';
import type { VerifySignature } from './signatures.ts';

/** The claims of a token. Times are in seconds since 1970; `sub` is the account's id. */
export type Claims = {
  iss: string;
  aud: string;
  sub: string;
  jti: string;
  sid: string;
  /** How often the session's token was exchanged. Absent in tokens of older versions. */
  gen?: number;
  iat: number;
  nbf: number;
  exp: number;
  auth_time: number;
  amr: string[];
  /** `aal2` after two factors, else `aal1` (NIST SP 800-63B-4). Absent in tokens of older versions. */
  acr?: 'aal1' | 'aal2';
  client_id: string;
  preferred_username: string;
  name: string;
  email?: string;
  roles: string[];
};

/** A key that verifies tokens. */
export type TokenKey = { readonly kid: string; readonly header: string; readonly publicKey: KeyObject };
/** A key that signs tokens. */
export type SigningKey = TokenKey & { readonly privateKey: KeyObject };

/** The `typ` of a token's header: `at+jwt` (RFC 9068, 2.1), or `JWT` for verifiers that accept no other. */
export type HeaderType = 'at+jwt' | 'JWT';

/** The algorithms of signatures (RFC 7518, 3.1). Access tokens are ES256 only. */
export type Algorithm = 'ES256' | 'RS256';

/** Returns the base64url text that every token of this key begins with. The service compares headers and never parses them. */
export function headerOf(kid: string, typ: HeaderType = 'at+jwt', alg = 'ES256'): string {
  return Buffer.from(JSON.stringify({ alg, typ, kid })).toString('base64url');
}

/** Half the order of P-256. ECDSA allows the signatures (r, s) and (r, n - s): the canonical one has s at most this. */
const HALF_ORDER = Buffer.from('7fffffff800000007fffffffffffffffde737d56d38bcf4279dce5617e3192a8', 'hex');
const ORDER = Buffer.from('ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551', 'hex');
const SIGNATURE_BYTES = 64;

/** The longest token that the service verifies, in characters. */
// Mutation: `8192` becomes `8193`. Base64 cannot give a token of that length.
const MAX_TOKEN_LENGTH = 8192;

/** Signs claims with an ES256 key. Returns the token. */
export function encodeToken(claims: object, { header, privateKey }: Pick<SigningKey, 'header' | 'privateKey'>): string {
  const content = contentOf(header, claims);
  const signature = sign('sha256', Buffer.from(content), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  const s = signature.subarray(32);
  if (isHigh(s)) mirror(s);
  return `${content}.${signature.toString('base64url')}`;
}

/** Returns what a signature is made of: the header and the claims (RFC 7515, 5.1). */
export const contentOf = (header: string, claims: object): string =>
  `${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`;

/** Returns the key whose tokens begin with this header. */
export type FindKey = (header: string) => Pick<TokenKey, 'publicKey'> | undefined;

/**
 * Verifies the signature of a token and returns its claims, or `undefined` if the token is not valid. It does not check
 * the times.
 */
export async function decodeToken(
  token: string,
  issuer: string,
  findKey: FindKey,
  verifySignature: VerifySignature,
): Promise<Claims | undefined> {
  const claims = await openToken(token, issuer, findKey, verifySignature);
  // Claims with a valid signature can still be of another kind. A token of an application never opens the service's own API.
  return claims && areComplete(claims) && !('scope' in claims) ? claims : undefined;
}

/** Returns the members of a token that the service has signed, or `undefined`. It checks neither the kind nor the times. */
export async function openToken(
  token: string,
  issuer: string,
  findKey: FindKey,
  verifySignature: VerifySignature,
): Promise<Record<string, unknown> | undefined> {
  if (token.length > MAX_TOKEN_LENGTH) return undefined;
  // Mutation: `4` becomes `5`. One part too many is rejected like two.
  const [header = '', payload = '', signatureText = '', ...more] = token.split('.', 4);
  const key = findKey(header);
  if (!key || more.length > 0) return undefined;
  const signature = Buffer.from(signatureText, 'base64url');
  if (signature.toString('base64url') !== signatureText || !isCanonical(signature, key.publicKey)) return undefined;
  const content = Buffer.from(`${header}.${payload}`);
  if (!(await verifySignature(content, signature, key.publicKey))) return undefined;
  const claims = parseObject(Buffer.from(payload, 'base64url').toString('utf8'));
  // Another service may once have had the key.
  return claims?.iss === issuer ? claims : undefined;
}

/** Returns the claims of a token that `decodeToken` has accepted before. */
export function readVerifiedClaims(token: string): Claims {
  const [, payload = ''] = token.split('.');
  return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
}

/** Replaces s by n - s, which is a signature of the same text. */
function mirror(s: Buffer): void {
  let borrow = 0;
  // Mutation: `-` becomes `+`. A buffer has no bytes past its end, so nothing is read or written there.
  for (let index = s.length - 1; index >= 0; index--) {
    // Mutation: `ORDER[index] ?? 0` becomes `ORDER[index]`, `s[index] ?? 0` becomes `s[index]`, `0` becomes `1`. Both have these bytes.
    const difference = (ORDER[index] ?? 0) - (s[index] ?? 0) - borrow;
    borrow = difference < 0 ? 1 : 0;
    // Mutation: `+` becomes `-`. A byte keeps the last eight bits, which are the same for both.
    s[index] = difference + 256 * borrow;
  }
}

/** An RSA signature has one form. */
const isCanonical = (signature: Buffer, { asymmetricKeyType }: KeyObject): boolean =>
  asymmetricKeyType === 'rsa' || (signature.length === SIGNATURE_BYTES && !isHigh(signature.subarray(32)));

function isHigh(s: Buffer): boolean {
  // Mutation: `>` becomes `>=`. Only a signature with exactly that number differs: one of about 10^76.
  return Buffer.compare(s, HALF_ORDER) > 0;
}

function areComplete(claims: Record<string, unknown>): claims is Record<string, unknown> & Claims {
  const texts = ['aud', 'sub', 'jti', 'sid', 'client_id', 'preferred_username', 'name'];
  const times = ['iat', 'nbf', 'exp', 'auth_time'];
  const lists = ['amr', 'roles'];
  return (
    texts.every((name) => typeof claims[name] === 'string' && claims[name] !== '') &&
    times.every((name) => Number.isSafeInteger(claims[name])) &&
    lists.every((name) => Array.isArray(claims[name]))
  );
}

function parseObject(json: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    // Mutation: `isObject(value) ? value : undefined` becomes `value`. A value that is no object names no issuer, and is refused.
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  // Mutation: `&&` becomes `||`. A value that is no object names no issuer, and is refused.
  return typeof value === 'object' && value !== null;
}

/** Compares `now` with the times of a token. There is no leeway: the token is expired from the second `exp` on. */
export function judgeTimes({ nbf, exp }: Pick<Claims, 'nbf' | 'exp'>, now: Instant): 'valid' | 'expired' | 'early' {
  if (now >= exp * 1000) return 'expired';
  return toNumericDate(now) < nbf ? 'early' : 'valid';
}
