// A field for a short code: typed, pasted, or filled in by the device that received or keeps it.
import { TextInput } from '@mantine/core';
import { useEffect, useLayoutEffect, useRef } from 'react';
import type { Problem } from './problem.ts';

/** Characters that make a code easier to read, and invisible marks. */
const SPACING = /[\s\p{Dash}\p{Default_Ignorable_Code_Point}]+/gu;

/** Returns a code without them. The service also reads digits of other scripts. */
export const withoutSpacing = (code: string): string => code.replace(SPACING, '');

/** Takes the focus when shown, and submits its form as soon as the code is complete. */
export function CodeField(props: {
  name: string;
  label: string;
  description: string;
  /** The number of characters. Unknown: the code is never complete. */
  length: number | undefined;
  isNumeric: boolean;
  value: string;
  onChange: (value: string) => void;
  problem: Problem | undefined;
}) {
  const { name, label, description, length, isNumeric, value, onChange, problem } = props;
  const input = useRef<HTMLInputElement>(null);
  const complete = value.length === length ? value : '';
  useLayoutEffect(() => input.current?.focus(), []);
  // A wrong code is typed anew, and the next digit may come at once.
  useLayoutEffect(() => {
    if (problem?.fields[name]) input.current?.select();
  }, [problem, name]);
  useEffect(() => {
    if (complete !== '') input.current?.form?.requestSubmit();
  }, [complete]);
  return (
    <TextInput
      ref={input}
      name={name}
      label={label}
      description={description}
      autoComplete="one-time-code"
      inputMode={isNumeric ? 'numeric' : 'text'}
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck="false"
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', letterSpacing: '0.3em' } }}
      required
      withAsterisk={false}
      value={value}
      onChange={(event) => onChange(withoutSpacing(event.currentTarget.value))}
      error={problem?.fields[name]}
    />
  );
}
