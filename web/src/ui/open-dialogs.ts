// The open dialogs: one that opens later lies above the others, wherever it stands in the document, and Escape closes the top one only.
import { useId, useLayoutEffect, useRef } from 'react';

/** The last one is on top. */
const dialogs: string[] = [];

/** Of Mantine for a single dialog. Notifications are at 400. */
const LOWEST = 200;

/** Returns how high a dialog lies, and whether it is the top one. */
export function useOpenDialog(isOpen: boolean) {
  const own = useId();
  const zIndex = useRef(LOWEST);
  const wasOpen = useRef(false);
  if (isOpen && !wasOpen.current) zIndex.current = LOWEST + dialogs.length;
  wasOpen.current = isOpen;
  useLayoutEffect(() => {
    if (!isOpen) return;
    dialogs.push(own);
    return () => {
      // Not before the dialogs below have heard of the key that closes this one.
      setTimeout(() => dialogs.splice(dialogs.indexOf(own), 1));
    };
  }, [isOpen, own]);
  return { zIndex: zIndex.current, isTop: () => dialogs.at(-1) === own };
}
