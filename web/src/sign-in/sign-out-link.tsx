// The way out of a page that a signed-in person has to finish.
import { Anchor } from '@mantine/core';
import { useSubmit } from '../ui/use-submit.ts';
import { goToSignIn } from './after-sign-in.ts';

export function SignOutLink({ children }: { children: string }) {
  // It stays busy until the page is gone.
  const { submit, isBusy } = useSubmit(() => goToSignIn('signedOff'));
  return (
    <Anchor
      component="button"
      type="button"
      size="sm"
      aria-busy={isBusy}
      {...(isBusy && { c: 'dimmed', style: { cursor: 'progress' } })}
      onClick={submit}
    >
      {children}
    </Anchor>
  );
}
