// Settings and means of delivery: a value that needs a means that is off does not apply.
import type { Static, TSchema } from 'typebox';
import type { OfferedMedia } from '../foundation/medium.ts';
import type { MeansNeed, SettingDefinition } from '../foundation/setting.ts';

type Members = Readonly<Record<string, { readonly 'x-means'?: readonly MeansNeed[] }>>;

/** Returns the function that replaces values whose means is off, by what `x-means` says. */
export function createMeansFilter(definitions: readonly SettingDefinition[], offered: OfferedMedia) {
  const unmet = new Map<string, readonly (readonly [member: string, need: MeansNeed])[]>();
  for (const { name, schema } of definitions) {
    const { properties = {} }: { properties?: Members } = schema;
    const needs = Object.entries(properties).flatMap(([member, { 'x-means': all = [] }]) =>
      all.filter(({ means }) => !offered[means]).map((need) => [member, need] as const),
    );
    if (needs.length > 0) unmet.set(name, needs);
  }
  return <Schema extends TSchema>({ name }: SettingDefinition<Schema>, value: Static<Schema>): Static<Schema> => {
    const needs = unmet.get(name);
    if (needs === undefined) return value;
    const stored = new Map(Object.entries(value ?? {}));
    const replaced = needs.filter(([member, { is }]) => stored.get(member) === is);
    const others = replaced.map(([member, { otherwise }]) => [member, otherwise]);
    // The schema allows the other values too.
    return { ...Object.fromEntries(stored), ...Object.fromEntries(others) } as Static<Schema>;
  };
}
