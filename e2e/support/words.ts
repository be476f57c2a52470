// The texts of the pages, for tests that import modules of the pages: Vite finds the languages in the build, this file for Node.
import { readdirSync } from 'node:fs';
import { registerHooks } from 'node:module';

const words = new URL('../../web/src/words/', import.meta.url);

/** The tags of the languages besides English. */
export const tags = readdirSync(new URL('languages/', words)).map((file) => file.replace(/\.ts$/, ''));

const entries = tags.map((tag) => {
  const file = JSON.stringify(new URL(`languages/${tag}.ts`, words).href);
  return `${JSON.stringify(tag)}: async () => (await import(${file})).words`;
});

registerHooks({
  load: (url, context, next) =>
    url === new URL('languages.ts', words).href
      ? { format: 'module', source: `export const others = { ${entries.join(', ')} };`, shortCircuit: true }
      : next(url, context),
});

/** Imports a module of the pages or their client by its path from the root: it is typed for browsers, tests are not. */
export const load = (path: string) => import(new URL(`../../${path}`, import.meta.url).href);
