// A field for a pin or code that was sent: typed, pasted, or offered by the phone that received it.
import { TextInput } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { words } from '../words/index.ts';
import { usePinRules } from './pin-rules.ts';
import type { Problem } from './problem.ts';

/** What pins are written with to be read more easily. */
const SPACING = /[\s-]+/gu;

/** Takes the focus when it is shown, and submits its form as soon as the pin is whole. */
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
  const whole = value.length === known?.length ? value : '';
  useEffect(() => input.current?.focus(), []);
  useEffect(() => {
    if (whole !== '') input.current?.form?.requestSubmit();
  }, [whole]);
  const look = known && (known.hasLetters ? words.pin.letters : words.pin.digits)(known.length);
  return (
    <TextInput
      ref={input}
      name={name}
      label={label}
      description={[description, look].filter(Boolean).join(' ')}
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
