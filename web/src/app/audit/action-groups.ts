// All actions of the audit trail by group, to choose from.
import { translate, words } from '../../words/all.ts';
import { groupOf, nameOf } from './entry.ts';

export type Option = { readonly value: string; readonly label: string };

export const byLabel = (one: Option, other: Option) =>
  one.label.localeCompare(other.label, document.documentElement.lang);

/** Returns all actions by group, each group with its `name`, such as signIn. @param chosen among them, also if this page does not know them. */
export function groupsOfActions(chosen: readonly string[] = []) {
  const { events, groups } = words.audit;
  const names = [...new Set([...Object.keys(events), ...chosen])];
  const found = Map.groupBy(names, groupOf);
  const order = [...Object.keys(groups), ...found.keys()];
  return [...new Set(order)].flatMap((name) => {
    const items = (found.get(name) ?? []).map((action) => ({ value: action, label: nameOf(action) }));
    return items.length === 0 ? [] : [{ name, group: translate(groups, name), items: items.toSorted(byLabel) }];
  });
}
