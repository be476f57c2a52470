// Counts password verifications: what limits an attacker, and what response time could reveal.
import type { TestService } from './service.ts';

export interface Verifications {
  /** The hashes verified so far, in order; null stands for a name without a password. */
  readonly checked: readonly (string | null)[];
  /** Forgets the verifications so far. */
  reset(): void;
  /** Answers every verification with "wrong" at once, for tests that need very many. */
  skipHashing(): void;
  /** Runs before each verification, which waits for it. */
  before(action: () => Promise<void> | void): void;
  /** Restores the service's own verification. */
  restore(): void;
}

/** Wraps the service's hashing of passwords and answers; verifies the real hashes unless told otherwise. */
export function watchVerifications({ service }: TestService): Verifications {
  const checked: (string | null)[] = [];
  let act: () => Promise<void> | void = () => {};
  let isSkipping = false;
  for (const passwords of [service.passwords, service.answerHashing]) {
    const verify = passwords.verify.bind(passwords);
    const watched: typeof passwords.verify = async (hash, ...typed) => {
      checked.push(hash);
      await act();
      return isSkipping ? { matches: false, outdated: false } : verify(hash, ...typed);
    };
    Object.assign(passwords, { verify: watched });
  }
  return {
    checked,
    reset: () => void checked.splice(0),
    skipHashing: () => {
      isSkipping = true;
    },
    before: (action) => {
      act = action;
    },
    restore() {
      isSkipping = false;
      act = () => {};
      checked.splice(0);
    },
  };
}
