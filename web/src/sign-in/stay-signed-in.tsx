// The checkbox "Stay signed in": whether the sign-in outlives the browser.
import { Checkbox } from '@mantine/core';
import { words } from '../words/index.ts';

export function StaySignedIn({ value, onChange }: { value: boolean; onChange: (value: boolean) => void }) {
  return (
    <Checkbox
      name="staySignedIn"
      label={words.signIn.stay}
      checked={value}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}
