// Hashes that are loops of very many short digests: phpass, Drupal's, and SHA-crypt. Node has none of them, so each runs in a
// thread of its own (hash-thread.ts).
import { createHash, hash } from 'node:crypto';

/** A loop, and what it hashes. */
export type HashLoop = {
  readonly kind: 'phpass' | 'sha-crypt';
  readonly digest: 'md5' | 'sha256' | 'sha512';
  readonly rounds: number;
  readonly salt: Uint8Array;
  readonly password: Uint8Array;
};

/** Returns the last digest of the loop. */
export const runLoop = (loop: HashLoop): Buffer => (loop.kind === 'phpass' ? runPhpass(loop) : runShaCrypt(loop));

/** Portable PHP password hashing (https://www.openwall.com/phpass/): each round hashes the digest before it and the password. */
function runPhpass({ digest, rounds, salt, password }: HashLoop): Buffer {
  let last = hash(digest, Buffer.concat([salt, password]), 'buffer');
  const input = Buffer.concat([last, password]);
  for (let round = 0; round < rounds; round += 1) {
    last = hash(digest, input, 'buffer');
    input.set(last);
  }
  return last;
}

/** SHA-crypt (Ulrich Drepper, "Unix crypt using SHA-256 and SHA-512", https://www.akkadia.org/drepper/SHA-crypt.txt). */
function runShaCrypt({ digest, rounds, salt, password }: HashLoop): Buffer {
  let last = makeFirst(digest, salt, password);
  const p = repeatTo(password.length, hash(digest, repeat(password, password.length), 'buffer'));
  const s = repeatTo(salt.length, hash(digest, repeat(salt, 16 + (last[0] ?? 0)), 'buffer'));

  /** What a round hashes depends on whether its number is odd, and divisible by three and by seven. */
  const inputs = Array.from({ length: 8 }, (_, kind) => {
    const [isOdd, hasSalt, hasPassword] = [kind & 1, kind & 2, kind & 4];
    const middle = [...(hasSalt ? [s] : []), ...(hasPassword ? [p] : [])];
    const bytes = Buffer.concat(isOdd ? [p, ...middle, last] : [last, ...middle, p]);
    return { bytes, at: isOdd ? bytes.length - last.length : 0 };
  });
  for (let round = 0; round < rounds; round += 1) {
    const input = inputs[(round % 2) + (round % 3 === 0 ? 0 : 2) + (round % 7 === 0 ? 0 : 4)];
    if (!input) break;
    input.bytes.set(last, input.at);
    last = hash(digest, input.bytes, 'buffer');
  }
  return last;
}

/** Returns the digest of password, salt, and further bytes that depend on the length of the password. */
function makeFirst(digest: string, salt: Uint8Array, password: Uint8Array): Buffer {
  const alternate = createHash(digest).update(password).update(salt).update(password).digest();
  const first = createHash(digest).update(password).update(salt).update(repeatTo(password.length, alternate));
  for (let length = password.length; length > 0; length >>>= 1) first.update(length & 1 ? alternate : password);
  return first.digest();
}

const repeat = (bytes: Uint8Array, times: number) => Buffer.concat(Array.from({ length: times }, () => bytes));

/** Returns `length` bytes: the given ones, again and again. */
const repeatTo = (length: number, bytes: Buffer) => Buffer.alloc(length, bytes);
