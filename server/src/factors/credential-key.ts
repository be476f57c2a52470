// The public keys of passkeys: which of them an authenticator can have made.
import { createPublicKey } from 'node:crypto';

/** The algorithms that passkeys may use: EdDSA, ES256 and RS256 (RFC 9053, RFC 8812). */
export const ALGORITHMS = { edDsa: -8, es256: -7, rs256: -257 } as const;

/** A key as authenticators encode it, by its labels (RFC 9052, 7; RFC 9053, 7.1 and 7.2; RFC 8230, 4). */
export type CoseKey = { get(label: number): unknown };
const [TYPE, ALGORITHM, CURVE, X, Y, MODULUS, EXPONENT] = [1, 3, -1, -2, -3, -1, -2] as const;

const [OKP, EC2, RSA] = [1, 2, 3] as const;
const [P_256, ED25519] = [1, 6] as const;
const COORDINATE_BYTES = 32;

/** In bits (NIST SP 800-131A; longer ones take long to verify). */
const [MIN_MODULUS, MAX_MODULUS] = [2048, 4096] as const;
/** Odd, from 2^16 + 1 (FIPS 186-5, A.1.1). Authenticators have the smallest. */
const [MIN_EXPONENT, MAX_EXPONENT] = [0x1_0001n, 0xffff_ffffn] as const;

/** Returns whether the key is of one of the algorithms, and a point of its curve or of safe size. */
export function isSoundKey(key: CoseKey): boolean {
  const is = (algorithm: number, type: number, curve?: number) =>
    key.get(ALGORITHM) === algorithm && key.get(TYPE) === type && (curve === undefined || key.get(CURVE) === curve);
  if (is(ALGORITHMS.es256, EC2, P_256)) return isPointOfP256(key.get(X), key.get(Y));
  if (is(ALGORITHMS.edDsa, OKP, ED25519)) return isPointOfEd25519(key.get(X));
  return is(ALGORITHMS.rs256, RSA) && isSafeModulus(key.get(MODULUS), key.get(EXPONENT));
}

const isCoordinate = (value: unknown): value is Uint8Array =>
  value instanceof Uint8Array && value.length === COORDINATE_BYTES;

const toBase64Url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');

function isPointOfP256(x: unknown, y: unknown): boolean {
  if (!isCoordinate(x) || !isCoordinate(y)) return false;
  try {
    // OpenSSL checks the equation of the curve.
    createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: toBase64Url(x), y: toBase64Url(y) }, format: 'jwk' });
    return true;
  } catch {
    return false;
  }
}

function isSafeModulus(n: unknown, e: unknown): boolean {
  if (!(n instanceof Uint8Array) || !(e instanceof Uint8Array)) return false;
  try {
    const jwk = { kty: 'RSA', n: toBase64Url(n), e: toBase64Url(e) };
    const { modulusLength = 0, publicExponent = 0n } =
      createPublicKey({ key: jwk, format: 'jwk' }).asymmetricKeyDetails ?? {};
    const isOdd = (n.at(-1) ?? 0) % 2 === 1 && publicExponent % 2n === 1n;
    const isBounded = publicExponent >= MIN_EXPONENT && publicExponent <= MAX_EXPONENT;
    return isOdd && isBounded && modulusLength >= MIN_MODULUS && modulusLength <= MAX_MODULUS;
  } catch {
    return false;
  }
}

/** The field and the constant of Ed25519: -x² + y² = 1 + d·x²·y² (RFC 8032, 5.1). */
const P = 2n ** 255n - 19n;
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;

/**
 * Decompresses y (RFC 8032, 5.1.3), which OpenSSL does not do before it verifies. A point of eight multiples or fewer is
 * refused: it needs no secret to sign for it.
 */
function isPointOfEd25519(encoded: unknown): boolean {
  if (!isCoordinate(encoded)) return false;
  const y = BigInt(`0x${Buffer.from(encoded).reverse().toString('hex')}`) % 2n ** 255n;
  if (y >= P) return false;
  const y2 = (y * y) % P;
  const [numerator, denominator] = [y2 - 1n, D * y2 + 1n];
  const isSmall = y2 === 0n || y2 === 1n || (D * y2 * y2 + 2n * y2 - 1n) % P === 0n;
  // x² is their quotient. It has a root if their product has one (Euler's criterion).
  return !isSmall && power(numerator * denominator, (P - 1n) / 2n) === 1n;
}

/** Returns base^exponent modulo {@link P}. */
function power(base: bigint, exponent: bigint): bigint {
  let [result, square] = [1n, base % P];
  for (let rest = exponent; rest > 0n; rest /= 2n) {
    if (rest % 2n === 1n) result = (result * square) % P;
    square = (square * square) % P;
  }
  return result;
}
