// SHA-crypt, the `$5$` and `$6$` hashes of crypt(3) on Linux.
import { toCryptBase64 } from './encodings.ts';
import { foreignHash, type HashReader, isEqual, malformed, tooCostly } from './hash.ts';
import { runInThread } from './loop-hash.ts';

const DEFAULT_ROUNDS = 5000;
const minRounds = 1000;
const maxRounds = 1_000_000;

const wellFormed = /^\$[56]\$(?:rounds=([1-9]\d{0,8})\$)?(?!rounds=)([^$\0\n:]{0,16})\$([./0-9A-Za-z]+)$/;

const kinds = { 5: { digest: 'sha256', length: 43 }, 6: { digest: 'sha512', length: 86 } } as const;

/** Reads `$5$` (SHA-256) and `$6$` (SHA-512), with or without `rounds=`. */
export const readShaCrypt: HashReader = (stored) => {
  const kind = stored.startsWith('$5$') ? kinds[5] : stored.startsWith('$6$') ? kinds[6] : undefined;
  if (!kind) return null;
  const { digest, length } = kind;
  const format = `${digest}-crypt`;
  const [, roundsText, saltText, encoded] = wellFormed.exec(stored) ?? [];
  const rounds = roundsText === undefined ? DEFAULT_ROUNDS : Number(roundsText);
  if (saltText === undefined || encoded?.length !== length || rounds < minRounds) return malformed(format);
  if (rounds > maxRounds) return tooCostly(format, 'at most 1,000,000 rounds are accepted');
  const salt = Buffer.from(saltText);
  return foreignHash(format, async (password) => {
    const hashed = await runInThread({ kind: 'sha-crypt', digest, rounds, salt, password: Buffer.from(password) });
    return isEqual(toCryptBase64(permute(hashed)), encoded);
  });
};

/** Returns the digest in the order in which crypt(3) writes its bytes: thirds of it in turn, then the rest. */
function permute(hashed: Buffer): Buffer {
  const third = Math.floor(hashed.length / 3);
  const order: number[] = [];
  for (let at = 0; at < third; at += 1) {
    const group = [at, at + third, at + 2 * third];
    // Each group begins elsewhere: SHA-512's move on to the next third, SHA-256's to the one before.
    const first = (hashed.length === 64 ? at : 2 * at) % 3;
    const turned = [...group.slice(first), ...group.slice(0, first)];
    order.push(...turned.toReversed());
  }
  order.push(...(hashed.length === 64 ? [63] : [30, 31]));
  return Buffer.from(order.map((index) => hashed[index] ?? 0));
}
