// Finds settings by label, description, name, category, the fields of forms, and other words for them.
import { matcherOf } from '../../ui/match.ts';
import type { Definition, Schema } from './definition.ts';
import { synonymsOf } from './synonyms.ts';

/** `member` is the field of a form that has the words, if the setting itself has them not. */
type Found = { readonly definition: Definition; readonly member: string | undefined };

/** Returns the settings that have every word of the query, those with it in their label first. */
export function findSettings(definitions: readonly Definition[], query: string): Found[] {
  const matches = matcherOf(query);
  return definitions
    .flatMap((definition) => {
      const { label, description, name, categoryName, categoryLabel, schema } = definition;
      const members = Object.entries(schema.properties ?? {}).map(([member, inner]) => describeMember(member, inner));
      const own = [label, description, name, categoryName, categoryLabel].join(' ');
      if (!matches([own, ...members.map(({ text }) => text), synonymsOf(name)].join(' '))) return [];
      const rank = matches(label) ? 0 : matches(own) ? 1 : 2;
      const member = rank === 2 ? members.find(({ text }) => matches(text))?.title : undefined;
      return [{ definition, member, rank }];
    })
    .toSorted((a, b) => a.rank - b.rank || a.definition.order - b.definition.order);
}

const describeMember = (member: string, { title = member, description = '' }: Schema) => ({
  title,
  text: [member, title, description].join(' '),
});
