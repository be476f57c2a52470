// The build of the pages: two entries, hashed files in one folder, and nothing inline, as the content security policy demands.
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

// Vite takes its configuration from the default export.
export default defineConfig({
  base: '/',
  plugins: [react()],
  // The service replaces it with a new nonce in each response.
  html: { cspNonce: '__NONCE__' },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: ['sign-in.html', 'app.html'] },
  },
});
