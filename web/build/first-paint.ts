// Lets the browser load the first part of the sign-in page beside its script, which would ask for it only when it runs.
import type { Plugin } from 'vite';

const FIRST = '/src/sign-in/login-page.tsx';

export const preloadFirstPart: Plugin = {
  name: 'preload-first-part',
  transformIndexHtml: {
    order: 'post',
    handler(_html, { bundle = {}, path }) {
      if (path !== '/sign-in.html') return [];
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const part = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(FIRST));
      const entry = chunks.find(({ isEntry }) => isEntry);
      const files = part ? [part.fileName, ...part.imports.filter((name) => name !== entry?.fileName)] : [];
      return files.map((file) => ({
        tag: 'link',
        attrs: { rel: 'modulepreload', href: `/${file}` },
        injectTo: 'head',
      }));
    },
  },
};
