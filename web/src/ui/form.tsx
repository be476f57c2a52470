// Forms: submit without reloading, and move the focus to the first field that is wrong.
import { Stack } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import type { Problem } from './problem.ts';
import { ProblemNotice } from './problem-notice.tsx';

/** Fields are told apart by their `name`: problems that concern one are shown beside it by whoever renders it. */
export function Form(props: {
  onSubmit: () => void;
  problem: Problem | undefined;
  label: string;
  children: ReactNode;
}) {
  const { onSubmit, problem, label, children } = props;
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (!problem) return;
    const wrong = [...(form.current?.elements ?? [])].find(
      (element) => 'name' in element && String(element.name) in problem.fields,
    );
    if (wrong instanceof HTMLElement) wrong.focus();
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
        <ProblemNotice problem={problem} />
      </Stack>
    </form>
  );
}
