// Randomness: only this file draws random bytes.
import { randomBytes, randomInt, randomUUID } from 'node:crypto';

/** A cryptographically secure source of randomness. */
export interface Random {
  bytes(length: number): Buffer;
  /** Returns a lower-case UUID, version 4 (RFC 9562). */
  uuid(): string;
  /** Returns a whole number from 0 to `limit - 1`, without bias. */
  below(limit: number): number;
}

/** The operating system's generator. */
export const systemRandom: Random = {
  bytes: (length) => randomBytes(length),
  uuid: () => randomUUID(),
  below: (limit) => randomInt(limit),
};
