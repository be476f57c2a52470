// The focus after a dialog.
import { type RefObject, useEffect, useRef } from 'react';
import { findDialog } from './find-dialog.ts';

/**
 * Gives the focus back when a dialog closes or goes: to the element that had it, or to the dialog below or the heading of the page
 * if that element is gone, or in a list that is being read again. Mantine does so only for a dialog that was there before it opened.
 * @param content the dialog: a button that was busy may get the focus back while the dialog fades.
 */
export function useFocusReturn(isOpen: boolean, content?: RefObject<HTMLElement | null>): void {
  const former = useRef<Element>(null);
  const wasOpen = useRef(false);
  if (isOpen && !wasOpen.current) former.current = document.activeElement;
  wasOpen.current = isOpen;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a ref does not change.
  useEffect(() => {
    if (!isOpen) return;
    return () => {
      const closing = document.activeElement?.closest('[role=dialog]');
      // The dialog may go in the same moment.
      setTimeout(() => {
        const { activeElement, body } = document;
        const own = content?.current;
        const isInside = closing?.contains(activeElement) || own?.contains(activeElement);
        if (activeElement && activeElement !== body && !isInside) return;
        const isThere = former.current?.isConnected && !former.current.closest('[inert]');
        const next = isThere ? former.current : (findDialog(own) ?? document.querySelector('h1'));
        if (next instanceof HTMLElement) next.focus({ preventScroll: true });
      });
    };
  }, [isOpen]);
}
