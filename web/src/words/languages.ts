// The languages besides English: each file of `languages/` is one, and is loaded when it is needed.
import type { Translation } from './translation.ts';

const files = import.meta.glob<Translation>('./languages/*.ts', { import: 'words' });

/** How to load each language, by its tag (BCP 47). */
export const others: Readonly<Record<string, (() => Promise<Translation>) | undefined>> = Object.fromEntries(
  Object.entries(files).map(([file, load]) => [file.replace(/^.*\/|\.ts$/g, ''), load]),
);
