// How what is typed into a search finds texts on a page: each of its words, in any order.

/** Case and accents do not matter. */
const fold = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Returns the function that tells whether a text has every word of the query. An empty query matches every text. */
export function matcherOf(query: string): (text: string) => boolean {
  const wanted = fold(query).split(/\s+/).filter(Boolean);
  return (text) => {
    const folded = fold(text);
    return wanted.every((word) => folded.includes(word));
  };
}
