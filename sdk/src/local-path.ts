// Local paths: where a page may redirect to. The pages and the settings of the service decide by the same function.

/**
 * Two slashes, which begin the name of a host for the next reader. Or a slash, a percent sign or a control character, which
 * parsers remove, for a reader that decodes.
 */
const AMBIGUOUS = /^\/\/|%(2f|5c|25|[01])/i;

/**
 * Returns the URL of a path, if it stays on the origin however often it is parsed, printed and decoded. `undefined` for
 * any other text. Open the URL, never the text: they may differ.
 */
export function toLocalUrl(text: string, origin: string): URL | undefined {
  if (!text.startsWith('/')) return undefined;
  try {
    const url = new URL(text, origin);
    return url.origin === origin && !AMBIGUOUS.test(url.pathname) ? url : undefined;
  } catch {
    // Two slashes before what is no host.
    return undefined;
  }
}
