// The field for the name to sign in with: a user name, an e-mail address or a mobile number.
import { TextInput } from '@mantine/core';
import type { Problem } from '../ui/problem.ts';

export function NameField(props: {
  /** The member of the call that takes the name. */
  name: string;
  label: string;
  value: string;
  onChange: (value: string) => void;
  problem: Problem | undefined;
  /** Whether the autofill of the field also offers passkeys. */
  offersPasskeys?: boolean;
}) {
  const { name, label, value, onChange, problem, offersPasskeys = false } = props;
  return (
    <TextInput
      name={name}
      label={label}
      autoComplete={offersPasskeys ? 'username webauthn' : 'username'}
      autoCapitalize="none"
      spellCheck="false"
      required
      withAsterisk={false}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={problem?.fields[name]}
    />
  );
}
