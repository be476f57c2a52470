// The build of the pages: two entries, hashed files in one folder, and nothing inline, as the content security policy demands.
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { packagesIn } from '../scripts/bundle/packages.ts';
import { guides } from './build/guides.ts';

/** Lists the npm packages in the pages, for their licences. */
const listPackages: Plugin = {
  name: 'list-packages',
  generateBundle(_options, bundle) {
    const source = JSON.stringify(packagesIn(Object.values(bundle)));
    this.emitFile({ type: 'asset', fileName: '.packages.json', source });
  },
};

// Vite takes its configuration from the default export.
export default defineConfig({
  base: '/',
  plugins: [guides, react(), listPackages],
  // The service replaces it with a new nonce in each response.
  html: { cspNonce: '__NONCE__' },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: ['sign-in.html', 'app.html'],
      // Without these groups, a module that every page needs shares a file with the code of menus, which few need.
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            { name: 'floating-ui', test: /@floating-ui/ },
            { name: 'direction', test: /DirectionProvider/ },
          ],
        },
      },
    },
  },
});
