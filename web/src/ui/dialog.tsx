// A dialog over the page. Escape and the cross close it, unless its content must be read first.
import { Group, Modal } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { words } from '../words/index.ts';

/** Composed from parts: the default header is a `header` element, which screen readers take for a second page banner. */
export function Dialog(props: {
  isOpen: boolean;
  onClose: () => void;
  title: ReactNode;
  isWide?: boolean;
  /** Whether only the content closes it. */
  isHeld?: boolean;
  children: ReactNode;
}) {
  const { isOpen, onClose, title, isWide = false, isHeld = false, children } = props;
  const content = useFocusReturn(isOpen);
  return (
    <Modal.Root
      opened={isOpen}
      onClose={onClose}
      centered
      size={isWide ? 'lg' : 'md'}
      returnFocus={false}
      closeOnEscape={!isHeld}
      closeOnClickOutside={!isHeld}
    >
      <Modal.Overlay />
      <Modal.Content ref={content}>
        <Group justify="space-between" wrap="nowrap" align="flex-start" p="md" pb={0}>
          <Modal.Title style={{ fontWeight: 600, lineHeight: 1.4, overflowWrap: 'anywhere' }}>{title}</Modal.Title>
          {!isHeld && <Modal.CloseButton aria-label={words.common.close} />}
        </Group>
        <Modal.Body pt="md">{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

/**
 * Gives the focus back when the dialog closes or goes: to the element that had it, or to the heading of the page if that
 * element is gone. Mantine does so only for a dialog that was there before it opened.
 * @returns the ref of the dialog's content.
 */
function useFocusReturn(isOpen: boolean) {
  const content = useRef<HTMLDivElement>(null);
  const former = useRef<Element>(null);
  const wasOpen = useRef(false);
  if (isOpen && !wasOpen.current) former.current = document.activeElement;
  wasOpen.current = isOpen;
  useEffect(() => {
    if (!isOpen) return;
    const dialog = content.current;
    return () => {
      // The dialog may go in the same moment.
      setTimeout(() => {
        const { activeElement, body } = document;
        if (activeElement && activeElement !== body && !dialog?.contains(activeElement)) return;
        const next = former.current?.isConnected ? former.current : document.querySelector('h1');
        if (next instanceof HTMLElement) next.focus({ preventScroll: true });
      });
    };
  }, [isOpen]);
  return content;
}
