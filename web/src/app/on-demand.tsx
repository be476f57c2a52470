// Parts of the shell that load when they are opened for the first time. If one cannot be loaded, the page under it stays.
import { CloseButton, Group, Paper, Portal, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, Suspense, useCallback, useState } from 'react';
import { useFocusReturn } from '../ui/focus-return.ts';
import { LoadFailure } from '../ui/page.tsx';
import { Boundary } from '../ui/part.ts';
import { words } from '../words/index.ts';

export type OnDemand = ReturnType<typeof useOnDemand>;

/** The state of a part: whether it is to be loaded, and whether it is open. */
export function useOnDemand() {
  const [isWanted, setWanted] = useState(false);
  const [isOpen, { open: show, close }] = useDisclosure();
  const open = useCallback(() => {
    setWanted(true);
    show();
  }, [show]);
  /** Closes it before it is loaded: nobody waits for it any more. */
  const dismiss = useCallback(() => {
    setWanted(false);
    close();
  }, [close]);
  return { isWanted, isOpen, open, close, dismiss };
}

/**
 * Shows the part once it is wanted; while it is open and cannot be loaded, the reason.
 * @param props.waiting stands in for it.
 * @param props.frame shows the reason. The default is a dialog.
 */
export function Part(props: {
  part: OnDemand;
  waiting?: ReactNode;
  frame?: (reason: ReactNode) => ReactNode;
  children: ReactNode;
}) {
  const { part, waiting = null, frame, children } = props;
  const inDialog = (reason: ReactNode) => <Notice onClose={part.dismiss}>{reason}</Notice>;
  if (!part.isWanted) return waiting;
  return (
    <Boundary
      fallback={(error, retry) => (
        <>
          {waiting}
          {part.isOpen && (frame ?? inDialog)(<LoadFailure error={error} retry={retry} mayReload={false} />)}
        </>
      )}
    >
      <Suspense fallback={waiting}>{children}</Suspense>
    </Boundary>
  );
}

function Notice({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  useFocusReturn(true);
  return (
    <Floating label={words.shell.failed} onClose={onClose}>
      {children}
    </Floating>
  );
}

/** A dialog of the first view: it needs no further style sheets, and does not cover the page. */
export function Floating(props: { label: string; isShown?: boolean; onClose: () => void; children: ReactNode }) {
  const { label, isShown = true, onClose, children } = props;
  return (
    <Portal>
      <Paper
        {...(isShown && { role: 'dialog', 'aria-label': label })}
        display={isShown ? 'block' : 'none'}
        pos="fixed"
        top={80}
        left={0}
        right={0}
        mx="auto"
        w={600}
        maw="calc(100vw - 32px)"
        p="xs"
        withBorder
        shadow="md"
        style={{ zIndex: 300 }}
        onKeyDown={({ key }) => key === 'Escape' && onClose()}
      >
        <Group wrap="nowrap" align="flex-start" gap="xs">
          <Stack flex={1} miw={0} gap="xs">
            {children}
          </Stack>
          <CloseButton size="lg" aria-label={words.common.close} onClick={onClose} />
        </Group>
      </Paper>
    </Portal>
  );
}
