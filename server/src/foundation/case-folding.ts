// Texts that differ only in spelling: one form for all of them.

/**
 * The text under NFKC and case folding, so that `ADMIN`, `ａｄｍｉｎ` and `admin` are one. Upper case between two lower cases
 * folds what lower case alone leaves apart (`ß`, `ẞ` and `ss`). Folding what is folded changes nothing.
 */
export function foldCase(text: string): string {
  return text.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase().normalize('NFKC');
}
