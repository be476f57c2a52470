// Failures of implementations: what may be logged of whatever they throw.

const MAX_LENGTH = 4000;
const MAX_CAUSES = 5;
const CUT = '[redacted]';

/** Shorter ones stand in ordinary words, and are none. */
const SHORTEST_SECRET = 4;

/**
 * Words and stack of what was thrown, and of its causes, without these secrets. Of other members nothing: libraries keep
 * whole requests and answers there, with tokens in them. Never throws, and takes no longer for longer texts.
 */
export function toLoggable(thrown: unknown, secrets: readonly string[]): Error {
  const clean = createCleaner(secrets);
  try {
    return copy(thrown, clean, MAX_CAUSES);
  } catch {
    // A getter of its own, or a proxy.
    return new Error('It threw what cannot be read');
  }
}

function copy(thrown: unknown, clean: (text: unknown) => string, causes: number): Error {
  if (!(thrown instanceof Error)) {
    return new Error(`It threw ${clean(typeof thrown === 'object' ? 'an object' : thrown)}`);
  }
  const { message, stack, cause } = thrown;
  const hasCause = cause !== undefined && causes > 0;
  const told = new Error(clean(message), hasCause ? { cause: copy(cause, clean, causes - 1) } : {});
  told.stack = clean(stack);
  return told;
}

function createCleaner(secrets: readonly string[]): (text: unknown) => string {
  const forms = [...new Set(secrets.filter(({ length }) => length >= SHORTEST_SECRET).flatMap(formsOf))];
  const longestFirst = forms.toSorted((a, b) => b.length - a.length);
  const longest = longestFirst[0]?.length ?? 0;
  const pattern =
    longest === 0 ? undefined : new RegExp(longestFirst.map((form) => RegExp.escape(form)).join('|'), 'gi');
  return (text) => {
    const whole = String(text);
    const beginning = whole.slice(0, MAX_LENGTH + longest);
    const cut = pattern ? beginning.replace(pattern, CUT) : beginning;
    // The end may hold half a secret.
    return (beginning.length < whole.length ? cut.slice(0, Math.max(0, cut.length - longest)) : cut).slice(
      0,
      MAX_LENGTH,
    );
  };
}

/** A secret as the words of an error may repeat it: as it is, and as addresses, forms and JSON hold it. */
function formsOf(secret: string): string[] {
  const inForm = new URLSearchParams({ '': secret }).toString().slice('='.length);
  return [secret, encodeURIComponent(secret.toWellFormed()), inForm, JSON.stringify(secret).slice(1, -1)];
}
