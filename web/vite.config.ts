// How the pages are built: two entries, hashed files below one folder, nothing inline, so that they work under a strict policy.
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

// Vite takes its configuration from the default export.
export default defineConfig({
  base: '/',
  plugins: [react()],
  // The service puts a new nonce in its place with each answer.
  html: { cspNonce: '__NONCE__' },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: ['sign-in.html', 'app.html'] },
  },
});
