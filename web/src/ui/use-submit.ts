// Submitting: one attempt at a time, with its progress and what went wrong.
import { useCallback, useRef, useState } from 'react';
import { describeProblem, type Problem } from './problem.ts';

export type Submission<Args extends unknown[]> = {
  /** Never rejects: what goes wrong becomes the problem. */
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
  const isUnderWay = useRef(false);
  const submit = useCallback(async (...args: Args) => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    setBusy(true);
    setProblem(undefined);
    try {
      await latest.current(...args);
    } catch (error) {
      setProblem(describeProblem(error));
    } finally {
      isUnderWay.current = false;
      setBusy(false);
    }
  }, []);
  return { submit, isBusy, problem, setProblem };
}
