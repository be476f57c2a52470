// Entries: the rows of CSV, the lines of JSON Lines and the items of JSON arrays, each with its place in the file.

export type Values = Readonly<Record<string, unknown>>;

/** Where an entry stands. Numbers begin at 1; the head of CSV is row 1. `file` is given when there are several. */
export type Place = {
  readonly kind: 'row' | 'line' | 'item';
  readonly number: number;
  readonly file?: string;
};

export type Entry = Place & {
  /** The name of the array that the item stands in. Empty for the array that a file consists of, and for rows and lines. */
  readonly container: string;
  /** The entry is what stands around arrays: a realm without its users, for instance. */
  readonly isFrame?: true;
} & ({ readonly values: Values } | { readonly problem: Problem });

/** Why an entry cannot be read. */
export type Problem =
  /** It is no JSON object. */
  | { readonly why: 'notObject' }
  /** It has more than {@link MAX_CHARACTERS}. */
  | { readonly why: 'tooLong' }
  /** It has bytes that are no UTF-8, or characters that a former conversion has lost. */
  | { readonly why: 'damaged' }
  /** A member or column has this name more than once. */
  | { readonly why: 'repeated'; readonly names: readonly string[] }
  /** It has more cells than the head. */
  | { readonly why: 'tooManyCells' }
  /** Its quotation marks are no CSV. */
  | { readonly why: 'quotes' }
  /** The file ends in the middle of it. */
  | { readonly why: 'cutOff' }
  /** The file is no JSON from here on, or one value is too large. Nothing that follows is read. */
  | { readonly why: 'unreadable' }
  /** It is no user of the system that the file is of. */
  | { readonly why: 'noUser'; readonly title: string };

/** The characters of one entry. */
export const MAX_CHARACTERS = 1024 ** 2;

/** The characters after which a reader gives up on an entry that does not end. */
export const MAX_OPEN_CHARACTERS = 16 * 1024 ** 2;

/** Returns the problem as a sentence. It quotes no values. */
export function describeProblem({ kind }: Pick<Place, 'kind'>, problem: Problem): string {
  switch (problem.why) {
    case 'notObject':
      return `The ${kind} is not one JSON object in UTF-8.`;
    case 'tooLong':
      return `The ${kind} is longer than 1 MiB.`;
    case 'damaged':
      return `The ${kind} has characters that are no UTF-8, or that a conversion has lost.`;
    case 'repeated':
      return `The ${kind} gives twice: ${problem.names.map(quote).join(', ')}.`;
    case 'tooManyCells':
      return `The ${kind} has more cells than the head of the file.`;
    case 'quotes':
      return `The ${kind} has a quotation mark that is not closed, or not doubled. What follows may be part of it.`;
    case 'cutOff':
      return kind === 'item' ? 'The array does not end: the file is cut off here.' : 'The file is cut off here.';
    case 'unreadable':
      return `The file is not well-formed from this ${kind} on, and nothing that follows was read.`;
    case 'noUser':
      return `The ${kind} is no user of ${problem.title}.`;
  }
}

/** A name of the file is quoted if it is not plain: terminals act on some characters. */
const quote = (name: string) => (/^\w{1,40}$/.test(name) ? name : JSON.stringify(name.slice(0, 40)));
