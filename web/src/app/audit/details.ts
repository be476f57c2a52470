// The details of an entry as pairs of a label and a text, and as changes from an old to a new text.
import { useQuery } from '@tanstack/react-query';
import { latchkey } from '../../api/latchkey.ts';
import { formatTime } from '../../ui/format.ts';
import { translate, words } from '../../words/all.ts';
import { type Definition, isRecord } from '../settings/definition.ts';
import { describeValue, findDifferences } from '../settings/describe.ts';
import { localize } from '../settings/localize.ts';
import { detailsOf, type Entry, nameOf } from './entry.ts';

export type Pair = { readonly label: string; readonly text: string };
export type Change = { readonly label: string; readonly from: string; readonly to: string };

/** Who did it is shown apart, and changes as such. */
const shownElsewhere: readonly string[] = ['by', 'byId', 'changes', 'oldValue', 'newValue'];

/** Returns the definition of the setting that the entry changed. */
export function useDefinition(entry: Entry): Definition | undefined {
  const { name } = detailsOf(entry);
  const { data } = useQuery({
    queryKey: ['audit', 'definitions'],
    queryFn: async () => localize(await latchkey.call('Settings/GetConfigurations')),
    enabled: entry.action === 'setting.changed',
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data?.find((one) => one.name === name);
}

/** Returns a value of details in words. */
function describe(value: unknown): string {
  const { entry, values } = words.audit;
  if (value === null || value === undefined || value === '') return entry.none;
  if (typeof value === 'boolean') return value ? entry.yes : entry.no;
  if (typeof value === 'number') return translate(values, String(value));
  if (typeof value === 'string') return translate(values, value);
  if (Array.isArray(value)) return value.map(describe).join(', ') || entry.none;
  return JSON.stringify(value);
}

/** The number of messages or sessions, which is no name of a method. */
const numbers: readonly string[] = ['count', 'tries', 'heldBy', 'repeated'];

export function pairsOf(entry: Entry, definition: Definition | undefined): Pair[] {
  const details = detailsOf(entry);
  const { details: labels, members } = words.audit;
  const isSetting = entry.action === 'setting.changed';
  return Object.entries(details).flatMap(([member, value]): Pair[] => {
    if (shownElsewhere.includes(member) || (isSetting && member === 'appKey' && value === null)) return [];
    if (isSetting && member === 'name') return [{ label: labels.setting, text: definition?.label ?? describe(value) }];
    if (member === 'changed' && Array.isArray(value)) {
      // The rest has its old and new values.
      const rest = value.filter((name) => !isRecord(details.changes) || !(String(name) in details.changes));
      const names = rest.map((name) => translate(members, String(name)));
      return names.length === 0 ? [] : [{ label: labels.changed, text: names.join(', ') }];
    }
    if (member === 'lastAt' && typeof value === 'string') return [{ label: labels.lastAt, text: formatTime(value) }];
    if (member === 'filter' && isRecord(value)) return [{ label: labels.filter, text: describeFilter(value) }];
    const label = translate(labels, member);
    return [{ label, text: numbers.includes(member) ? String(value) : describe(value) }];
  });
}

function describeFilter(filter: Readonly<Record<string, unknown>>): string {
  const { labelled } = words.common;
  const { filters, entry, outcomes } = words.audit;
  const parts = Object.entries(filter).map(([member, value]) => {
    const label = translate(filters, member);
    if (member === 'action' || member === 'exceptAction')
      return labelled(label, [value].flat().map(String).map(nameOf).join(', '));
    if (member === 'outcome') return labelled(label, translate(outcomes, String(value)));
    return labelled(label, describe(value));
  });
  return parts.join(' · ') || entry.none;
}

/** Returns what the entry changed. The old value of a setting that had none is its default. */
export function changesOf(entry: Entry, definition: Definition | undefined): Change[] {
  const details = detailsOf(entry);
  if (entry.action === 'setting.changed') return changesOfSetting(details, definition);
  if (entry.action === 'frontEnd.updated' && details.oldAppKey !== details.appKey) {
    return [{ label: words.audit.details.appKey, from: describe(details.oldAppKey), to: describe(details.appKey) }];
  }
  if (!isRecord(details.changes)) return [];
  return Object.entries(details.changes).flatMap(([member, change]) =>
    isRecord(change)
      ? [{ label: translate(words.audit.members, member), from: describe(change.from), to: describe(change.to) }]
      : [],
  );
}

function changesOfSetting(
  { appKey, oldValue, newValue }: Readonly<Record<string, unknown>>,
  definition: Definition | undefined,
): Change[] {
  const { entry, details } = words.audit;
  const inWords = (value: unknown) =>
    value === null || value === undefined
      ? entry.none
      : definition
        ? describeValue(definition.schema, value)
        : describe(value);
  const whole = { label: definition?.label ?? details.newValue, from: inWords(oldValue), to: inWords(newValue) };
  // A front end without a value of its own has the one of the default front end, which the entry does not tell.
  const standard = appKey === null ? definition?.default : undefined;
  const [from, to] = [oldValue ?? standard, newValue ?? standard];
  if (!definition || from === undefined || to === undefined) return [whole];
  return findDifferences(definition, from, to);
}
