// Settings as extensions define them, in plain JSON Schema. Bounds and types are derived from it.

type Display = {
  readonly title?: string;
  readonly description?: string;
  /** Unit of a number, such as `s`. */
  readonly 'x-unit'?: string;
};

/** JSON Schema of one value. Other keywords are rejected. */
export type SettingValueSchema = Display &
  (
    | { readonly type: 'boolean' }
    | { readonly type: 'integer' | 'number'; readonly minimum: number; readonly maximum: number }
    | {
        readonly type: 'string';
        /** At most 10000. */
        readonly maxLength: number;
        readonly minLength?: number;
        /** A regular expression. It has the flag `u` and is not anchored. */
        readonly pattern?: string;
      }
    | { readonly type: 'string'; readonly enum: readonly string[] }
  );

/** JSON Schema of a compound setting: a form whose fields each have a title and always have a value. */
export type SettingFormSchema = {
  readonly type: 'object';
  /** Fields by name. A name is a lower-case letter, followed by letters and digits. */
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

/** The definition of an extension's setting. */
export type ExtensionSetting<Schema extends SettingSchema = SettingSchema> = {
  /** The setting's name in the API, such as `Acme.SignIn`: letters, digits and single dots, at most 100 characters. */
  readonly name: string;
  /** `general` applies once; `frontEnd` has a value for each registered front end. */
  readonly scope: 'general' | 'frontEnd';
  /** The setting's heading on the settings page. */
  readonly category: string;
  readonly label: string;
  readonly description?: string;
  readonly schema: Schema;
  readonly default: SettingValue<Schema>;
  /** Whether callers may read the value without signing in. Default: false. */
  readonly public?: boolean;
  /** Place on the settings page, from 0 to 10000, ascending. Default: 1000, after the service's own settings. */
  readonly order?: number;
};

/** A setting that an extension has defined. */
export interface ReadableSetting<Value> {
  /**
   * Returns a copy of the value that applies now. A change applies to the next call, on other nodes within 2 s.
   * @param frontEnd the key of the front end, for a setting of that scope. Default: the default front end.
   * @throws Error before the service has started.
   */
  read(frontEnd?: string): Value;
}
