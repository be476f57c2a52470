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
    const { verify, compare } = passwords;
    async function watch(hash: string | null) {
      checked.push(hash);
      await act();
    }
    const watched: Pick<typeof passwords, 'verify' | 'compare'> = {
      async verify(hash, ...typed) {
        await watch(hash);
        return isSkipping ? { matches: false, outdated: false } : verify(hash, ...typed);
      },
      async compare(credential, ...typed) {
        await watch(credential?.hash ?? null);
        return isSkipping ? undefined : compare(credential, ...typed);
      },
    };
    Object.assign(passwords, watched);
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
