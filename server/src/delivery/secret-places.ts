// Secret places: where a template may hold a pin, a link or its code, so that a message gives it to its recipient alone.
import { invalidMembers, type ValidationError } from '../foundation/errors.ts';
import { readHtml, TAG } from './simple-html.ts';

/** The placeholders that stand for a secret. */
const secrets = ['pin', 'link', 'code'];

/** Whether messages with these placeholders hold a secret. */
export const holdSecret = (names: readonly string[]): boolean => names.some((name) => secrets.includes(name));

/** Whether links may lead to an origin. */
export type AllowsOrigin = (origin: string) => boolean;

const SECRET = new RegExp(`\\{\\{(${secrets.join('|')})\\}\\}`);
const EACH_SECRET = new RegExp(SECRET, 'g');
const EACH_PLACEHOLDER = /\{\{\w+\}\}/g;

/** Removes spaces inside the braces of placeholders. */
export const compact = (template: string): string => template.replace(/\{\{\s*(\w+)\s*\}\}/g, '{{$1}}');

/**
 * Finds each place of a message that would give a secret away: inside an address of another origin, beside signs that a mail
 * program could take for an address, or in the attribute of a tag. The `href` of a link may be `{{link}}`, or an address of
 * an allowed origin.
 */
export function findExposed(words: Readonly<Record<string, string>>, allows: AllowsOrigin): ValidationError[] {
  return Object.entries(words).flatMap(([member, template]) => {
    const text = compact(template);
    if (!SECRET.test(text)) return [];
    const problem = member === 'html' ? findInHtml(text, allows) : findInText(text, allows);
    return problem === undefined ? [] : [{ message: `${member} ${problem}`, members: [member] }];
  });
}

const FOREIGN =
  'in an address whose origin is not allowed. Add the origin to the allowed origins of Latchkey.Links, or put spaces around it.';

/** Returns the first problem as the rest of a sentence. Lines and spaces end a word, and nothing else does for sure. */
function findInText(text: string, allows: AllowsOrigin): string | undefined {
  for (const word of text.split(/[ \n]+/)) {
    const [secret] = SECRET.exec(word) ?? [];
    if (secret === undefined || isPlain(word.replaceAll(TAG, ''))) continue;
    const parts = word.split(TAG).map((part) => part.replace(/^[([<"'“‘«]+/u, ''));
    const addresses = parts.filter((part) => !/^[.,:;!…)\]>"'”’»]*$/u.test(part));
    if (addresses.length === 1 && isAllowedAddress(addresses[0] ?? '', allows)) continue;
    if (word.includes('://')) return `holds ${secret} ${FOREIGN}`;
    return `holds ${secret} in a word with other signs, which could become an address. Put spaces around it.`;
  }
  return undefined;
}

/** Whether no mail program takes the word for an address: it has no signs of one besides those that end a sentence. */
function isPlain(word: string): boolean {
  const shown = word.replaceAll(EACH_SECRET, '0').replace(/^#/, '');
  return !/[/\\@#&%{}]|[.?][^.,:;!?…)\]}>"'”’»]/u.test(shown);
}

/** Whether the address is of an allowed origin, and its placeholders stand behind the origin. */
function isAllowedAddress(address: string, allows: AllowsOrigin): boolean {
  const url = URL.parse(address.replaceAll(EACH_PLACEHOLDER, '0'));
  if (!url || !/^https?:$/.test(url.protocol) || address.includes('\\')) return false;
  const isBehindOrigin = address.startsWith(url.origin) && /^[/?#]/.test(address.slice(url.origin.length));
  return isBehindOrigin && allows(url.origin);
}

function findInHtml(html: string, allows: AllowsOrigin): string | undefined {
  const { text, attributes, unreadable } = readHtml(html);
  if (unreadable !== undefined) {
    return `has "${unreadable.replaceAll('"', "'")}". With a secret, it may have only simple tags with quoted attributes, and no comments.`;
  }
  for (const { tag, name, value } of attributes) {
    const [secret] = SECRET.exec(value) ?? [];
    if (secret === undefined) continue;
    if (tag !== 'a' || name !== 'href') return `holds ${secret} inside a tag. Only the href of a link may hold it.`;
    if (value !== '{{link}}' && !isAllowedAddress(value, allows)) return `holds ${secret} ${FOREIGN}`;
  }
  return findInText(text, allows);
}

/** @throws AuthError `request.invalid` for words that would give a secret away. */
export function requireUnexposed(words: Readonly<Record<string, string>>, allows: AllowsOrigin): void {
  const validationErrors = findExposed(words, allows);
  if (validationErrors.length > 0) throw invalidMembers(validationErrors);
}
