// An enrollment that has begun. The service forgets it after five minutes.
import { useState } from 'react';

const LIFETIME_MS = 300_000;

export type Enrollment<Begun> = {
  /** What the service began. `undefined` before, and when it is over. */
  readonly begun: Begun | undefined;
  readonly isOver: boolean;
  begin(begun: Begun): void;
  /** Ends the enrollment if the service forgets it within `neededMs`. @returns whether it has ended. */
  endIfOver(neededMs?: number): boolean;
};

export function useEnrollment<Begun>(): Enrollment<Begun> {
  const [{ begun, at }, setState] = useState<{ begun: Begun | undefined; at: number }>({ begun: undefined, at: 0 });
  return {
    begun,
    isOver: begun === undefined && at > 0,
    begin: (next) => setState({ begun: next, at: Date.now() }),
    endIfOver(neededMs = 0) {
      if (Date.now() < at + LIFETIME_MS - neededMs) return false;
      setState({ begun: undefined, at });
      return true;
    },
  };
}
