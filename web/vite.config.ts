// The build of the pages: two entries, hashed files in one folder, and nothing inline, as the content security policy demands.
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { packagesIn } from '../scripts/bundle/packages.ts';
import { preloadFirstPart } from './build/first-paint.ts';
import { guides } from './build/guides.ts';
import { loadFilesFirst } from './build/load-files-first.ts';
import { usePreactIn } from './build/preact.ts';
import { writeTokens } from './build/tokens.ts';

/** Lists the npm packages in the pages, for their licences: a file for each environment. */
const listPackages: Plugin = {
  name: 'list-packages',
  generateBundle(_options, bundle) {
    const source = JSON.stringify(packagesIn(Object.values(bundle)));
    this.emitFile({ type: 'asset', fileName: `.packages/${this.environment.name}.json`, source });
  },
};

/** Small modules that most sign-in pages share. */
const SHARED = new RegExp(
  [
    'src/sign-in/(back-links|finish-sign-in|last-method|method-button|name-field|offers|provider-buttons|registration)',
    'src/sign-in/(remaining|stay-signed-in|trusted-device)',
    'src/ui/provider-icon',
    'sdk/src/challenge',
  ]
    .map((path) => `${path}\\.tsx?$`)
    .join('|'),
);

/** Returns the options of the page `name`. What it loads at first is one file: many small ones are larger, and take longer. */
const page = (name: string) => ({
  input: `${name}.html`,
  output: {
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [
        { name, tags: ['$initial' as const] },
        { name: 'shared', test: SHARED },
        { name: 'controls', test: /node_modules|\/src\/(?:ui|words)\//, minShareCount: 3, entriesAware: true, entriesAwareMergeThreshold: 20_000 },
      ],
    },
  },
});

/** Vite builds the environment `client` first, and empties the folder. */
const client = { build: { rolldownOptions: page('app') } };

/** The sign-in pages have files of their own: Preact and React cannot share a module. */
const signIn = {
  consumer: 'client' as const,
  build: { emptyOutDir: false, rolldownOptions: page('sign-in') },
};

// Vite takes its configuration from the default export. In development, one environment has all pages, with React.
export default defineConfig(({ command }) => ({
  base: '/',
  plugins: [guides, usePreactIn('signIn'), react(), loadFilesFirst, writeTokens, preloadFirstPart, listPackages],
  // A style sheet finds its fonts beside itself, also where the service is below a path.
  experimental: {
    renderBuiltUrl: (_file: string, { hostType }: { hostType: string }) =>
      hostType === 'css' ? { relative: true } : undefined,
  },
  // The service replaces it with a new nonce in each response.
  html: { cspNonce: '__NONCE__' },
  build: {
    outDir: 'dist',
    assetsInlineLimit: 0,
    // e2e/bundle.test.ts measures what a page loads.
    chunkSizeWarningLimit: 1000,
  },
  ...(command === 'build' && { builder: {}, environments: { client, signIn } }),
}));
