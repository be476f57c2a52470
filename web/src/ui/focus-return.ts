// The focus after a dialog.
import { useEffect, useRef } from 'react';

/**
 * Gives the focus back when a dialog closes or goes: to the element that had it, or to the heading of the page if that
 * element is gone, or in a list that is being read again. Mantine does so only for a dialog that was there before it opened.
 */
export function useFocusReturn(isOpen: boolean): void {
  const former = useRef<Element>(null);
  const wasOpen = useRef(false);
  if (isOpen && !wasOpen.current) former.current = document.activeElement;
  wasOpen.current = isOpen;
  useEffect(() => {
    if (!isOpen) return;
    return () => {
      const closing = document.activeElement?.closest('[role=dialog]');
      // The dialog may go in the same moment.
      setTimeout(() => {
        const { activeElement, body } = document;
        if (activeElement && activeElement !== body && !closing?.contains(activeElement)) return;
        const isThere = former.current?.isConnected && !former.current.closest('[inert]');
        const next = isThere ? former.current : document.querySelector('h1');
        if (next instanceof HTMLElement) next.focus({ preventScroll: true });
      });
    };
  }, [isOpen]);
}
