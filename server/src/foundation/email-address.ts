// E-mail addresses: which text is one plain address, with no name beside it, comment or list, which mail headers would make more of.

export const MAX_EMAIL_LENGTH = 254;

/** Nothing invisible either: two addresses that look the same would be two people's. */
const PART = '[^\\p{C}\\p{Z}\\p{Default_Ignorable_Code_Point}\\u2800@<>,;:"()\\[\\]\\\\]+';

/** As JSON Schema takes it. */
export const EMAIL_PATTERN = `^${PART}@${PART}$`;

const emailAddress = new RegExp(EMAIL_PATTERN, 'u');

export function isEmailAddress(text: string): boolean {
  return text.length <= MAX_EMAIL_LENGTH && emailAddress.test(text);
}
