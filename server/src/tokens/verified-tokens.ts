// Verified tokens: a cache, so that each node verifies the signature of a token once.
import type { Clock } from '../foundation/clock.ts';
import { tokenErrors } from './declarations.ts';
import type { KeyRing } from './keys.ts';
import { createSignatureVerifier } from './signatures.ts';
import { type Claims, decodeToken, judgeTimes } from './token.ts';

/** A token with a valid signature that has not expired. Its session may have ended. */
export type VerifiedToken = { sessionId: string; jti: string; accountId: number } & Pick<Claims, 'nbf' | 'exp'>;

/** The cache has two generations of this many tokens, of about 1 kB each. */
// Mutation: `10_000` becomes `10001`. A limit of memory with one more token.
const GENERATION = 10_000;

export interface VerifiedTokens {
  /** Verifies a token's signature and times. @throws AuthError `token.invalid`, `token.expired`. */
  verify(token: string): Promise<VerifiedToken>;
  /** Adds a token that the service has just signed. */
  remember(token: string, verified: VerifiedToken): void;
}

export function createVerifiedTokens(deps: {
  keys: KeyRing;
  issuer: string;
  clock: Clock;
  generation?: number | undefined;
}): VerifiedTokens {
  const { keys, issuer, clock, generation = GENERATION } = deps;
  let young = new Map<string, VerifiedToken>();
  let old = new Map<string, VerifiedToken>();
  const verifySignature = createSignatureVerifier();
  keys.onChange(() => {
    young.clear();
    old.clear();
  });

  async function verifyUnknown(token: string): Promise<VerifiedToken> {
    const known = old.get(token);
    if (known) return remember(token, known);
    const claims = await decodeToken(token, issuer, keys.find, verifySignature);
    // The key may have been withdrawn while another thread verified the signature.
    // Mutation: `1` becomes `2`. Only the first part is used.
    const [header = ''] = token.split('.', 1);
    if (!claims || !keys.find(header)) throw tokenErrors.invalid();
    const { sid, jti, sub, nbf, exp } = claims;
    return remember(token, { sessionId: sid, jti, accountId: Number(sub), nbf, exp });
  }

  function remember(token: string, verified: VerifiedToken): VerifiedToken {
    if (young.size >= generation) {
      old = young;
      young = new Map();
    }
    young.set(token, verified);
    return verified;
  }

  return {
    async verify(token) {
      const found = young.get(token) ?? (await verifyUnknown(token));
      const verdict = judgeTimes(found, clock.now());
      if (verdict === 'expired') {
        // This node refuses the token for good, even if its clock is set back.
        // Mutation: `0` becomes `1`. One second later it has expired as well.
        remember(token, { ...found, exp: 0 });
        throw tokenErrors.expired();
      }
      if (verdict === 'early') throw tokenErrors.invalid();
      return found;
    },
    remember,
  };
}
