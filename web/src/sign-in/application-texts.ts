// The texts of signing in to applications. The sign-in page does not load them unless an application asks.
import { signInTo } from '../words/en-sign-in-to.ts';
import { addWords } from '../words/index.ts';

/** Returns them in the reader's language, once it is known. */
export const applicationTexts = () => addWords({ signInTo }).signInTo;
