// The checkbox "Stay signed in": whether the sign-in outlives the browser.
import { useState } from 'react';
import { Check } from '../ui/check.tsx';
import { words } from '../words/index.ts';

/** The choice, which a reload of the page keeps: the code of a message that was sent before can still be typed. */
export function useStaySignedIn() {
  const [isPersistent, setPersistent] = useState(history.state?.isPersistent === true);
  const choose = (value: boolean) => {
    history.replaceState({ ...history.state, isPersistent: value }, '');
    setPersistent(value);
  };
  return [isPersistent, choose] as const;
}

export const StaySignedIn = ({ value, onChange }: { value: boolean; onChange: (value: boolean) => void }) => (
  <Check name="staySignedIn" label={words.signIn.stay} checked={value} onChange={onChange} />
);
