// Setting definitions: typed data. Validation, API, settings page, reference and JSON Schema are derived from them.
import { type Static, type TSchema, Type } from 'typebox';
import type { ValidationError } from './errors.ts';
import type { Medium } from './medium.ts';

/**
 * Why an allowed value weakens the service: the `x-warning` in the schema of a value or member. The settings page
 * shows it while the value `is` this one, or is `below` or `above` this number.
 */
export type Warning = {
  readonly text: string;
  /** The rules that the value breaks (OWASP ASVS 5.0, NIST SP 800-63B-4). Without one, the value is no weakness. */
  readonly source?: string;
} & ({ readonly is: boolean | string } | { readonly below: number } | { readonly above: number });

/**
 * A condition for another value: this member (of `setting`, or without it of the same compound), or the whole value of
 * `setting`, must be `is`; or the service must send messages by these `means`.
 */
export type Need =
  | { readonly setting?: string; readonly member?: string; readonly is: boolean | string | number }
  | { readonly means: Medium };

/**
 * A value of a switch or choice that needs a means of delivery: one entry of the `x-means` in its schema. While the
 * operator has turned that means off, `otherwise` applies instead, and the settings page says so.
 */
export type MeansNeed = { readonly is: boolean | number; readonly means: Medium; readonly otherwise: boolean | number };

/** Returns the schema of a duration in whole seconds. */
export const Seconds = <Options extends { title?: string; description?: string; minimum: number; maximum: number }>(
  options: Options,
) => Type.Integer({ ...options, 'x-unit': 's', 'x-duration': true });

/** One setting. Durations are in seconds, unless `x-unit` in the schema says otherwise. */
export type SettingDefinition<Schema extends TSchema = TSchema> = {
  readonly name: string;
  /** `general` applies once; `frontEnd` has a value for each registered front end (specification 2.1). */
  readonly scope: 'general' | 'frontEnd';
  readonly category: string;
  readonly label: string;
  readonly description: string;
  /** `value`: one row on the page; `compound`: one form of several fields; `list`: a list of entries. */
  readonly kind: 'value' | 'compound' | 'list';
  /**
   * JSON Schema of the value. The page shows titles, descriptions, ranges, `x-unit` and `x-warning` ({@link Warning}).
   * For an `enum` it shows the `x-labels`, in the same order. A text with `x-lines` may have several lines. The page
   * creates the `id` of a new list entry, a UUID. A number with `x-duration` ({@link Seconds}) has a field with a unit.
   *
   * `x-needs` lists conditions ({@link Need}). While none of them holds, the value has no effect, and the page dims it.
   * `x-means` lists values that need a means of delivery ({@link MeansNeed}).
   * `x-placeholders` says what a message may hold, and what replaces it.
   *
   * `x-weaker` says which value weakens a rule: the `lower` or the `higher` of two numbers, or `true` or `false` for a
   * switch. Callers choose the front end that they name. So the page warns if a front end's value is weaker than that of
   * `default-app`. While `default-app` has the value `x-prevails`, that value applies to all front ends. With
   * `x-strictest`, accounts with permissions get the stricter value of the front end and of `default-app`.
   */
  readonly schema: Schema;
  readonly default: Static<Schema>;
  /** Translates the members of a change from clients that send them in another form. */
  readonly adapt?: (members: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
  /** Finds the problems of a value that fits the schema: in rules between members, or inside a text. */
  findProblems?(value: Static<Schema>): ValidationError[];
  /** Whether callers may read the value without signing in. */
  readonly public: boolean;
  /**
   * Whether a change takes every permission of this service: by the value, an administrator who holds less could reach an
   * account that holds more, or the audit trail could lose what it tells.
   */
  readonly isGuarded?: boolean;
  /** Place on the settings page, ascending. */
  readonly order: number;
};

/** Declares a setting. The type of its value follows from its schema. */
export function defineSetting<Schema extends TSchema>(
  definition: SettingDefinition<Schema>,
): SettingDefinition<Schema> {
  return definition;
}

/** Reads the value that applies now: the stored one (for the front end, if the scope is `frontEnd`), else the default. */
export interface SettingReader {
  read<Schema extends TSchema>(definition: SettingDefinition<Schema>, frontEnd?: string): Static<Schema>;
}
