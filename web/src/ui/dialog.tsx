// A dialog over the page: its title names it, Escape and the cross close it.
import { Group, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { words } from '../words/index.ts';

/** Put together by hand, because the usual header would pass for a second banner of the page. */
export function Dialog(props: {
  isOpen: boolean;
  onClose: () => void;
  title: ReactNode;
  /** Wide, for what has much to show. */
  isWide?: boolean;
  children: ReactNode;
}) {
  const { isOpen, onClose, title, isWide = false, children } = props;
  return (
    <Modal.Root opened={isOpen} onClose={onClose} centered size={isWide ? 'lg' : 'md'}>
      <Modal.Overlay />
      <Modal.Content>
        <Group justify="space-between" wrap="nowrap" align="flex-start" p="md" pb={0}>
          <Modal.Title style={{ fontWeight: 600, lineHeight: 1.4, overflowWrap: 'anywhere' }}>{title}</Modal.Title>
          <Modal.CloseButton aria-label={words.common.close} />
        </Group>
        <Modal.Body pt="md">{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
