// The texts of the pages in the reader's language. English is built in, as much as the first view needs: `more.ts` and
// `all.ts` have the rest. Other languages are loaded when needed.
import type { FirstWords } from './en-first.ts';
import { pages } from './en-pages.ts';
import { others } from './languages.ts';
import { type Table, translateInto } from './translation.ts';

/** The languages that a reader can choose, by tag (BCP 47). */
export const languages: readonly string[] = ['en', ...Object.keys(others)];

/** Returns the name of a language as a label. It takes milliseconds. @param reader the language of the name. Default: its own. */
export function nameLanguage(tag: string, reader = tag): string {
  const name = new Intl.DisplayNames(reader, { type: 'language' }).of(tag) ?? tag;
  return name.charAt(0).toLocaleUpperCase(reader) + name.slice(1);
}

/** Where this browser keeps the reader's choice. */
const CHOICE = 'latchkey::language';

/**
 * Keeps the reader's choice, and shows the page again in that language.
 * @param fragment what the address had behind `#` when the page was opened.
 */
export function chooseLanguage(tag: string, fragment = ''): void {
  try {
    localStorage.setItem(CHOICE, tag);
  } catch {
    // Without storage, the language stays that of the browser.
    return;
  }
  if (fragment !== '') history.replaceState(history.state, '', `#${fragment}`);
  location.reload();
}

/**
 * Returns the languages of the reader, the preferred one first: the reader's choice, then those that an application asks for, then
 * the browser's.
 */
export const readLanguages = (asked: readonly string[]): readonly string[] => [
  ...readChoice(),
  ...asked,
  ...navigator.languages,
];

/** Returns the reader's choice. A browser that stores nothing refuses every access. */
function readChoice(): string[] {
  try {
    const chosen = localStorage.getItem(CHOICE);
    return chosen ? [chosen] : [];
  } catch {
    return [];
  }
}

// The sign-in pages use no other members: a test follows their imports.
const ofSignIn = pages as FirstWords;

/** The texts of the first view. {@link loadWords} sets them before the first page is shown. */
export let words: FirstWords = ofSignIn;

let translation: Table = {};

/** Returns the texts of the first view and `more` of them, in the reader's language. */
export const addWords = <More extends Table>(more: More) => translateInto({ ...words, ...more }, translation);

/** Returns the text for a name, or the name itself if the table has none. */
export const translate = (table: Readonly<Record<string, string | undefined>>, name: string): string =>
  (Object.hasOwn(table, name) ? table[name] : undefined) ?? name;

/**
 * Loads the first of these languages that is available.
 * @param english the texts for readers of English. Default: those of the sign-in pages.
 */
export async function loadWords(wanted: readonly string[], english = ofSignIn): Promise<void> {
  words = english;
  translation = {};
  for (const language of wanted) {
    const tag = findLanguage(language);
    if (tag === 'en') break;
    const load = tag === undefined ? undefined : others[tag];
    if (tag === undefined || !load) continue;
    const loaded = await load().catch(() => undefined);
    if (loaded === undefined) break;
    translation = loaded;
    words = translateInto(english, translation);
    document.documentElement.lang = tag;
    break;
  }
}

/** Returns the language for a reader of `wanted`, such as `de` for de-AT. */
function findLanguage(wanted: string): string | undefined {
  const isTag = (name: string | undefined) => (tag: string) => tag.toLowerCase() === name?.toLowerCase();
  return languages.find(isTag(wanted)) ?? languages.find(isTag(wanted.split('-')[0]));
}
