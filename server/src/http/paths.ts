// Paths: maps all spellings of a call's path to the same route and rate-limit budget.
import type { Route } from '../contract/route.ts';

const SUFFIX = 'async';

/** Finds the registered path of a spelling, and its methods. */
export interface Paths {
  /** Returns the URL with the registered path. Returns the URL unchanged if no route has the path. */
  canonicalUrl(url: string): string;
  /** Returns the methods of a registered path. Returns none for any other path. */
  methodsOf(path: string): readonly string[];
  /** Registers a path, unless it is registered with this method. */
  add(route: Pick<Route, 'path' | 'aliases'> & { method: string }): void;
  /** Likewise, but the path has this one spelling. */
  addExact(route: { method: string; path: string }): void;
}

/** Paths match in any case, with and without `Async`. */
export function createPaths(routes: readonly Pick<Route, 'method' | 'path' | 'aliases'>[]): Paths {
  const bySpelling = new Map<string, string>();
  const methods = new Map<string, string[]>();

  const addExact: Paths['addExact'] = ({ method, path }) => {
    methods.set(path, [...new Set([...(methods.get(path) ?? []), method])]);
  };
  const add: Paths['add'] = ({ method, path, aliases = [] }) => {
    if (methods.get(path)?.includes(method)) return;
    addExact({ method, path });
    for (const spelling of [path, ...aliases]) {
      const lower = spelling.toLowerCase();
      bySpelling.set(lower, path);
      bySpelling.set(lower.endsWith(SUFFIX) ? lower.slice(0, -SUFFIX.length) : lower + SUFFIX, path);
    }
  };
  routes.forEach(add);
  return {
    add,
    addExact,
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
