// How the pages are built: hashed files below one folder, nothing inline, so that they work under a strict policy.
import { defineConfig } from 'vite';

// Vite takes its configuration from the default export.
export default defineConfig({
  base: '/',
  build: { outDir: 'dist', emptyOutDir: true, assetsInlineLimit: 0, modulePreload: { polyfill: false } },
});
