// A translation of the texts: English stands for what it lacks.
import type { Words } from './en.ts';

type Part<Texts> = Texts extends (...values: never[]) => unknown
  ? Texts
  : { readonly [Name in keyof Texts]?: Part<Texts[Name]> };

/** The texts of one language, without those that are not translated yet. */
export type Translation = Part<Words>;

export type Table = Readonly<Record<string, unknown>>;

const isTable = (value: unknown): value is Table => typeof value === 'object' && value !== null;

/** Returns the translation, with the English text where it has none. */
export function translateInto<English extends Table>(english: English, translation: Table): English {
  const texts = Object.entries(translation).map(([name, text]) => {
    const inEnglish = english[name];
    return [name, isTable(inEnglish) && isTable(text) ? translateInto(inEnglish, text) : text];
  });
  return Object.assign({}, english, Object.fromEntries(texts));
}
