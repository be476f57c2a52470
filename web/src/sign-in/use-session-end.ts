// What a page does that needs the session when it ends meanwhile, in this tab or elsewhere.
import type { SessionEnd } from 'latchkey-sdk';
import { useEffect } from 'react';
import { latchkey } from '../api/latchkey.ts';
import { isLeaving, withTarget } from './after-sign-in.ts';

/** Opens the sign-in page when the session ends. Its notice says why. */
export function useSessionEnd(): void {
  useEffect(() => {
    const leave = (end: SessionEnd | null) => location.replace(withTarget('/login', undefined, end ?? 'ended'));
    if (!latchkey.isSignedIn) leave(null);
    return latchkey.onSession((isSignedIn, end) => {
      if (!isSignedIn && !isLeaving()) leave(end);
    });
  }, []);
}
