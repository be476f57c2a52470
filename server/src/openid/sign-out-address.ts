// Where a browser goes in a sign-out: to the application, to the page that asks, or to the one that says "signed out".
import { addQuery } from './answers.ts';
import type { SignOutStep } from './end-session.ts';

export function signOutAddress(step: SignOutStep, issuer: string): string {
  if (step.kind === 'ask') {
    const { question, application } = step;
    return addQuery(`${issuer}/sign-out`, { question, ...(application !== null && { application }) });
  }
  const { to, receipt } = step;
  return to ?? addQuery(`${issuer}/signed-out`, receipt === null ? {} : { receipt });
}
