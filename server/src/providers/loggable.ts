// Failures of extensions: makes what they throw safe to log.

const MAX_LENGTH = 4000;
const MAX_CAUSES = 5;
const REDACTED = '[redacted]';

/** In characters. A shorter text occurs in ordinary words and is not a secret. */
const MIN_SECRET_LENGTH = 4;

/**
 * Returns an error with the message and stack of a thrown value and its causes, without these secrets. It omits other
 * members, because libraries keep whole requests and responses there, with tokens in them. Never throws. Its run time is
 * bounded for texts of any length.
 */
export function toLoggable(thrown: unknown, secrets: readonly string[]): Error {
  const clean = createCleaner(secrets);
  try {
    return copy(thrown, clean, MAX_CAUSES);
  } catch {
    // A getter or a proxy threw.
    return new Error('It threw a value that cannot be read');
  }
}

function copy(thrown: unknown, clean: (text: unknown) => string, causes: number): Error {
  if (!(thrown instanceof Error)) {
    return new Error(`It threw ${clean(typeof thrown === 'object' ? 'an object' : thrown)}`);
  }
  const { message, stack, cause } = thrown;
  const hasCause = cause !== undefined && causes > 0;
  const safe = new Error(clean(message), hasCause ? { cause: copy(cause, clean, causes - 1) } : {});
  safe.stack = clean(stack);
  return safe;
}

function createCleaner(secrets: readonly string[]): (text: unknown) => string {
  const forms = [...new Set(secrets.filter(({ length }) => length >= MIN_SECRET_LENGTH).flatMap(formsOf))];
  const longestFirst = forms.toSorted((a, b) => b.length - a.length);
  const longest = longestFirst[0]?.length ?? 0;
  const pattern =
    longest === 0 ? undefined : new RegExp(longestFirst.map((form) => RegExp.escape(form)).join('|'), 'gi');
  return (text) => {
    const whole = String(text);
    const beginning = whole.slice(0, MAX_LENGTH + longest);
    const redacted = pattern ? beginning.replace(pattern, REDACTED) : beginning;
    // The end can hold a part of a secret.
    return (
      beginning.length < whole.length ? redacted.slice(0, Math.max(0, redacted.length - longest)) : redacted
    ).slice(0, MAX_LENGTH);
  };
}

/** Returns the forms of a secret that an error may contain: plain, and as in URLs, forms and JSON. */
function formsOf(secret: string): string[] {
  const inForm = new URLSearchParams({ '': secret }).toString().slice('='.length);
  return [secret, encodeURIComponent(secret.toWellFormed()), inForm, JSON.stringify(secret).slice(1, -1)];
}
