// A guide as the build of the pages makes it from Markdown: text, never HTML.

/** A piece of a line. */
export type Inline =
  | string
  | { readonly kind: 'break' }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'strong' | 'emphasis'; readonly content: readonly Inline[] }
  /** `to` is a path of the application (`/guide/roles#names`), a place on this page (`#names`), or an address outside. */
  | { readonly kind: 'link'; readonly to: string; readonly content: readonly Inline[] }
  /** A picture of the service itself, and its text alternative. */
  | { readonly kind: 'image'; readonly source: string; readonly description: string };

export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly id: string; readonly content: readonly Inline[] }
  | { readonly kind: 'paragraph'; readonly content: readonly Inline[] }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'quote'; readonly content: readonly Block[] }
  | { readonly kind: 'list'; readonly start: number | null; readonly items: readonly (readonly Block[])[] }
  | {
      readonly kind: 'table';
      readonly head: readonly (readonly Inline[])[];
      readonly rows: readonly (readonly (readonly Inline[])[])[];
    };

/** A section for the search, with the terms that it speaks of. Without an id it is what stands above the first heading. */
export type GuideSection = readonly [id: string, heading: string, terms: string];

export type Guide = { readonly title: string; readonly blocks: readonly Block[] };

/** The text of a line without its format. */
export const plainText = (content: readonly Inline[]): string =>
  content
    .map((one) => {
      if (typeof one === 'string') return one;
      if (one.kind === 'break') return ' ';
      if (one.kind === 'image') return one.description;
      return one.kind === 'code' ? one.text : plainText(one.content);
    })
    .join('');
