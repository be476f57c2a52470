// The way out of a page that a signed-in person has to finish.
import { Anchor } from '@mantine/core';
import { goToSignIn } from './after-sign-in.ts';

export const SignOutLink = ({ children }: { children: string }) => (
  <Anchor component="button" type="button" size="sm" onClick={() => goToSignIn('signedOff')}>
    {children}
  </Anchor>
);
