// E-mail addresses: which text is one plain address, how it is stored, and the key that all of its spellings share.
import { domainToASCII } from 'node:url';
import { foldCase } from './case-folding.ts';

export const MAX_EMAIL_LENGTH = 254;

/** Nothing invisible either: two addresses that look the same would be two people's. */
const PART = '[^\\p{C}\\p{Z}\\p{Default_Ignorable_Code_Point}\\u2800@<>,;:"()\\[\\]\\\\]+';

/** The outline of an address, as JSON Schema takes it; {@link readEmailAddress} decides. */
export const EMAIL_PATTERN = `^${PART}@${PART}$`;

const outline = new RegExp(EMAIL_PATTERN, 'u');

/** Whether the text has the outline of an address; it may still be one that nobody can register. */
export const hasEmailOutline = (text: string): boolean => text.length <= MAX_EMAIL_LENGTH && outline.test(text);

/** `domainToASCII` reads the host of a URL: it would drop a path and decode `%`. */
const domainText = /^[a-z0-9._\-\u{80}-\u{10ffff}]+$/iu;

const LABEL = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?';
const asciiDomain = new RegExp(`^${LABEL}(?:\\.${LABEL})*$`);

/** No top-level domain is a number, and `domainToASCII` reads `1` as the address 0.0.0.1. */
const endsInNumber = /(?:^|\.)\d+$/;

/**
 * The address as it is stored: as typed, but a domain in other letters than ASCII in its ASCII form (RFC 5891), so that
 * the mail goes to the domain of the key, whatever the mail server makes of such letters. `undefined` for a text that is not one plain address, also for dots and hyphens where RFC 5321
 * has none: `.ann@example.com`, `ann@example.com.`, `ann@-example.com`.
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

/** The text with its domain in lower-case ASCII, without the dot of the root; as it is if it has no domain. */
export function withAsciiDomain(text: string): string {
  const [local, domain] = split(text);
  const ascii = toAscii(domain).replace(/\.$/, '');
  return isDomain(ascii) ? `${local}@${ascii}` : text;
}

/**
 * The key that all spellings of an address share: local part under NFKC and case folding, domain in lower-case ASCII
 * without the dot of the root. Any other text is folded whole. The key of a key is that key.
 */
export function emailKey(text: string): string {
  const address = withAsciiDomain(text.normalize('NFKC'));
  const [local, domain] = split(address);
  return isDomain(domain) ? `${foldCase(local)}@${domain}` : foldCase(text);
}

/** What stands before and after the last `@`. */
function split(text: string): [local: string, domain: string] {
  const at = text.lastIndexOf('@');
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

/** Empty for a text that has no ASCII form. */
function toAscii(domain: string): string {
  const normalized = domain.normalize('NFKC');
  return domainText.test(normalized) ? domainToASCII(normalized) : '';
}

const isDomain = (ascii: string) => asciiDomain.test(ascii) && !endsInNumber.test(ascii);
