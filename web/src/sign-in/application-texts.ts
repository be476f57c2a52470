// The texts of signing in to applications. The sign-in page does not load them unless an application asks.
import { signInTo as english } from '../words/en-sign-in-to.ts';
import { words } from '../words/index.ts';
import { translateInto } from '../words/translation.ts';

/** Returns them in the reader's language, once it is known. The English texts of the sign-in pages do not have them. */
export function applicationTexts(): typeof english {
  const { signInTo: translation } = words;
  return translateInto(english, translation ?? {});
}
