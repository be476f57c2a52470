// Setting definitions as the service tells them: what this page knows of a setting, and how its values are compared.
import { hashKey } from '@tanstack/react-query';
import type { Calls } from 'latchkey-sdk';

/** Why a value that is allowed makes the service weaker. */
type Warning = { readonly text: string } & ({ readonly is: boolean | string } | { readonly below: number });

/** The parts of JSON Schema, and of what the service adds to it, that are shown. */
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
  readonly 'x-labels'?: readonly string[];
  readonly 'x-lines'?: boolean;
  readonly 'x-warning'?: Warning;
  /** Which of two numbers, or which position of a switch, weakens a rule. */
  readonly 'x-weaker'?: 'lower' | 'higher' | boolean;
};

type Configuration = Calls['Settings/GetConfigurations']['result'][number];

export type Definition = Omit<Configuration, 'schema'> & { readonly schema: Schema };

export type Change = Calls['Settings/GetHistory']['result']['items'][number];

/** What is being typed, and the value in force that it was begun from. */
export type Draft = { readonly base: unknown; readonly value: unknown };

export type Category = { readonly name: string; readonly definitions: readonly Definition[] };

/** The settings of one scope by category, both in the order of the definitions. */
export function groupByCategory(all: readonly Configuration[], scope: Definition['scope']): Category[] {
  const inScope = all.filter((one) => one.scope === scope).toSorted((a, b) => a.order - b.order) as Definition[];
  const groups = Map.groupBy(inScope, ({ category }) => category);
  return [...groups].map(([name, definitions]) => ({ name, definitions }));
}

/** Whether two values are the same, in whatever order their members stand. */
export const isSame = (one: unknown, other: unknown) => hashKey([one]) === hashKey([other]);

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What a draft changes: of a compound the members that differ, else the whole value. */
export function changesOf({ kind }: Definition, { base, value }: Draft): unknown {
  if (kind !== 'compound' || !isRecord(base) || !isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([member]) => !isSame(value[member], base[member])));
}

/** The draft's changes on top of what somebody else has saved meanwhile. */
export function rebase(definition: Definition, draft: Draft, theirs: unknown): Draft {
  const changes = changesOf(definition, draft);
  const isMerged = definition.kind === 'compound' && isRecord(theirs) && isRecord(changes);
  return { base: theirs, value: isMerged ? { ...theirs, ...changes } : changes };
}

/** The front end that is always there. */
export const DEFAULT_FRONT_END = 'default-app';

/** Whether this value of a front end weakens the rule that the default front end's value sets. */
export function isWeaker({ 'x-weaker': weaker }: Schema, value: unknown, standard: unknown): boolean {
  if (typeof weaker === 'boolean') return value === weaker && standard === !weaker;
  if (typeof value !== 'number' || typeof standard !== 'number') return false;
  return weaker === 'lower' ? value < standard : weaker === 'higher' && value > standard;
}

/** The warning that this value deserves. */
export function findWarning({ 'x-warning': warning }: Schema, value: unknown): string | undefined {
  if (!warning) return undefined;
  const isDue = 'is' in warning ? value === warning.is : typeof value === 'number' && value < warning.below;
  return isDue ? warning.text : undefined;
}
