// A dialog over the page. Escape and the cross close it, unless its content must be read first.
import { Group, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
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
  return (
    <Modal.Root
      opened={isOpen}
      onClose={onClose}
      centered
      size={isWide ? 'lg' : 'md'}
      closeOnEscape={!isHeld}
      closeOnClickOutside={!isHeld}
    >
      <Modal.Overlay />
      <Modal.Content>
        <Group justify="space-between" wrap="nowrap" align="flex-start" p="md" pb={0}>
          <Modal.Title style={{ fontWeight: 600, lineHeight: 1.4, overflowWrap: 'anywhere' }}>{title}</Modal.Title>
          {!isHeld && <Modal.CloseButton aria-label={words.common.close} />}
        </Group>
        <Modal.Body pt="md">{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
