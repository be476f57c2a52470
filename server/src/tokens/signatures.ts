// Signatures of tokens: verified on the threads of Node's pool, which also computes hashes and flushes commits.
import { type KeyObject, verify } from 'node:crypto';
import { promisify } from 'node:util';

/** Each takes some 0.1 ms of a thread, so these delay a commit by a few milliseconds at most. */
// Mutation: `32` becomes `33`. One more on the pool delays a commit by less than 0.1 ms.
const MOST_ON_POOL = 32;

const verifyOnPool = promisify(verify);

/** Returns whether a key has made this signature: RS256, or ES256 (RFC 7518, section 3.4: r and s, 32 bytes each). */
export type VerifySignature = (content: Buffer, signature: Buffer, key: KeyObject) => boolean | Promise<boolean>;

/**
 * Returns a function that verifies signatures on the pool, at most `most` at once, and any further ones on the main thread.
 * The main thread then reads no more requests meanwhile, so a flood of forged tokens cannot fill the queue of the pool.
 */
export function createSignatureVerifier(most = MOST_ON_POOL): VerifySignature {
  let onPool = 0;
  return (content, signature, key) => {
    const verifier = { key, dsaEncoding: 'ieee-p1363' } as const;
    if (onPool >= most) return verify('sha256', content, verifier, signature);
    onPool += 1;
    return verifyOnPool('sha256', content, verifier, signature).finally(() => {
      onPool -= 1;
    });
  };
}
