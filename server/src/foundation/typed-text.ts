// Typed text: what people type or paste, without the marks that they cannot see, and with digits of any script as ASCII.

/** Marks without width or ink: zero width, direction, soft hyphens, variation selectors, fillers. */
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu;

/** The ignorable marks that change no letter: zero width, direction, soft hyphen, byte order mark. */
const INVISIBLE = /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;

/** Joiners shape letters of other scripts and emoji. After anything else they are invisible. */
const IDLE_JOINER =
  /(?<![[\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}]--[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}]])[\u200c\u200d]/gv;

/** Hyphens, dashes and the minus sign separate groups of digits. */
const SEPARATORS = /[\s\p{Dash}]/gu;

const DIGIT = /\p{Nd}/u;
const FOREIGN_DIGITS = /(?![0-9])\p{Nd}/gu;

/** Returns a user name, an address or a key without ignorable marks and surrounding white space. It is idempotent. */
export function readName(typed: string): string {
  return typed.replace(IGNORABLE, '').trim();
}

/**
 * Returns words without invisible marks and surrounding white space. Joiners and variation selectors stay where they
 * shape a letter: names in Persian, Malayalam and Japanese need them. It is idempotent.
 */
export function readWords(typed: string): string {
  return typed.replace(INVISIBLE, '').replace(IDLE_JOINER, '').trim();
}

/** Returns a code of ASCII characters as it was issued: people type blanks and hyphens into it, and digits of their script. */
export function readCode(typed: string): string {
  return toAsciiDigits(typed.normalize('NFKC')).replace(IGNORABLE, '').replace(SEPARATORS, '');
}

/** Returns the text with the decimal digits of all scripts as ASCII digits. */
export function toAsciiDigits(text: string): string {
  return text.replace(FOREIGN_DIGITS, (digit) => String(digitValue(digit.codePointAt(0) ?? 0)));
}

/** Unicode encodes the ten digits of a script one after the other. Some scripts follow each other without a gap. */
function digitValue(point: number): number {
  let first = point;
  while (DIGIT.test(String.fromCodePoint(first - 1))) first -= 1;
  return (point - first) % 10;
}
