// The values of all settings: the overrides that the service stores, else the defaults.
import type { Calls } from 'latchkey-sdk';
import type { Means } from '../../api/means.ts';
import { words } from '../../words/all.ts';
import { type Definition, isRecord, isSame, type Need, type Schema } from './definition.ts';
import { describeValue } from './describe.ts';

export type Override = Calls['Settings/GetOverrides']['result']['items'][number];

/** Identifies the value of a setting: in general, or of the front end with this key. */
export const keyOf = (name: string, appKey: string | undefined) => `${name}\n${appKey ?? ''}`;

/** The key of the front end whose value is meant: none for a general setting. */
export const placeOf = ({ scope }: Definition, frontEnd: string | undefined) =>
  scope === 'frontEnd' ? frontEnd : undefined;

export type Values = {
  readonly find: (name: string, appKey: string | undefined) => Override | undefined;
  /** Returns the saved value, or the default. */
  readonly read: (definition: Definition, appKey: string | undefined) => unknown;
  /** Whether a saved value differs from the default. */
  readonly isChanged: (definition: Definition, appKey: string | undefined) => boolean;
};

export function createValues(overrides: readonly Override[]): Values {
  const byKey = new Map(overrides.map((one) => [keyOf(one.name, one.appKey ?? undefined), one]));
  const find = (name: string, appKey: string | undefined) => byKey.get(keyOf(name, appKey));
  const read = (definition: Definition, appKey: string | undefined) => {
    const override = find(definition.name, appKey);
    return override ? override.value : definition.default;
  };
  return {
    find,
    read,
    isChanged: (definition, appKey) => !isSame(read(definition, appKey), definition.default),
  };
}

/** Returns the entry of `x-means` for a value whose means of delivery is off. */
export const findMissingMeans = ({ 'x-means': all }: Schema, value: unknown, means: Means) =>
  all?.find((one) => one.is === value && !means[one.means]);

/** Returns the value that applies: another one than is typed or saved if that needs a means of delivery that is off. */
export function applyMeans({ schema }: Definition, value: unknown, means: Means): unknown {
  if (!isRecord(value)) return value;
  const members = Object.entries(value).map(([member, own]) => {
    const missing = findMissingMeans(schema.properties?.[member] ?? {}, own, means);
    return [member, missing ? missing.otherwise : own];
  });
  return Object.fromEntries(members);
}

/** Reads the value of a setting by its name, typed or saved, as it applies. */
export type ReadByName = (name: string) => { readonly definition: Definition; readonly value: unknown } | undefined;

/** Returns the conditions in words, or `undefined` if there are none or one of them holds. */
export function findUnmet(
  needs: readonly Need[] | undefined,
  own: { readonly definition: Definition; readonly value: unknown },
  readByName: ReadByName,
  means: Means,
): string[] | undefined {
  const conditions: string[] = [];
  for (const need of needs ?? []) {
    if ('means' in need) {
      if (means[need.means]) return undefined;
      conditions.push(words.settings.sends[need.means]);
      continue;
    }
    const { setting, member, is } = need;
    const found = setting === undefined ? own : readByName(setting);
    if (!found) continue;
    const { definition, value } = found;
    const present = member !== undefined && isRecord(value) ? value[member] : value;
    if (isSame(present, is)) return undefined;
    const schema = member === undefined ? definition.schema : (definition.schema.properties?.[member] ?? {});
    const label = member === undefined ? definition.label : (schema.title ?? member);
    conditions.push(words.settings.condition(label, describeValue(schema, is)));
  }
  return conditions.length === 0 ? undefined : conditions;
}
