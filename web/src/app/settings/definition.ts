// Setting definitions of the service, and how their values are compared.
import { hashKey } from '@tanstack/react-query';
import type { Calls } from 'latchkey-sdk';
import type { Means } from '../../api/means.ts';
import { Refusal } from '../../ui/problem.ts';
import { words } from '../../words/more.ts';

/** The warning for an allowed value that makes the service less secure. */
type Warning = { readonly text: string; readonly source?: string } & (
  | { readonly is: boolean | string }
  | { readonly below: number }
  | { readonly above: number }
);

/** The value that a member must have: of `setting`, or without it of the same compound; or the whole `setting`; or a means. */
export type Need =
  | { readonly setting?: string; readonly member?: string; readonly is: unknown }
  | { readonly means: keyof Means };

/** A value that needs a means of delivery. While that means is off, `otherwise` applies. */
export type MeansNeed = { readonly is: unknown; readonly means: keyof Means; readonly otherwise: unknown };

/** The members of JSON Schema that this page uses, with the service's extensions (`x-…`). */
export type Schema = {
  readonly type?: string;
  readonly title?: string;
  readonly description?: string;
  readonly enum?: readonly (string | number)[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly 'x-unit'?: string;
  /** A page of its own edits the setting. */
  readonly 'x-page'?: string;
  readonly 'x-labels'?: readonly string[];
  readonly 'x-lines'?: boolean;
  /** Whether the number is a duration in seconds. */
  readonly 'x-duration'?: boolean;
  /** Conditions. While none of them holds, the value has no effect. */
  readonly 'x-needs'?: readonly Need[];
  readonly 'x-means'?: readonly MeansNeed[];
  /** While the default front end has this value, it applies to all front ends. */
  readonly 'x-prevails'?: unknown;
  /** Whether accounts with permissions get the stricter value of the front end and the default front end. */
  readonly 'x-strictest'?: boolean;
  /** What a message may hold, and what replaces it. */
  readonly 'x-placeholders'?: Readonly<Record<string, string>>;
  readonly 'x-warning'?: Warning;
  /** The direction, or the position of a switch, that weakens a rule. */
  readonly 'x-weaker'?: 'lower' | 'higher' | boolean;
};

export type Configuration = Calls['Settings/GetConfigurations']['result'][number];

/** A setting, with its texts in the reader's language. `categoryName` stays the service's own. */
export type Definition = Omit<Configuration, 'schema'> & { readonly schema: Schema; readonly categoryLabel: string };

export type Change = Calls['Settings/GetHistory']['result']['items'][number];

/** The typed value, and the saved value that it started from. */
export type Draft = {
  readonly base: unknown;
  readonly value: unknown;
  /** Whether saving it resets the setting to its default. */
  readonly isReset?: boolean;
};

/** `name` is the service's own, `label` in the reader's language. */
export type Category = { readonly name: string; readonly label: string; readonly definitions: readonly Definition[] };

/** Whether the settings page shows the setting. Another page edits the others. */
export const isShown = ({ schema }: Definition) => schema['x-page'] === undefined;

/** Groups the settings of one scope by category, in the order of the definitions. */
export function groupByCategory(all: readonly Definition[], scope: Definition['scope']): Category[] {
  const inScope = all.filter((one) => one.scope === scope).toSorted((a, b) => a.order - b.order);
  const groups = Map.groupBy(inScope, ({ categoryName }) => categoryName);
  return [...groups].map(([name, definitions]) => ({
    name,
    label: definitions[0]?.categoryLabel ?? name,
    definitions,
  }));
}

/** Whether two values are equal. The order of members does not matter. */
export const isSame = (one: unknown, other: unknown) => hashKey([one]) === hashKey([other]);

/**
 * Returns the members that differ. What is left out may have been changed by another administrator meanwhile.
 * @param present what the service has now: a list that differs takes over what was added to it and removed from it meanwhile.
 * @throws Refusal if both together empty a list: it might then restrict nothing.
 */
export function findChanges<Values extends object>(before: Values, after: Values, present = before): Partial<Values> {
  const [former, now] = [before, present].map((values) => new Map<string, unknown>(Object.entries(values)));
  const changed = Object.entries(after)
    .filter(([name, value]) => !isSame(value, former?.get(name)))
    .map(([name, value]) => [name, mergeList(former?.get(name), value, now?.get(name))]);
  // Each member is one of `after`.
  return Object.fromEntries(changed) as Partial<Values>;
}

function mergeList(before: unknown, after: unknown, present: unknown): unknown {
  if (!Array.isArray(before) || !Array.isArray(after) || !Array.isArray(present)) return after;
  const kept = after.filter((one) => present.includes(one) || !before.includes(one));
  const added = present.filter((one) => !before.includes(one) && !after.includes(one));
  if (after.length > 0 && kept.length + added.length === 0) throw new Refusal(words.common.changedSince);
  return [...kept, ...added];
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns what a draft changes: the changed members of a compound, or the whole value. */
export function changesOf({ kind }: Definition, { base, value }: Draft): unknown {
  if (kind !== 'compound' || !isRecord(base) || !isRecord(value)) return value;
  return findChanges(base, value);
}

/** Applies the draft's changes to the value that another administrator has saved meanwhile. */
export function rebase(definition: Definition, draft: Draft, theirs: unknown): Draft {
  const changes = changesOf(definition, draft);
  const isMerged = definition.kind === 'compound' && isRecord(theirs) && isRecord(changes);
  return { base: theirs, value: isMerged ? { ...theirs, ...changes } : changes };
}

/** The key of the default front end, which always exists. */
export const DEFAULT_FRONT_END = 'default-app';

/** Whether this value of a front end is weaker than the default front end's value. */
export function isWeaker({ 'x-weaker': weaker }: Schema, value: unknown, standard: unknown): boolean {
  if (typeof weaker === 'boolean') return value === weaker && standard === !weaker;
  if (typeof value !== 'number' || typeof standard !== 'number') return false;
  return weaker === 'lower' ? value < standard : weaker === 'higher' && value > standard;
}

/** Returns the warning for this value, if any, with the rules of standards that the value breaks. */
export function findWarning({ 'x-warning': warning }: Schema, value: unknown): string | undefined {
  if (!warning) return undefined;
  if (!isDue(warning, value)) return undefined;
  return warning.source === undefined ? warning.text : `${warning.text} (${warning.source})`;
}

function isDue(warning: Warning, value: unknown): boolean {
  if ('is' in warning) return value === warning.is;
  if (typeof value !== 'number') return false;
  return 'below' in warning ? value < warning.below : value > warning.above;
}
