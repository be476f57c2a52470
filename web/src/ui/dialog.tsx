// A dialog over the page. Escape and the cross close it, unless its content must be read first. So does a click outside,
// unless it would drop what was typed.
import { Group, Modal } from '@mantine/core';
import { type ReactNode, useRef } from 'react';
import { words } from '../words/index.ts';
import { useFocusReturn } from './focus-return.ts';

/** What text is typed into, or chosen in. */
const FIELDS = 'form, textarea, input:not([type=checkbox], [type=radio])';

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
  const content = useRef<HTMLDivElement>(null);
  useFocusReturn(isOpen);
  const closeUntyped = () => {
    if (!isHeld && !content.current?.querySelector(FIELDS)) onClose();
  };
  return (
    <Modal.Root
      opened={isOpen}
      onClose={onClose}
      centered
      size={isWide ? 'lg' : 'md'}
      returnFocus={false}
      closeOnEscape={!isHeld}
      closeOnClickOutside={false}
    >
      <Modal.Overlay onClick={closeUntyped} />
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
