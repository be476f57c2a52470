// The verifier of tokens: verifies each signature once on a node, and the times of a token each time.
import type { Clock } from '../foundation/clock.ts';
import { tokenErrors } from './declarations.ts';
import type { KeyRing } from './keys.ts';
import { type Claims, type FindKey, judgeTimes } from './token.ts';

/** The cache of verified tokens has two generations of this many, of about 1 kB each. */
// Mutation: `10_000` becomes `10001`. A limit of memory with one more token.
const GENERATION = 10_000;

type Times = Pick<Claims, 'nbf' | 'exp'>;

export interface TokenVerifier<Verified extends Times> {
  /** Verifies a token's signature and times. @throws AuthError `token.invalid`, `token.expired`. */
  verify(token: string): Promise<Verified>;
  /** Remembers a token whose signature is valid, such as one that the service has just made. */
  remember(token: string, verified: Verified): Verified;
}

/** @param decode verifies the signature of a token, and returns what is kept of it, or `undefined` if it is not valid. */
export function createTokenVerifier<Verified extends Times>(deps: {
  keys: KeyRing;
  findKey: FindKey;
  decode: (token: string) => Promise<Verified | undefined>;
  clock: Clock;
  generation?: number | undefined;
}): TokenVerifier<Verified> {
  const { keys, findKey, decode, clock, generation = GENERATION } = deps;
  let young = new Map<string, Verified>();
  let old = new Map<string, Verified>();
  keys.onChange(() => {
    young.clear();
    old.clear();
  });

  async function verifyUnknown(token: string): Promise<Verified> {
    const known = old.get(token);
    if (known) return remember(token, known);
    const decoded = await decode(token);
    // The key may have been withdrawn while another thread verified the signature.
    // Mutation: `1` becomes `2`. Only the first part is used.
    const [header = ''] = token.split('.', 1);
    if (!decoded || !findKey(header)) throw tokenErrors.invalid();
    return remember(token, decoded);
  }

  function remember(token: string, verified: Verified): Verified {
    if (young.size >= generation) {
      old = young;
      young = new Map();
    }
    young.set(token, verified);
    return verified;
  }

  return {
    remember,
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
  };
}
