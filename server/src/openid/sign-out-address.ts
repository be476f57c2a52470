// Where a browser goes in a sign-out: to the application, to the page that asks, or to the one that says "signed out".
import { addQuery } from './answers.ts';
import type { SignOutStep } from './end-session.ts';

export function signOutAddress(step: SignOutStep, issuer: string): string {
  const languages = step.uiLocales.length > 0 && { ui_locales: step.uiLocales.join(' ') };
  if (step.kind === 'ask') return addQuery(`${issuer}/sign-out`, { question: step.question, ...languages });
  const { to, receipt } = step;
  return to ?? addQuery(`${issuer}/signed-out`, { ...(receipt !== null && { receipt }), ...languages });
}
