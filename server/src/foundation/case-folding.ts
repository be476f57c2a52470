// Case folding: one form for texts that differ only in case or spelling.

/**
 * Returns the text under NFKC and case folding, so that `ADMIN`, `ａｄｍｉｎ` and `admin` are equal. The step to upper case
 * unites characters that lower case alone keeps apart (`ß`, `ẞ` and `ss`). The function is idempotent.
 */
export function foldCase(text: string): string {
  return text.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase().normalize('NFKC');
}
