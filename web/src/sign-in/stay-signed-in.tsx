// The checkbox "Stay signed in": whether the sign-in outlives the browser.
import { Check } from '../ui/check.tsx';
import { words } from '../words/index.ts';

export const StaySignedIn = ({ value, onChange }: { value: boolean; onChange: (value: boolean) => void }) => (
  <Check name="staySignedIn" label={words.signIn.stay} checked={value} onChange={onChange} />
);
