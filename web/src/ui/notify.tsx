// Notifications of success: shown in the corner, on a phone above the page, for a few seconds, and read by screen readers. Some offer to undo.
import { Button, Group, Notification, Portal, Stack } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import {
  createContext,
  type FocusEvent,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react';
import { words } from '../words/index.ts';
import { findDialog } from './find-dialog.ts';
import { useSubmit } from './use-submit.ts';

const SHOWN_MS = 6000;

/** Long enough to read the text, to decide, and to reach the button by keyboard (WCAG 2.2, 2.2.1). */
const SHOWN_WITH_UNDO_MS = 20_000;

/** The most notifications at a time. */
const MOST = 3;

/** Takes back what a notification tells. It may return a text that says so. If it rejects, the notification says why. */
type Undo = () => unknown;

type Notify = (text: string, undo?: Undo) => void;

type Shown = { readonly id: number; readonly text: string; readonly undo: Undo | undefined };

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
  const [shown, setShown] = useState<readonly Shown[]>([]);
  const dismiss = useCallback((id: number) => setShown((all) => all.filter((one) => one.id !== id)), []);
  const notify = useCallback<Notify>((text, undo) => {
    const id = Date.now() + Math.random();
    setShown((all) => [...all.slice(1 - MOST), { id, text, undo }]);
  }, []);
  const [rememberFocus, restoreFocus] = useFormerFocus();
  const latest = shown.findLast(({ undo }) => undo !== undefined);
  return (
    <NotifyContext value={notify}>
      {children}
      <Portal>
        <Stack
          pos="fixed"
          // A dialog on a phone has its buttons at the lower edge.
          top={{ base: 68, sm: 'auto' }}
          bottom={{ base: 'auto', sm: 'var(--page-bar-height, 16px)' }}
          right={16}
          w={320}
          maw="calc(100vw - 32px)"
          role="status"
          style={{ zIndex: 400 }}
          onFocus={rememberFocus}
        >
          {shown.map((one) => (
            <Toast
              key={one.id}
              shown={one}
              isLatest={one === latest}
              onUndo={restoreFocus}
              onEnd={() => {
                restoreFocus();
                dismiss(one.id);
              }}
            />
          ))}
        </Stack>
      </Portal>
    </NotifyContext>
  );
}

/** @returns a handler that remembers what had the focus before, and a function that gives it back when a notification goes. */
function useFormerFocus() {
  const former = useRef<Element | null>(null);
  const remember = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) former.current = relatedTarget;
  };
  const restore = () => {
    const { activeElement } = document;
    if (!activeElement?.closest('[data-notification]')) return;
    const next = former.current?.isConnected ? former.current : (findDialog() ?? document.querySelector('h1'));
    if (next instanceof HTMLElement) next.focus({ preventScroll: true });
  };
  return [remember, restore] as const;
}

function Toast(props: { shown: Shown; isLatest: boolean; onUndo: () => void; onEnd: () => void }) {
  const { shown, isLatest, onUndo, onEnd } = props;
  const { text, undo } = shown;
  const [undone, setUndone] = useState<string>();
  const [isHeld, setHeld] = useState(false);
  const { submit, isBusy, problem } = useSubmit(async () => {
    onUndo();
    const told = await undo?.();
    setUndone(typeof told === 'string' ? told : words.common.undone);
  });
  const isOffered = undo !== undefined && undone === undefined;
  const lasting = isOffered ? SHOWN_WITH_UNDO_MS : SHOWN_MS;
  const end = useRef(onEnd);
  end.current = onEnd;
  useEffect(() => {
    if (isHeld || isBusy) return;
    const timer = setTimeout(() => end.current(), lasting);
    return () => clearTimeout(timer);
  }, [isHeld, isBusy, lasting]);
  // In a text field, the keys undo what was typed.
  useHotkeys(isOffered && isLatest && !isBusy ? [['mod+Z', () => void submit()]] : []);
  return (
    <Notification
      data-notification
      color={problem ? 'red' : 'green'}
      withBorder
      onClose={onEnd}
      closeButtonProps={{ 'aria-label': words.common.close }}
      style={{ overflowWrap: 'anywhere' }}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      {undone ?? problem?.message ?? text}
      {isOffered && (
        <Group mt={4}>
          <Button
            variant="light"
            size="compact-sm"
            loading={isBusy}
            onClick={() => submit()}
            aria-keyshortcuts="Control+Z"
          >
            {words.common.undo}
          </Button>
        </Group>
      )}
    </Notification>
  );
}
