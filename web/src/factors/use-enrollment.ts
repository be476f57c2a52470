// An enrollment that has begun. The service forgets it after five minutes, and when it ends elsewhere.
import { isLatchkeyError } from 'latchkey-sdk';
import { useState } from 'react';

const LIFETIME_MS = 300_000;

/** `ended`: by a newer one, for example in another tab, or by a change of factors or password. */
type Over = 'expired' | 'ended';

export type Enrollment<Begun> = {
  /** What the service began. `undefined` before, and when it is over. */
  readonly begun: Begun | undefined;
  /** Why the former one is over. */
  readonly over: Over | undefined;
  begin(begun: Begun): void;
  /** Ends the enrollment if the service forgets it within `neededMs`. @returns whether it has ended. */
  endIfOver(neededMs?: number): boolean;
  /** Handles a refusal: ends the enrollment if the service no longer knows it, else throws the error. */
  endIfRefused(error: unknown): undefined;
};

export function useEnrollment<Begun>(): Enrollment<Begun> {
  const [{ begun, at, over }, setState] = useState<{ begun?: Begun; at: number; over?: Over }>({ at: 0 });
  const endIfOver = (neededMs = 0) => {
    if (Date.now() < at + LIFETIME_MS - neededMs) return false;
    setState({ at, over: 'expired' });
    return true;
  };
  return {
    begun,
    over,
    begin: (next) => setState({ begun: next, at: Date.now() }),
    endIfOver,
    endIfRefused(error) {
      if (!isLatchkeyError(error, 'factor.enrollmentEnded')) throw error;
      if (!endIfOver()) setState({ at, over: 'ended' });
    },
  };
}
