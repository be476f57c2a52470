// The texts of the pages in the reader's language. English is built in, other languages are loaded when needed.
import { en, type Words } from './en.ts';

const others: Readonly<Record<string, () => Promise<Words>>> = {
  de: async () => (await import('./de.ts')).de,
};

/** The texts of the pages. {@link loadWords} sets them before the first page is shown. */
export let words: Words = en;

/** Returns the text for a name, or the name itself if the table has none. */
export const translate = (table: Readonly<Record<string, string | undefined>>, name: string): string =>
  (Object.hasOwn(table, name) ? table[name] : undefined) ?? name;

/** Loads the first of the reader's languages that is available. */
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
