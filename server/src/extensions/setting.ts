// Settings as extensions define them: in plain JSON Schema, from which bounds and types follow.

type Shown = {
  readonly title?: string;
  readonly description?: string;
  /** Unit of a number, such as `s`. */
  readonly 'x-unit'?: string;
};

/** JSON Schema of one value; other keywords are refused. */
export type SettingValueSchema = Shown &
  (
    | { readonly type: 'boolean' }
    | { readonly type: 'integer' | 'number'; readonly minimum: number; readonly maximum: number }
    | {
        readonly type: 'string';
        /** At most 10000. */
        readonly maxLength: number;
        readonly minLength?: number;
        /** A regular expression, which has the flag `u` and is not anchored. */
        readonly pattern?: string;
      }
    | { readonly type: 'string'; readonly enum: readonly string[] }
  );

/** JSON Schema of a compound setting: a form of fields, each with a title, and each with a value at all times. */
export type SettingFormSchema = {
  readonly type: 'object';
  /** By name: a lower-case letter, then letters and digits. */
  readonly properties: Readonly<Record<string, SettingValueSchema & { readonly title: string }>>;
};

export type SettingSchema = SettingValueSchema | SettingFormSchema;

/** The type of the values that a schema describes. */
export type SettingValue<Schema> = Schema extends { readonly properties: infer Fields }
  ? { readonly [Name in keyof Fields]: SettingValue<Fields[Name]> }
  : Schema extends { readonly enum: readonly (infer Word)[] }
    ? Word
    : Schema extends { readonly type: keyof ValueTypes }
      ? ValueTypes[Schema['type']]
      : never;

type ValueTypes = { boolean: boolean; integer: number; number: number; string: string };

/** What an extension says of a setting of its own. */
export type ExtensionSetting<Schema extends SettingSchema = SettingSchema> = {
  /** What the API calls it, such as `Acme.SignIn`: words of letters and digits with dots between, at most 100 characters. */
  readonly name: string;
  /** `general` applies once; `frontEnd` has a value for each registered front end. */
  readonly scope: 'general' | 'frontEnd';
  /** The heading that it stands under on the settings page. */
  readonly category: string;
  readonly label: string;
  readonly description?: string;
  readonly schema: Schema;
  readonly default: SettingValue<Schema>;
  /** May anybody read it without signing in? Absent: no. */
  readonly public?: boolean;
  /** Place on the settings page, from 0 to 10000, ascending. Absent: 1000, which is after the service's own. */
  readonly order?: number;
};

/** A setting that an extension has defined. */
export interface ReadableSetting<Value> {
  /**
   * The value that applies now, as a copy. A change is there for the next call, on other nodes within 2 s.
   * @param frontEnd key of the front end, for a setting of that scope; absent: of the default front end.
   * @throws Error before the service has started.
   */
  read(frontEnd?: string): Value;
}
