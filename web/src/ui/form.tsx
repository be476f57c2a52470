// Forms: submit without reloading, say above the fields what is wrong, and focus the first wrong field.
import { Stack } from '@mantine/core';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { isFaultOf, type Problem } from './problem.ts';
import { ProblemNotice } from './problem-notice.tsx';

/** Each field shows its own problems, by its `name`. The form shows a problem that no field shows. */
export function Form(props: {
  onSubmit: () => void;
  problem: Problem | undefined;
  label: string;
  children: ReactNode;
}) {
  const { onSubmit, problem, label, children } = props;
  const form = useRef<HTMLFormElement>(null);
  const notice = useRef<HTMLDivElement>(null);
  const [unshown, setUnshown] = useState<Problem>();
  useLayoutEffect(() => {
    const named = [...(form.current?.elements ?? [])].filter((element) => 'name' in element);
    const faulty = Object.keys(problem?.fields ?? {});
    const shows = (field: Element & { name: unknown }, member: string) =>
      field.name === member || (field.ariaInvalid === 'true' && isFaultOf(String(field.name), member));
    const wrong = named.filter((field) => faulty.some((member) => shows(field, member)));
    const isShown = (member: string) => wrong.some((field) => shows(field, member));
    setUnshown(faulty.length > 0 && faulty.every(isShown) ? undefined : problem);
    const [first] = wrong;
    // A field of several values has its name on a hidden input.
    const isHidden = first instanceof HTMLInputElement && first.type === 'hidden';
    const field = isHidden ? form.current?.querySelector('[aria-invalid=true]') : first;
    if (field instanceof HTMLElement) field.focus();
  }, [problem]);
  // The notice may be above what a small window shows.
  useLayoutEffect(() => {
    if (unshown) notice.current?.scrollIntoView({ block: 'nearest' });
  }, [unshown]);
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
        <ProblemNotice problem={unshown} isAbove box={notice} />
        {children}
      </Stack>
    </form>
  );
}
