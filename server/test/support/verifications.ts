// Watching how often a service checks a password hash: what an attacker is limited to, and what time would tell him.
import type { TestService } from './service.ts';

export interface Verifications {
  /** The hashes that were checked so far, in order; null stands for a name without a password. */
  readonly checked: readonly (string | null)[];
  /** Forgets what was checked so far. */
  reset(): void;
  /** Answers every check with "wrong" at once, for tests that need very many. */
  skipHashing(): void;
  /** Runs before each check, which waits for it. */
  before(action: () => Promise<void> | void): void;
  /** Back to the service's own way. */
  restore(): void;
}

/** Puts itself between this service and its hashing of passwords and answers; the real hashes are checked unless told otherwise. */
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
