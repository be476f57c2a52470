// The HTML of an e-mail, shown without its page being able to reach the one around it: in a shadow tree, from elements and
// styles that are known to be harmless. Links lead nowhere.
import { type CSSProperties, useEffect, useRef } from 'react';

/** Elements that are shown. Of others, only what is inside them is. */
const shown = new Set([
  ...['p', 'div', 'br', 'hr', 'center', 'blockquote', 'pre', 'ul', 'ol', 'li', 'b', 'strong', 'i', 'em', 'u', 'span'],
  ...['small', 'big', 'sub', 'sup', 'code', 'table', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'],
]);

/** Elements whose content is no text of the e-mail. */
const hidden = new Set(['script', 'title', 'template', 'noscript', 'iframe', 'object', 'svg', 'math']);

/** Stands for the element and for the attribute. */
const STYLE = 'x-style';

const headings = /^h[1-6]$/;

const frame: CSSProperties = {
  all: 'initial',
  display: 'block',
  contain: 'content',
  overflow: 'auto',
  overflowWrap: 'anywhere',
};
const PAPER = 'background: #fff; color: #111; padding: 12px; font: 14px/1.5 system-ui, sans-serif;';

/**
 * Renames what has styles, before a parser reads it: the policy of the page makes the parser complain about each of them.
 * Elsewhere the words stay.
 */
const renameStyles = (html: string) =>
  html.replace(/<[a-z/][^>]*>/gi, (tag) =>
    tag.replace(/^(<\/?)style\b/i, `$1${STYLE}`).replace(/\sstyle(?=\s*=)/gi, ` ${STYLE}`),
  );

/** Returns the element that shows one of the e-mail's, or undefined if only its content is shown. */
function elementFor(source: Element): HTMLElement | undefined {
  const name = source.localName;
  const isHeading = headings.test(name);
  if (!shown.has(name) && !isHeading && name !== 'a') return undefined;
  const element = document.createElement(isHeading ? 'p' : name === 'a' ? 'span' : name);
  if (isHeading) element.style.cssText = 'font-weight: 600; font-size: 1.2em';
  if (name === 'a') element.style.cssText = 'color: #0b57d0; text-decoration: underline';
  element.style.cssText += `;${source.getAttribute(STYLE) ?? ''}`;
  return element;
}

/** Copies what is inside an element, and adds the style sheets among it to `css`. */
function copy(source: Node, target: Node, css: string[]): void {
  for (const child of source.childNodes) {
    if (child instanceof Text) target.appendChild(document.createTextNode(child.data));
    if (!(child instanceof Element) || hidden.has(child.localName)) continue;
    if (child.localName === STYLE) {
      css.push(child.textContent ?? '');
      continue;
    }
    const element = elementFor(child);
    if (element) target.appendChild(element);
    copy(child, element ?? target, css);
  }
}

export function MailHtml({ html }: { html: string }) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!host.current) return;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
    const paper = document.createElement('div');
    paper.style.cssText = PAPER;
    const css: string[] = [];
    copy(new DOMParser().parseFromString(renameStyles(html), 'text/html').documentElement, paper, css);
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css.join('\n'));
    root.adoptedStyleSheets = [sheet];
    root.replaceChildren(paper);
  }, [html]);
  return <div ref={host} style={frame} />;
}
