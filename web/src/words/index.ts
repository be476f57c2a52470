// The words of the pages in the reader's language: English is always there, others are loaded when they are asked for.
import { en, type Words } from './en.ts';

const others: Readonly<Record<string, () => Promise<Words>>> = {
  de: async () => (await import('./de.ts')).de,
};

/** What the pages say; settled by {@link loadWords} before anything is shown. */
export let words: Words = en;

/** In words where there are some, else as the service names it. */
export const sayOr = (table: Readonly<Record<string, string | undefined>>, name: string): string =>
  (Object.hasOwn(table, name) ? table[name] : undefined) ?? name;

/** Chooses the first of the reader's languages that there are words in. */
export async function loadWords(languages: readonly string[] = navigator.languages): Promise<void> {
  for (const language of languages) {
    const [base = ''] = language.toLowerCase().split('-');
    if (base === 'en') break;
    const load = others[base];
    if (!load) continue;
    words = await load().catch(() => en);
    document.documentElement.lang = words === en ? 'en' : base;
    break;
  }
}
