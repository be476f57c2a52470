// Keeps the reader on the page: "Back" does not leave it, and the browser asks before it does.
import { useBlocker } from 'react-router';
import { useWarningBeforeLeaving } from './use-warning-before-leaving.ts';

/** The router heeds one blocker at a time: `useBlocker` must not stand beside it. */
export function Stay() {
  useBlocker(true);
  useWarningBeforeLeaving();
  return null;
}
