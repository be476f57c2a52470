// A field for a password, which can be looked at, and says when it is wrong also to who cannot see its colour.
import { PasswordInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { words } from '../words/index.ts';
import type { Problem } from './problem.ts';

export function PasswordField(props: {
  /** The member of the call that takes it. */
  name: string;
  label: string;
  kind: 'current-password' | 'new-password';
  value: string;
  onChange: (value: string) => void;
  problem: Problem | undefined;
  /** Whether a dialog opens with the focus here. */
  isFirst?: boolean;
  /** What is said of it below: read with the field. */
  description?: ReactNode;
}) {
  const { name, label, kind, value, onChange, problem, isFirst = false, description } = props;
  const error = problem?.fields[name];
  return (
    <PasswordInput
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
