// Puts our own loader around each `import()`, in place of the one of Vite: see `src/ui/load-files.ts`.
import type { Plugin } from 'vite';

/** The scripts of the environment that is built. A part of styles alone exports nothing, and Vite deletes its script. */
const scripts = new Set<string>();

export const loadFilesFirst: Plugin = {
  name: 'load-files-first',
  enforce: 'pre',
  config: () => ({
    build: {
      modulePreload: {
        polyfill: false,
        // Vite leaves out a script that needs no other file.
        resolveDependencies: (part, files, { hostType }) =>
          hostType === 'js' && scripts.has(part) ? [...new Set([part, ...files])] : files,
      },
    },
  }),
  load: {
    filter: { id: /^\0vite\/preload-helper\.js$/ },
    handler: () => `export { importPart as __vitePreload } from '/src/ui/load-files.ts';`,
  },
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type === 'chunk' && file.exports.length > 0) scripts.add(file.fileName);
    }
  },
};
