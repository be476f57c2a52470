// Paths: the many spellings under which one call may be addressed, all leading to the same route and budget.
import type { Route } from './contract.ts';

const SUFFIX = 'async';

/** Finds the registered path for a spelling, and which methods it answers. */
export interface Paths {
  /** The path that Fastify knows for this URL; the URL itself when it is none of ours. */
  canonicalUrl(url: string): string;
  /** The methods of a registered path; none for a path that is not ours. */
  methodsOf(path: string): readonly string[];
}

/** Case does not matter, and every call answers with and without `Async`. */
export function createPaths(routes: readonly Pick<Route, 'method' | 'path' | 'aliases'>[]): Paths {
  const bySpelling = new Map<string, string>();
  const methods = new Map<string, string[]>();
  for (const { method, path, aliases = [] } of routes) {
    methods.set(path, [...(methods.get(path) ?? []), method]);
    for (const spelling of [path, ...aliases]) {
      const lower = spelling.toLowerCase();
      bySpelling.set(lower, path);
      bySpelling.set(lower.endsWith(SUFFIX) ? lower.slice(0, -SUFFIX.length) : lower + SUFFIX, path);
    }
  }
  return {
    canonicalUrl(url) {
      const queryAt = url.indexOf('?');
      const path = queryAt < 0 ? url : url.slice(0, queryAt);
      if (methods.has(path)) return url;
      const known = bySpelling.get(simplify(path));
      return known === undefined ? url : known + (queryAt < 0 ? '' : url.slice(queryAt));
    },
    methodsOf: (path) => methods.get(path) ?? [],
  };
}

function simplify(path: string): string {
  const decoded = path.includes('%') ? decode(path) : path;
  let end = decoded.length;
  while (decoded[end - 1] === '/') end -= 1;
  return decoded.slice(0, end).toLowerCase();
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
