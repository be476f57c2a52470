// Submitting: one call at a time, with its progress and its problem.
import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import { findDialog } from './find-dialog.ts';
import { describeProblem, type Problem } from './problem.ts';

export type Submission<Args extends unknown[]> = {
  /** Never rejects: an error becomes the problem. */
  readonly submit: (...args: Args) => Promise<void>;
  readonly isBusy: boolean;
  readonly problem: Problem | undefined;
  readonly setProblem: (problem: Problem | undefined) => void;
};

export function useSubmit<Args extends unknown[]>(work: (...args: Args) => Promise<unknown>): Submission<Args> {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const latest = useRef(work);
  latest.current = work;
  const isRunning = useRef(false);
  const pressed = useRef<Element>(undefined);
  const dialog = useRef<HTMLElement>(undefined);
  // A busy button is disabled, and so loses the focus. It gets it back, unless that is elsewhere by now. One that its own effect has
  // removed leaves it to its dialog, which gives it back when it closes, or else to the heading of the page.
  useLayoutEffect(() => {
    const { current } = pressed;
    if (isBusy || !current || document.activeElement !== document.body) return;
    const next = current.isConnected ? current : (dialog.current ?? document.querySelector('h1'));
    if (next instanceof HTMLElement) next.focus();
  }, [isBusy]);
  const submit = useCallback(async (...args: Args) => {
    if (isRunning.current) return;
    isRunning.current = true;
    const { activeElement, body } = document;
    dialog.current = findDialog();
    pressed.current = activeElement && activeElement !== body ? activeElement : dialog.current;
    setBusy(true);
    setProblem(undefined);
    try {
      await latest.current(...args);
    } catch (error) {
      setProblem(describeProblem(error));
    } finally {
      isRunning.current = false;
      setBusy(false);
    }
  }, []);
  return { submit, isBusy, problem, setProblem };
}
