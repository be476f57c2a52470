// Notifications of success: shown in the corner for a few seconds, and read by screen readers. Some offer to undo.
import { Button, Notification, Portal, Stack } from '@mantine/core';
import { createContext, type ReactNode, useCallback, useContext, useState } from 'react';
import { words } from '../words/index.ts';

const SHOWN_MS = 6000;

/** Long enough to read the text, to decide, and to reach the button by keyboard (WCAG 2.2, 2.2.1). */
const SHOWN_WITH_UNDO_MS = 20_000;

/** @param undo takes back what the text tells. */
type Notify = (text: string, undo?: () => void) => void;

/** Keeps notifications above a bar at the lower edge of the page. @param height in pixels, 0 without a bar. */
export function reserveBar(height: number): void {
  const { style } = document.documentElement;
  if (height === 0) style.removeProperty('--page-bar-height');
  else style.setProperty('--page-bar-height', `${height + 28}px`);
  // A focused field is scrolled above the bar (WCAG 2.2, 2.4.11).
  style.scrollPaddingBottom = height === 0 ? '' : `${height + 28}px`;
}

const NotifyContext = createContext<Notify>(() => {});

/** Returns the function that shows a notification. */
export const useNotify = () => useContext(NotifyContext);

export function Notifications({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<readonly { id: number; text: string; undo: (() => void) | undefined }[]>([]);
  const dismiss = useCallback((id: number) => setShown((all) => all.filter((one) => one.id !== id)), []);
  const notify = useCallback<Notify>(
    (text, undo) => {
      const id = Date.now() + Math.random();
      setShown((all) => [...all.slice(-2), { id, text, undo }]);
      setTimeout(() => dismiss(id), undo ? SHOWN_WITH_UNDO_MS : SHOWN_MS);
    },
    [dismiss],
  );
  return (
    <NotifyContext value={notify}>
      {children}
      <Portal>
        <Stack
          pos="fixed"
          bottom="var(--page-bar-height, 16px)"
          right={16}
          w={320}
          maw="calc(100vw - 32px)"
          role="status"
          style={{ zIndex: 400 }}
        >
          {shown.map(({ id, text, undo }) => (
            <Notification
              key={id}
              color="green"
              withBorder
              onClose={() => dismiss(id)}
              closeButtonProps={{ 'aria-label': words.common.close }}
            >
              {text}
              {undo && (
                <Button
                  variant="subtle"
                  size="compact-sm"
                  onClick={() => {
                    dismiss(id);
                    undo();
                  }}
                >
                  {words.common.undo}
                </Button>
              )}
            </Notification>
          ))}
        </Stack>
      </Portal>
    </NotifyContext>
  );
}
