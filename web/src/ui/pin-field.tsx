// A field for a pin or code: typed, pasted, or filled in by the phone that received it.
import { TextInput } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { words } from '../words/index.ts';
import { usePinRules } from './pin-rules.ts';
import type { Problem } from './problem.ts';

/** Characters that make a pin easier to read. */
const SPACING = /[\s-]+/gu;

/** Takes the focus when shown, and submits its form as soon as the pin is complete. */
export function PinField(props: {
  name: string;
  label: string;
  description: string;
  value: string;
  onChange: (value: string) => void;
  problem: Problem | undefined;
}) {
  const { name, label, description, value, onChange, problem } = props;
  const input = useRef<HTMLInputElement>(null);
  const rules = usePinRules();
  const known = rules.state === 'loaded' ? rules.value : undefined;
  const complete = value.length === known?.length ? value : '';
  useEffect(() => input.current?.focus(), []);
  useEffect(() => {
    if (complete !== '') input.current?.form?.requestSubmit();
  }, [complete]);
  const format = known && (known.hasLetters ? words.pin.letters : words.pin.digits)(known.length);
  return (
    <TextInput
      ref={input}
      name={name}
      label={label}
      description={[description, format].filter(Boolean).join(' ')}
      autoComplete="one-time-code"
      inputMode={known?.hasLetters === false ? 'numeric' : 'text'}
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      size="md"
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', letterSpacing: '0.3em' } }}
      required
      withAsterisk={false}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value.replace(SPACING, ''))}
      error={problem?.fields[name]}
    />
  );
}
