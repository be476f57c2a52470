// The browser's question before it leaves a page that holds what would be lost.
import { useEffect } from 'react';
import { latchkey } from '../api/latchkey.ts';

/** Lets the browser ask before it leaves the page. It does not stop the redirect after a sign-off. */
export function useWarningBeforeLeaving(isOn = true): void {
  useEffect(() => {
    if (!isOn) return;
    const warn = (event: BeforeUnloadEvent) => latchkey.isSignedIn && event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isOn]);
}
