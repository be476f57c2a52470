// Puts the tokens into the head of each page: they are there before the script.
import type { Plugin } from 'vite';
import { tokenStyles } from '../src/ui/tokens.ts';

export const writeTokens: Plugin = {
  name: 'tokens',
  transformIndexHtml: () => [{ tag: 'style', children: tokenStyles(), injectTo: 'head' }],
};
