// Signatures: verifies that the service issued a token, and reads its claims. It judges neither time nor revocation.
import { base64url, compactVerify } from 'jose';
import { type Claims, TokenRejected } from './interface.ts';
import type { KeySet } from './key-set.ts';
import { isSessionId } from './session-table.ts';

/** The longest token that the service issues, in characters. */
const MAX_TOKEN_LENGTH = 8192;

/** 64 bytes in base64url, whose last four bits are unused. */
const SIGNATURE = /^[\w-]{85}[AQgw]$/;

/** Half the order of P-256: of the two right signatures (r, s) and (r, n - s), the service makes the one with the lower s. */
const HALF_ORDER = '7fffffff800000007fffffffffffffffde737d56d38bcf4279dce5617e3192a8';

/** The types of headers that the service issues (RFC 9068, 2.1). */
const TYPES: readonly unknown[] = ['at+jwt', 'JWT'];

/** Claims whose signature is right, and the id of the key. */
export type Signed = { readonly claims: Claims; readonly kid: string };

export interface Signatures {
  /** @throws TokenRejected `invalid`, `revoked` under a revoked key, `stale` if the key set cannot be fetched. */
  verify(token: string): Promise<Signed>;
}

/**
 * @param cached how many tokens the cache of verified signatures has in each of its two generations.
 */
export function createSignatures(deps: {
  issuer: string;
  audience: string;
  keys: KeySet;
  isKeyRevoked: (kid: string) => boolean;
  cached: number;
}): Signatures {
  const { issuer, audience, keys, isKeyRevoked, cached } = deps;
  let young = new Map<string, Signed>();
  let old = new Map<string, Signed>();

  function remember(token: string, signed: Signed) {
    if (young.size >= cached) {
      old = young;
      young = new Map();
    }
    if (cached > 0) young.set(token, signed);
  }

  async function findKey({ kid, typ }: { kid?: string; typ?: string }): Promise<CryptoKey> {
    if (kid === undefined || !TYPES.includes(typ)) throw notIssued();
    if (isKeyRevoked(kid)) throw new TokenRejected('revoked', 'The key that signed the token is revoked.');
    const key = await keys.find(kid).catch(() => {
      throw new TokenRejected('stale', 'The service does not give its keys. Retry later.');
    });
    if (!key) throw notIssued();
    return key;
  }

  async function check(token: string): Promise<Signed> {
    if (token.length > MAX_TOKEN_LENGTH || !isCanonical(token.slice(token.lastIndexOf('.') + 1))) throw notIssued();
    let kid = '';
    let payload: Uint8Array;
    try {
      const verified = await compactVerify(token, findKey, { algorithms: ['ES256'] });
      kid = verified.protectedHeader.kid ?? '';
      payload = verified.payload;
    } catch (error) {
      throw error instanceof TokenRejected ? error : notIssued();
    }
    const claims = complete(readClaims(payload));
    if (claims?.iss !== issuer) throw new TokenRejected('invalid', 'The token is from another issuer.');
    if (claims.aud !== audience) throw new TokenRejected('invalid', 'The token is for another audience.');
    if (!areComplete(claims)) throw new TokenRejected('invalid', 'The token lacks claims. Refresh it.');
    return { claims: freeze(claims), kid };
  }

  return {
    async verify(token) {
      const found = young.get(token) ?? old.get(token);
      if (found && keys.get(found.kid) && !isKeyRevoked(found.kid)) {
        if (!young.has(token)) remember(token, found);
        return found;
      }
      const signed = await check(token);
      remember(token, signed);
      return signed;
    },
  };
}

/** Returns whether a signature is spelled as the service spells it. Each token then has one spelling. */
function isCanonical(signature: string): boolean {
  if (!SIGNATURE.test(signature)) return false;
  const s = base64url.decode(signature).subarray(32);
  return [...s].map((byte) => byte.toString(16).padStart(2, '0')).join('') <= HALF_ORDER;
}

const notIssued = () => new TokenRejected('invalid', 'The token was not issued by this service.');

function readClaims(payload: Uint8Array): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(payload));
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** What a token of an application may leave out: what is missing gives no right. */
const NO_PERSON = { auth_time: 0, amr: [], preferred_username: '', name: '', roles: [] };

const complete = (claims: Record<string, unknown> | undefined) =>
  typeof claims?.scope === 'string' ? { ...NO_PERSON, ...claims } : claims;

/** Tokens of older versions have no `gen`, so nothing can revoke one of them alone. The next exchange gives it. */
function areComplete(claims: Record<string, unknown>): claims is Record<string, unknown> & Claims {
  const texts = ['sub', 'jti', 'client_id', 'preferred_username', 'name'];
  const numbers = ['gen', 'iat', 'nbf', 'exp', 'auth_time'];
  return (
    isSessionId(claims.sid) &&
    (claims.scope === undefined || typeof claims.scope === 'string') &&
    texts.every((name) => typeof claims[name] === 'string') &&
    numbers.every((name) => Number.isSafeInteger(claims[name])) &&
    ['amr', 'roles'].every((name) => Array.isArray(claims[name]))
  );
}

/** The cache gives the same claims to many callers, so that none of them may change them. */
function freeze(claims: Record<string, unknown> & Claims): Claims {
  for (const value of Object.values(claims)) Object.freeze(value);
  return Object.freeze(claims);
}
