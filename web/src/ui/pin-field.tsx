// A field for a pin or code that was sent: typed, pasted, or offered by the phone that received it.
import { ActionIcon, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { Problem } from '../ui/problem.ts';
import { words } from '../words/index.ts';

/** On a touch screen, where the keyboard is what the field asks for. */
const hasScreenKeyboard = () => matchMedia('(pointer: coarse)').matches;

/**
 * Takes the focus when it is shown. Any length and any characters: how pins look is a setting that only administrators
 * read. So a screen keyboard begins with digits, as most pins are, and can be switched to letters.
 */
export function PinField(props: {
  name: string;
  label: string;
  description: string;
  value: string;
  onChange: (value: string) => void;
  problem: Problem | undefined;
}) {
  const { name, label, description, value, onChange, problem } = props;
  const [hasLetters, setLetters] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const switchKeyboard = () => {
    setLetters(!hasLetters);
    input.current?.focus();
  };
  return (
    <TextInput
      ref={input}
      name={name}
      label={label}
      description={description}
      autoComplete="one-time-code"
      inputMode={hasLetters ? 'text' : 'numeric'}
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      size="md"
      required
      withAsterisk={false}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={problem?.fields[name]}
      rightSection={
        hasScreenKeyboard() && (
          <ActionIcon variant="subtle" size="lg" aria-label={words.pin.letters} onClick={switchKeyboard}>
            {hasLetters ? '123' : 'abc'}
          </ActionIcon>
        )
      }
    />
  );
}
