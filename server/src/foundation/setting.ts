// Setting definitions: typed data from which come validation, API, settings page, reference and JSON Schema.
import type { Static, TSchema } from 'typebox';
import type { ValidationError } from './errors.ts';

/**
 * Why a value that is allowed makes the service weaker. Stands as `x-warning` in the schema of a value or member, and
 * is shown on the settings page while the value `is` this one, or is `below` this number.
 */
export type Warning = { readonly text: string } & ({ readonly is: boolean | string } | { readonly below: number });

/** One setting. Durations are in seconds, and their names say so. */
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
   * JSON Schema of the value. The page shows titles, descriptions, ranges, `x-unit` and `x-warning` ({@link Warning}),
   * and for an `enum` its `x-labels`, in the same order. A text with `x-lines` may have several lines. The page makes
   * the `id` of a list's new entry, a UUID.
   *
   * `x-weaker` says which value weakens a rule: the `lower` or the `higher` of two numbers, or `true` or `false` for a
   * switch. Callers name their front end themselves, so the page warns of a front end whose value is weaker than
   * `default-app`'s.
   */
  readonly schema: Schema;
  readonly default: Static<Schema>;
  /** What a value that fits the schema may still be wrong in: bounds that hold between members, or in a text. */
  findProblems?(value: Static<Schema>): ValidationError[];
  /** May anybody read it without signing in? */
  readonly public: boolean;
  /** Place on the settings page, ascending. */
  readonly order: number;
};

/** Declares a setting; the value's type follows from its schema. */
export function defineSetting<Schema extends TSchema>(
  definition: SettingDefinition<Schema>,
): SettingDefinition<Schema> {
  return definition;
}

/** Reads the value that applies now: the front end's own, else the default. */
export interface SettingReader {
  read<Schema extends TSchema>(definition: SettingDefinition<Schema>, frontEnd?: string): Static<Schema>;
}
