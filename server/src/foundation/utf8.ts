// Texts of files that an operator gives.

/** Returns the text, without the byte order mark that some editors write before it, or `undefined` if it is not UTF-8. */
export function decodeUtf8(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
