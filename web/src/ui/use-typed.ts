// Typed text of a filter, which applies when typing has settled.
import { useDebouncedCallback } from '@mantine/hooks';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useLocation, useNavigationType } from 'react-router';

const SETTLED_MS = 400;

/**
 * Returns the typed text, a function that changes it, and one for the end of typing: it applies the text at once, or returns to
 * the text in force if this one is not valid.
 * @param value the text in force. If it changes elsewhere, it replaces what was typed.
 * @param isValid whether the text can be applied.
 */
export function useTyped(
  value: string,
  apply: (text: string) => void,
  isValid: (text: string) => boolean = () => true,
): [typed: string, type: (text: string) => void, settle: () => void] {
  const [typed, setTyped] = useState(value);
  const applied = useRef(value);
  const applyLater = useDebouncedCallback((text: string) => {
    if (!isValid(text)) return;
    applied.current = text.trim();
    apply(applied.current);
  }, SETTLED_MS);
  const takeOver = useCallback(
    (text: string) => {
      applyLater.cancel();
      setTyped(text);
    },
    [applyLater],
  );
  // A letter may have been typed since this field applied its text.
  useEffect(() => {
    if (value !== applied.current) takeOver(value);
    applied.current = value;
  }, [value, takeOver]);
  const { key } = useLocation();
  const isReturn = useNavigationType() === 'POP';
  // "Back" may lead to the same text.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each step in the history.
  useEffect(() => {
    if (isReturn) takeOver(value);
  }, [key]);
  return [
    typed,
    (text) => {
      setTyped(text);
      applyLater(text);
    },
    () => (isValid(typed) ? applyLater.flush() : takeOver(value)),
  ];
}
