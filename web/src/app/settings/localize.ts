// The definitions of settings in the reader's language.
import { loadPart } from '../../ui/part.ts';
import { words } from '../../words/all.ts';
import type { Configuration, Definition, Schema } from './definition.ts';

type Texts = Readonly<Record<string, string>>;

/** Returns the definitions with translated texts. Texts without a translation, such as those of extensions, stay. */
export async function localize(all: readonly Configuration[]): Promise<Definition[]> {
  const texts = await loadPart(words.definitions);
  return all.map((one) => ({
    ...one,
    label: translate(texts, one.label),
    description: translate(texts, one.description),
    categoryLabel: translate(texts, one.categoryName),
    // The API does not type schemas. The service builds them from the members of `Schema`.
    schema: localizeSchema(texts, one.schema as Schema),
  }));
}

const translate = (texts: Texts, text: string): string =>
  (Object.hasOwn(texts, text) ? texts[text] : undefined) ?? text;

function localizeSchema(texts: Texts, schema: Schema): Schema {
  const { title, description, items, properties } = schema;
  const { 'x-unit': unit, 'x-labels': labels, 'x-warning': warning, 'x-placeholders': placeholders } = schema;
  const inWords = (text: string) => translate(texts, text);
  return {
    ...schema,
    ...(title !== undefined && { title: inWords(title) }),
    ...(description !== undefined && { description: inWords(description) }),
    ...(unit !== undefined && { 'x-unit': inWords(unit) }),
    ...(labels && { 'x-labels': labels.map(inWords) }),
    ...(warning && { 'x-warning': { ...warning, text: inWords(warning.text) } }),
    ...(placeholders && { 'x-placeholders': mapValues(placeholders, inWords) }),
    ...(items && { items: localizeSchema(texts, items) }),
    ...(properties && { properties: mapValues(properties, (inner) => localizeSchema(texts, inner)) }),
  };
}

const mapValues = <From, To>(all: Readonly<Record<string, From>>, map: (one: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(all).map(([key, one]) => [key, map(one)]));
