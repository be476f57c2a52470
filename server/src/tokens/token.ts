// Tokens: ES256 JWTs (RFC 7519, 9068) of exactly one spelling, whose header must be one of our own constants (RFC 8725).
import { type KeyObject, sign, verify } from 'node:crypto';
import { type Instant, toNumericDate } from '../foundation/clock.ts';

/** What a token says. Times are seconds since 1970; `sub` is the account's id. */
export type Claims = {
  iss: string;
  aud: string;
  sub: string;
  jti: string;
  sid: string;
  iat: number;
  nbf: number;
  exp: number;
  auth_time: number;
  amr: string[];
  client_id: string;
  preferred_username: string;
  name: string;
  email?: string;
  roles: string[];
};

/** A key that signs tokens. */
export type TokenKey = { readonly kid: string; readonly header: string; readonly publicKey: KeyObject };
export type SigningKey = TokenKey & { readonly privateKey: KeyObject };

/** The base64url text that each token of this key begins with: nothing in a header is ever read. */
export function headerOf(kid: string): string {
  return Buffer.from(JSON.stringify({ alg: 'ES256', typ: 'at+jwt', kid })).toString('base64url');
}

/** Half the order of P-256: of the two signatures (r, s) and (r, n - s) that ECDSA allows, ours is the one below. */
const HALF_ORDER = Buffer.from('7fffffff800000007fffffffffffffffde737d56d38bcf4279dce5617e3192a8', 'hex');
const ORDER = Buffer.from('ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551', 'hex');
const SIGNATURE_BYTES = 64;
const SIGNATURE_CHARACTERS = 86;

/** Longest token that is looked at, in characters. */
const MAX_TOKEN_LENGTH = 8192;

/** Signs the claims. */
export function encodeToken(claims: Claims, { header, privateKey }: SigningKey): string {
  const content = `${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`;
  const signature = sign('sha256', Buffer.from(content), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  const s = signature.subarray(32);
  if (isHigh(s)) mirror(s);
  return `${content}.${signature.toString('base64url')}`;
}

/**
 * The claims of a token of ours, whatever their times say; `undefined` for anything else.
 * @param findKey gives the key whose tokens begin with this header.
 */
export function decodeToken(
  token: string,
  issuer: string,
  findKey: (header: string) => TokenKey | undefined,
): Claims | undefined {
  if (token.length > MAX_TOKEN_LENGTH) return undefined;
  const [header = '', payload = '', signatureText = '', ...more] = token.split('.', 4);
  const key = findKey(header);
  if (!key || more.length > 0 || signatureText.length !== SIGNATURE_CHARACTERS) return undefined;
  const signature = Buffer.from(signatureText, 'base64url');
  const isCanonical =
    signature.length === SIGNATURE_BYTES &&
    signature.toString('base64url') === signatureText &&
    !isHigh(signature.subarray(32));
  if (!isCanonical) return undefined;
  const content = Buffer.from(`${header}.${payload}`);
  if (!verify('sha256', content, { key: key.publicKey, dsaEncoding: 'ieee-p1363' }, signature)) return undefined;
  return readClaims(Buffer.from(payload, 'base64url').toString('utf8'), issuer);
}

/** Replaces s by n - s, which signs the same. */
function mirror(s: Buffer): void {
  let borrow = 0;
  for (let index = s.length - 1; index >= 0; index--) {
    const difference = (ORDER[index] ?? 0) - (s[index] ?? 0) - borrow;
    borrow = difference < 0 ? 1 : 0;
    s[index] = difference + 256 * borrow;
  }
}

function isHigh(s: Buffer): boolean {
  return Buffer.compare(s, HALF_ORDER) > 0;
}

/** Claims whose signature was good can still be of another kind, or of a service that once had our key. */
function readClaims(json: string, issuer: string): Claims | undefined {
  const claims = parseObject(json);
  if (!claims || claims.iss !== issuer) return undefined;
  const texts = ['aud', 'sub', 'jti', 'sid', 'client_id', 'preferred_username', 'name'];
  const times = ['iat', 'nbf', 'exp', 'auth_time'];
  const lists = ['amr', 'roles'];
  const isWhole =
    texts.every((name) => typeof claims[name] === 'string' && claims[name] !== '') &&
    times.every((name) => Number.isSafeInteger(claims[name])) &&
    lists.every((name) => Array.isArray(claims[name]));
  return isWhole ? (claims as Claims) : undefined;
}

function parseObject(json: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Where `now` lies: no leeway is given, and a token is expired from the second `exp` on. */
export function judgeTimes({ nbf, exp }: Pick<Claims, 'nbf' | 'exp'>, now: Instant): 'valid' | 'expired' | 'early' {
  if (now >= exp * 1000) return 'expired';
  return toNumericDate(now) < nbf ? 'early' : 'valid';
}
