// Notifications of success: shown in the corner for a few seconds, and read by screen readers.
import { Notification, Portal, Stack } from '@mantine/core';
import { createContext, type ReactNode, useCallback, useContext, useState } from 'react';
import { words } from '../words/index.ts';

const SHOWN_MS = 6000;

const NotifyContext = createContext<(text: string) => void>(() => {});

/** Returns the function that shows a notification. */
export const useNotify = () => useContext(NotifyContext);

export function Notifications({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<readonly { id: number; text: string }[]>([]);
  const dismiss = useCallback((id: number) => setShown((all) => all.filter((one) => one.id !== id)), []);
  const notify = useCallback(
    (text: string) => {
      const id = Date.now() + Math.random();
      setShown((all) => [...all.slice(-2), { id, text }]);
      setTimeout(() => dismiss(id), SHOWN_MS);
    },
    [dismiss],
  );
  return (
    <NotifyContext value={notify}>
      {children}
      <Portal>
        <Stack
          pos="fixed"
          bottom={16}
          right={16}
          w={320}
          maw="calc(100vw - 32px)"
          role="status"
          style={{ zIndex: 400 }}
        >
          {shown.map(({ id, text }) => (
            <Notification
              key={id}
              color="green"
              withBorder
              onClose={() => dismiss(id)}
              closeButtonProps={{ 'aria-label': words.common.close }}
            >
              {text}
            </Notification>
          ))}
        </Stack>
      </Portal>
    </NotifyContext>
  );
}
