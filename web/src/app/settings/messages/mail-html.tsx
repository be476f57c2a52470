// The HTML of an e-mail, in a shadow tree, from elements and attributes that cannot reach the page around it. Links lead nowhere.
import { type CSSProperties, useEffect, useRef } from 'react';

/** Elements that are shown. Of others, only what is inside them is. */
const shown = new Set([
  ...['p', 'div', 'br', 'hr', 'center', 'blockquote', 'pre', 'ul', 'ol', 'li', 'b', 'strong', 'i', 'em', 'u', 'span'],
  ...['small', 'big', 'sub', 'sup', 'code', 'table', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'],
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'a', 'font'],
]);

/** Attributes that only say how an element looks, or which rules of a style sheet are for it. */
const attributes = [
  'class',
  'id',
  'align',
  'valign',
  'bgcolor',
  'color',
  'width',
  'height',
  'colspan',
  'rowspan',
  'dir',
];

/** Elements whose content is no text of the e-mail. */
const hidden = new Set(['script', 'title', 'template', 'noscript', 'iframe', 'object', 'svg', 'math']);

/** Stands for the element and for the attribute. */
const STYLE = 'x-style';

/** Dark text on a light ground, as mail programs show an e-mail, also while the page is dark. */
const frame: CSSProperties = {
  all: 'initial',
  display: 'block',
  contain: 'content',
  maxHeight: '36rem',
  overflow: 'auto',
  overflowWrap: 'anywhere',
  padding: 12,
  colorScheme: 'light',
  background: 'Canvas',
  color: 'CanvasText',
  font: '14px/1.5 system-ui, sans-serif',
};

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
  if (!shown.has(source.localName)) return undefined;
  const element = document.createElement(source.localName);
  for (const name of attributes) {
    const value = source.getAttribute(name);
    if (value !== null) element.setAttribute(name, value);
  }
  // A screen reader must not take the titles of the e-mail for titles of the page.
  if (/^h[1-6]$/.test(source.localName)) element.role = 'presentation';
  if (source.localName === 'a') element.style.cssText = 'color: LinkText; text-decoration: underline';
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
    const css: string[] = [];
    copy(new DOMParser().parseFromString(renameStyles(html), 'text/html').documentElement, paper, css);
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css.join('\n'));
    root.adoptedStyleSheets = [sheet];
    root.replaceChildren(paper);
  }, [html]);
  // The frame is outside: a style sheet of the e-mail may change the host of its tree.
  return (
    <div style={frame}>
      <div ref={host} />
    </div>
  );
}
