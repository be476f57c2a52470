// Chance: the only place of the service that draws random bytes.
import { randomBytes, randomInt, randomUUID } from 'node:crypto';

/** A cryptographically strong source of randomness, handed to whoever needs it. */
export interface Random {
  bytes(length: number): Buffer;
  /** A lower-case UUID, version 4 (RFC 9562). */
  uuid(): string;
  /** A whole number from 0 to `limit - 1`, without bias. */
  below(limit: number): number;
}

/** The operating system's generator. */
export const systemRandom: Random = {
  bytes: (length) => randomBytes(length),
  uuid: () => randomUUID(),
  below: (limit) => randomInt(limit),
};
