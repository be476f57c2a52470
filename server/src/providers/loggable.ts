// Failures of implementations: what may be logged of whatever they throw.

const MAX_LENGTH = 4000;
const MAX_CAUSES = 5;
const CUT = '[redacted]';

/**
 * Words and stack of what was thrown, and of its causes, without these secrets. Of other members nothing: libraries keep
 * whole requests and answers there, with tokens in them.
 */
export function toLoggable(thrown: unknown, secrets: readonly string[], causes = MAX_CAUSES): Error {
  const clean = (text: unknown) => cutOut(String(text), secrets.flatMap(formsOf)).slice(0, MAX_LENGTH);
  if (!(thrown instanceof Error))
    return new Error(`It threw ${clean(typeof thrown === 'object' ? 'an object' : thrown)}`);
  const { message, stack, cause } = thrown;
  const hasCause = cause !== undefined && causes > 0;
  const told = new Error(clean(message), hasCause ? { cause: toLoggable(cause, secrets, causes - 1) } : {});
  told.stack = clean(stack);
  return told;
}

/** A secret as the words of an error may repeat it: as it is, and as addresses, forms and JSON hold it. */
function formsOf(secret: string): string[] {
  const inForm = new URLSearchParams({ '': secret }).toString().slice('='.length);
  return [secret, encodeURIComponent(secret.toWellFormed()), inForm, JSON.stringify(secret).slice(1, -1)];
}

function cutOut(text: string, forms: readonly string[]): string {
  return forms.filter((form) => form !== '').reduce((rest, form) => rest.replaceAll(form, CUT), text);
}
