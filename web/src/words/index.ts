// The texts of the pages in the reader's language. English is built in, other languages are loaded when needed.
import { en, type Words } from './en.ts';

const others: Readonly<Record<string, () => Promise<Words>>> = {
  de: async () => (await import('./de.ts')).de,
};

/** The languages that a reader can choose, each by its own name. */
export const languages = ['en', ...Object.keys(others)].map((tag) => ({
  tag,
  name: new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? tag,
}));

/** Where this browser keeps the reader's choice. Without one, the browser's own languages count. */
const CHOICE = 'latchkey::language';

/** Keeps the reader's choice, and shows the page again in that language. */
export function chooseLanguage(tag: string): void {
  localStorage.setItem(CHOICE, tag);
  location.reload();
}

function readLanguages(): readonly string[] {
  const chosen = readChoice();
  return chosen ? [chosen, ...navigator.languages] : navigator.languages;
}

/** Returns the reader's choice. A browser that stores nothing refuses every access. */
function readChoice(): string | null {
  try {
    return globalThis.localStorage?.getItem(CHOICE);
  } catch {
    return null;
  }
}

/** The texts of the pages. {@link loadWords} sets them before the first page is shown. */
export let words: Words = en;

/** Returns the text for a name, or the name itself if the table has none. */
export const translate = (table: Readonly<Record<string, string | undefined>>, name: string): string =>
  (Object.hasOwn(table, name) ? table[name] : undefined) ?? name;

/** Loads the first of the reader's languages that is available. */
export async function loadWords(wanted: readonly string[] = readLanguages()): Promise<void> {
  for (const language of wanted) {
    const [base = ''] = language.toLowerCase().split('-');
    if (base === 'en') break;
    const load = others[base];
    if (!load) continue;
    words = await load().catch(() => en);
    document.documentElement.lang = words === en ? 'en' : base;
    break;
  }
}
