// Lists the sections of a guide for the search over all guides: their headings, and the terms that they speak of.
import { type Block, type GuideSection, type Inline, plainText } from '../src/guide/document.ts';

/** A word with two capitals, such as PKCE. */
const ABBREVIATION = /(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{N}]*\p{Lu}[\p{L}\p{N}]*/gu;

/** Returns what stands out in a line: code, emphasis, links and abbreviations. */
const termsOf = (content: readonly Inline[]): readonly string[] =>
  content.flatMap((one) => (typeof one === 'string' ? (one.match(ABBREVIATION) ?? []) : plainText([one])));

function termsIn(block: Block): readonly string[] {
  switch (block.kind) {
    case 'paragraph':
      return termsOf(block.content);
    case 'quote':
      return block.content.flatMap(termsIn);
    case 'list':
      return block.items.flat().flatMap(termsIn);
    case 'table':
      return [block.head, ...block.rows].flat().flatMap(termsOf);
    case 'heading':
    case 'code':
      return [];
  }
}

/** Returns the sections of a guide. The first one has what stands above the first heading. */
export function sectionsOf(blocks: readonly Block[]): readonly GuideSection[] {
  const sections = [{ id: '', heading: '', terms: new Set<string>() }];
  for (const block of blocks) {
    if (block.kind === 'heading') {
      sections.push({ id: block.id, heading: plainText(block.content), terms: new Set() });
    } else {
      for (const term of termsIn(block)) sections.at(-1)?.terms.add(term.trim().toLowerCase());
    }
  }
  return sections.map(({ id, heading, terms }) => [id, heading, [...terms].join(' ')]);
}
