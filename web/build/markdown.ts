// Reads Markdown as the guides use it. Refuses HTML, pictures of other sites, and all else that the pages do not show.
import { lexer, type MarkedToken, type Token, type Tokens } from 'marked';
import { type Block, type Guide, type Inline, plainText } from '../src/guide/document.ts';

/** Returns where a link leads, or where a picture is. @throws Error for a target that does not exist. */
type Resolve = (target: string) => string;

/** @param resolve is called for each link and picture. @throws Error if the text begins with no title, or has something unknown. */
export function readMarkdown(text: string, resolve: Resolve): Guide {
  const [first, ...rest] = createReader(resolve).blocks(lexer(text));
  if (first?.kind !== 'heading' || first.level !== 1) throw new Error('A guide begins with its title.');
  return { title: plainText(first.content), blocks: rest };
}

/** Returns the ids of the headings in a text. */
export const readIds = (text: string): string[] =>
  readMarkdown(text, (target) => target).blocks.flatMap((block) => (block.kind === 'heading' ? block.id : []));

// Other kinds of tokens come from extensions of Marked, and there are none here.
const known = (token: Token) => token as MarkedToken;

function createReader(resolve: Resolve) {
  const used = new Map<string, number>();

  /** Returns the id that GitHub gives a heading. */
  function idOf(heading: string): string {
    const id = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
      .replaceAll(' ', '-');
    const count = used.get(id) ?? 0;
    used.set(id, count + 1);
    return count === 0 ? id : `${id}-${count}`;
  }

  const inlines = (tokens: readonly Token[] = []): Inline[] => tokens.map((token) => inline(known(token)));

  function inline(token: MarkedToken): Inline {
    switch (token.type) {
      case 'text':
      case 'escape':
        return readCharacters(token.text);
      case 'codespan':
        return { kind: 'code', text: token.text };
      case 'strong':
        return { kind: 'strong', content: inlines(token.tokens) };
      case 'em':
        return { kind: 'emphasis', content: inlines(token.tokens) };
      case 'link':
        return { kind: 'link', to: resolve(token.href), content: inlines(token.tokens) };
      case 'image':
        if (/^\w+:/.test(token.href)) throw new Error(`Guides cannot show a picture of another site: ${token.raw}`);
        if (token.text === '') throw new Error(`Guides cannot show a picture without a text alternative: ${token.raw}`);
        return { kind: 'image', source: resolve(token.href), description: token.text };
      case 'html':
        if (token.text === '<br>') return { kind: 'break' };
        throw new Error(`Guides cannot show HTML: ${token.raw}`);
      default:
        throw new Error(`Guides cannot show this: ${token.raw}`);
    }
  }

  const blocks = (tokens: readonly Token[]): Block[] => tokens.flatMap((token) => block(known(token)));

  function block(token: MarkedToken): Block | [] {
    switch (token.type) {
      case 'space':
        return [];
      case 'html':
        // Generated pages name their generator in a comment.
        if (/^<!--[^>]*-->\s*$/.test(token.text)) return [];
        throw new Error(`Guides cannot show HTML: ${token.raw}`);
      case 'heading': {
        const content = inlines(token.tokens);
        return { kind: 'heading', level: token.depth, id: idOf(plainText(content)), content };
      }
      case 'text':
      case 'paragraph':
        return { kind: 'paragraph', content: inlines(token.tokens) };
      case 'code':
        return { kind: 'code', text: token.text.replace(/\n$/, '') };
      case 'blockquote':
        return { kind: 'quote', content: blocks(token.tokens) };
      case 'list':
        return { kind: 'list', start: token.ordered ? Number(token.start) : null, items: token.items.map(readItem) };
      case 'table':
        return { kind: 'table', head: token.header.map(cell), rows: token.rows.map((row) => row.map(cell)) };
      default:
        throw new Error(`Guides cannot show this: ${token.raw}`);
    }
  }

  const readItem = ({ tokens }: Tokens.ListItem) => blocks(tokens);
  const cell = ({ tokens }: Tokens.TableCell) => inlines(tokens);
  return { blocks };
}

const characters: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: '\u{A0}' };

/** Replaces the few references to characters that guides use. A line break within a paragraph is a space. */
const readCharacters = (text: string) =>
  text.replace(/&(\w+);/g, (reference, name: string) => characters[name] ?? reference).replaceAll('\n', ' ');
