// Forms: submit without reloading, and move the focus to the first field that is wrong.
import { Stack } from '@mantine/core';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import type { Problem } from './problem.ts';
import { ProblemNotice } from './problem-notice.tsx';

/**
 * Fields are told apart by their `name`: problems that concern one are shown beside it by whoever renders it, and only what
 * stands beside none is told below.
 */
export function Form(props: {
  onSubmit: () => void;
  problem: Problem | undefined;
  label: string;
  children: ReactNode;
}) {
  const { onSubmit, problem, label, children } = props;
  const form = useRef<HTMLFormElement>(null);
  const [untold, setUntold] = useState<Problem>();
  useLayoutEffect(() => {
    const named = [...(form.current?.elements ?? [])].filter((element) => 'name' in element);
    const wrong = named.filter(({ name }) => Object.hasOwn(problem?.fields ?? {}, String(name)));
    const told = new Set(wrong.map(({ name }) => name));
    const isToldBeside = told.size > 0 && told.size === Object.keys(problem?.fields ?? {}).length;
    setUntold(isToldBeside ? undefined : problem);
    const [first] = wrong;
    if (first instanceof HTMLElement) first.focus();
  }, [problem]);
  return (
    <form
      ref={form}
      aria-label={label}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <Stack gap="md">
        {children}
        <ProblemNotice problem={untold} />
      </Stack>
    </form>
  );
}
