// A password field: its text can be shown, and its errors are announced to screen readers.
import { PasswordInput } from '@mantine/core';
import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react';
import { words } from '../words/index.ts';
import type { Problem } from './problem.ts';

export function PasswordField(props: {
  /** The member of the call that takes the password. */
  name: string;
  label: string;
  kind: 'current-password' | 'new-password';
  value: string;
  onChange: (value: string) => void;
  problem: Problem | undefined;
  /** Whether a dialog focuses this field when it opens. */
  isFirst?: boolean;
  /** Shown below the field. Screen readers read it with the field. */
  description?: ReactNode;
  ref?: RefObject<HTMLInputElement | null>;
}) {
  const { name, label, kind, value, onChange, problem, isFirst = false, description, ref } = props;
  const error = problem?.fields[name];
  const own = useRef<HTMLInputElement>(null);
  const input = ref ?? own;
  // A wrong password is typed anew. Of a new one, a part may be right.
  useLayoutEffect(() => {
    if (kind === 'current-password' && problem?.fields[name]) input.current?.select();
  }, [kind, problem, name, input]);
  return (
    <PasswordInput
      ref={input}
      name={name}
      label={label}
      description={description}
      descriptionProps={{ component: 'div' }}
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      autoComplete={kind}
      required
      withAsterisk={false}
      {...(isFirst && { 'data-autofocus': true })}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error}
      aria-invalid={error !== undefined}
      visibilityToggleButtonProps={{ 'aria-label': words.common.showPassword }}
    />
  );
}
