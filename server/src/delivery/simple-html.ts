// Simple HTML: the part of HTML that every mail program reads alike, split into its text and its attributes.

/** Stands for a tag in the text. Templates hold no such character. */
export const TAG = '\u0000';

const tags = [
  ...['html', 'head', 'body', 'meta', 'p', 'div', 'br', 'hr', 'center', 'blockquote', 'pre', 'ul', 'ol', 'li'],
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'a', 'b', 'strong', 'i', 'em', 'u', 'span', 'font', 'small', 'big'],
  ...['sub', 'sup', 'code', 'img', 'table', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td', 'style', 'title'],
];

/** Between these tags and the cells of a table, a browser moves text to a place before the table. */
const betweenCells = [
  '<table',
  '<thead',
  '<tbody',
  '<tfoot',
  '<tr',
  '</thead',
  '</tbody',
  '</tfoot',
  '</tr',
  '</td',
  '</th',
];

/** What the content of these tags, which is no HTML, must not hold. A selector by attribute could tell its value. */
const notWithin: Readonly<Record<string, RegExp>> = { '<style': /<|\[|\{\{/, '<title': /<|\{\{/ };

type Attribute = { readonly tag: string; readonly name: string; readonly value: string };

/** `unreadable`: the beginning of the first part that is not simple. The rest was not read then. */
export type SimpleHtml = {
  /** With {@link TAG} in place of each tag: it may separate words, or a browser may ignore it. */
  readonly text: string;
  readonly attributes: readonly Attribute[];
  readonly unreadable?: string;
};

// Browsers take no other white space for such. Templates hold no tabs.
const DOCTYPE = /^[ \n]*<!doctype html>/i;
const NAME = /<\/?([a-z][a-z0-9]*)/iy;
const ATTRIBUTE = /[ \n]+([a-z][a-z0-9:-]*)(?:=(?:"([^"]*)"|'([^']*)'|([^ \n"'=<>`]+)))?/iy;
const END = /[ \n]*\/?>/y;

/** Matches at this position. The `lastIndex` of the expression is the end of the match. */
function matchAt(expression: RegExp, html: string, position: number): RegExpExecArray | null {
  expression.lastIndex = position;
  return expression.exec(html);
}

/** Reads the tag at this position. @returns `undefined` if it is not simple. */
function readTag(html: string, start: number) {
  const [opening = '', name = ''] = matchAt(NAME, html, start) ?? [];
  const tag = name.toLowerCase();
  if (!tags.includes(tag)) return undefined;
  const attributes: Attribute[] = [];
  let end = NAME.lastIndex;
  for (let found = matchAt(ATTRIBUTE, html, end); found; found = matchAt(ATTRIBUTE, html, end)) {
    const [, attribute = '', ...values] = found;
    attributes.push({ tag, name: attribute.toLowerCase(), value: values.find((one) => one !== undefined) ?? '' });
    end = ATTRIBUTE.lastIndex;
  }
  // `ping` sends the address of a link to another one.
  if (!matchAt(END, html, end) || attributes.some((one) => one.name === 'ping')) return undefined;
  return { opening: opening.toLowerCase(), attributes, end: END.lastIndex };
}

/** Reads HTML in one pass. */
export function readHtml(given: string): SimpleHtml {
  const html = given.replace(DOCTYPE, '');
  const attributes: Attribute[] = [];
  let text = '';
  let position = 0;
  let isBetweenCells = false;
  for (;;) {
    const start = html.indexOf('<', position);
    const before = html.slice(position, start === -1 ? undefined : start);
    if (isBetweenCells && /[^ \n]/.test(before)) return { text, attributes, unreadable: before.trim().slice(0, 20) };
    text += decode(before);
    if (start === -1) return { text, attributes };
    const tag = readTag(html, start);
    const isCell = tag?.opening === '<td' || tag?.opening === '<th';
    const isTable = isCell || tag?.opening === '</table' || betweenCells.includes(tag?.opening ?? '');
    const end = tag ? findContentEnd(html, tag) : -1;
    if (!tag || end === -1 || (isBetweenCells && !isTable)) {
      return { text, attributes, unreadable: html.slice(start, start + 20) };
    }
    attributes.push(...tag.attributes);
    text += TAG;
    if (isTable) isBetweenCells = betweenCells.includes(tag.opening);
    position = end;
  }
}

/** Returns where to read on after a tag: behind its content if that is no HTML, or -1 if that may not be. */
function findContentEnd(html: string, { opening, end }: { readonly opening: string; readonly end: number }): number {
  const unwanted = notWithin[opening];
  if (!unwanted) return end;
  const contentEnd = html.indexOf(opening.replace('<', '</'), end);
  return contentEnd === -1 || unwanted.test(html.slice(end, contentEnd)) ? -1 : contentEnd;
}

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&apos;': "'",
  '&nbsp;': '\u00a0',
};

/** Other entities stay as they are. */
const decode = (text: string) =>
  text.replace(/&(?:amp|lt|gt|quot|apos|nbsp|#39);/g, (entity) => entities[entity] ?? '');
