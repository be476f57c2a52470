// The catalogue: all settings, errors and actions that the slices declare. The API and the reference pages use it.
import { type ErrorKind, permissionErrors, requestErrors, serviceErrors } from '../foundation/errors.ts';
import type { Action } from '../foundation/events.ts';
import type { SettingDefinition } from '../foundation/setting.ts';
import type { Slice } from '../slice.ts';
import { slices } from './slices.ts';

const all: readonly Slice<never>[] = [
  { declarations: { errors: [requestErrors, permissionErrors, serviceErrors] } },
  ...slices,
];
const declarations = all.flatMap((slice) => slice.declarations ?? []);

/** All settings, in the order of the settings page. */
export const settingDefinitions: readonly SettingDefinition[] = declarations
  .flatMap(({ settings = [] }) => settings)
  .toSorted((a, b) => a.order - b.order);

/** All errors. */
export const errorKinds: readonly ErrorKind[] = declarations
  .flatMap(({ errors = [] }) => errors)
  .flatMap((table) => Object.values(table));

/** All actions of the audit trail. */
export const actions: readonly Action[] = declarations
  .flatMap(({ actions: tables = [] }) => tables)
  .flatMap((table) => Object.values(table));

/** The actions that create the account of a new person, by the name of the way. */
export const registrations: Readonly<Record<string, Action>> = Object.assign(
  {},
  ...declarations.map((one) => one.registrations ?? {}),
);
