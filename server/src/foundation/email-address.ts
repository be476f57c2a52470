// E-mail addresses: which text is one plain address, with no name beside it, comment or list, which mail headers would make more of.

export const MAX_EMAIL_LENGTH = 254;

const PART = '[^\\s@\\u0000-\\u001f\\u007f-\\u009f<>,;:"()\\[\\]\\\\]+';

/** As JSON Schema takes it. */
export const EMAIL_PATTERN = `^${PART}@${PART}$`;

const emailAddress = new RegExp(EMAIL_PATTERN, 'u');

export function isEmailAddress(text: string): boolean {
  return text.length <= MAX_EMAIL_LENGTH && emailAddress.test(text);
}
