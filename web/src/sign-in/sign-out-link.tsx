// The way out of a page that a signed-in person has to finish.
import { Anchor } from '@mantine/core';
import { useState } from 'react';
import { goToSignIn } from './after-sign-in.ts';

export function SignOutLink({ children }: { children: string }) {
  // It stays busy until the page is gone.
  const [isBusy, setBusy] = useState(false);
  return (
    <Anchor
      component="button"
      type="button"
      size="sm"
      aria-busy={isBusy}
      {...(isBusy && { c: 'dimmed' })}
      onClick={() => {
        setBusy(true);
        void goToSignIn('signedOff');
      }}
    >
      {children}
    </Anchor>
  );
}
