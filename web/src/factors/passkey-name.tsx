// The field for the name of a passkey.
import { TextInput } from '@mantine/core';
import type { Problem } from '../ui/problem.ts';
import { words } from '../words/index.ts';

/** The greatest length that the service accepts. */
const MAX_LENGTH = 100;

export function PasskeyName(props: { value: string; onChange: (value: string) => void; problem: Problem | undefined }) {
  const { value, onChange, problem } = props;
  return (
    <TextInput
      name="name"
      label={words.factors.passkey.name}
      description={words.factors.passkey.nameHint}
      autoComplete="off"
      maxLength={MAX_LENGTH}
      required
      withAsterisk={false}
      data-autofocus
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={problem?.fields.name}
    />
  );
}
