// E-mail addresses: parsing one plain address, its stored form, and the key that all its spellings share.
import { domainToASCII } from 'node:url';
import { foldCase } from './case-folding.ts';
import { readName } from './typed-text.ts';

export const MAX_EMAIL_LENGTH = 254;

/** Invisible characters are excluded: otherwise two accounts could have addresses that look the same. */
const PART = '[^\\p{C}\\p{Z}\\p{Default_Ignorable_Code_Point}\\u2800@<>,;:"()\\[\\]\\\\]+';

/** The outline of an address, as a JSON Schema pattern. {@link readEmailAddress} does the full check. */
export const EMAIL_PATTERN = `^${PART}@${PART}$`;

const outline = new RegExp(EMAIL_PATTERN, 'u');

/** Returns whether the text has the outline of an address. {@link readEmailAddress} may still reject it. */
export const hasEmailOutline = (text: string): boolean => text.length <= MAX_EMAIL_LENGTH && outline.test(text);

/** `domainToASCII` parses the host of a URL: it would remove a path and decode `%`. */
const domainText = /^[a-z0-9._\-\u{80}-\u{10ffff}]+$/iu;

const LABEL = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?';
const asciiDomain = new RegExp(`^${LABEL}(?:\\.${LABEL})*$`);

/** No top-level domain is a number, but `domainToASCII` reads `1` as the address 0.0.0.1. */
const endsInNumber = /(?:^|\.)\d+$/;

/**
 * Returns the address in its stored form: as typed, with a non-ASCII domain converted to ASCII (RFC 5891). The mail
 * server then sends to the same domain that the key names.
 * Returns `undefined` if the text is not one plain address, or has a dot or hyphen where RFC 5321 allows none:
 * `.ann@example.com`, `ann@example.com.`, `ann@-example.com`.
 */
export function readEmailAddress(text: string): string | undefined {
  if (!hasEmailOutline(text)) return undefined;
  const normalized = text.normalize('NFKC');
  if (!outline.test(normalized) || split(normalized)[0].split('.').includes('')) return undefined;
  const [local, domain] = split(text);
  const ascii = toAscii(domain);
  const address = /[^!-~]/.test(domain) ? `${local}@${ascii}` : text;
  return isDomain(ascii) && address.length <= MAX_EMAIL_LENGTH ? address : undefined;
}

/** Returns the text with its domain in lower-case ASCII, without the root dot. Without a domain, returns it unchanged. */
export function withAsciiDomain(text: string): string {
  const [local, domain] = split(text);
  const ascii = toAscii(domain).replace(/\.$/, '');
  return isDomain(ascii) ? `${local}@${ascii}` : text;
}

/**
 * Returns the key that all spellings of an address share: without ignorable marks and surrounding white space, the local
 * part under NFKC and case folding, and the domain in lower-case ASCII without the root dot. Folds any other text as a
 * whole. The function is idempotent.
 */
export function emailKey(text: string): string {
  const name = readName(text.normalize('NFKC'));
  const address = withAsciiDomain(name);
  const [local, domain] = split(address);
  // Folding can turn a text into an address: `ann@xn--ı.` has no ASCII form, and folds to `ann@xn--i.`.
  return isDomain(domain) ? `${foldCase(local)}@${domain}` : withAsciiDomain(foldCase(name));
}

/** Splits at the last `@`. */
function split(text: string): [local: string, domain: string] {
  const at = text.lastIndexOf('@');
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

/** Returns an empty string if the domain has no ASCII form. */
function toAscii(domain: string): string {
  const normalized = domain.normalize('NFKC');
  return domainText.test(normalized) ? domainToASCII(normalized) : '';
}

const isDomain = (ascii: string) => asciiDomain.test(ascii) && !endsInNumber.test(ascii);
