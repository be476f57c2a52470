// The description of a setting, with the members that Shesha's settings manager reads beside those of our own pages.
import type { TSchema } from 'typebox';
import type { SettingDefinition } from '../foundation/setting.ts';
import { SHESHA, sheshaPlaces } from './shesha.ts';

/** The name by which Shesha's code reads a module, a category or a setting: `Security Settings` is `securitySettings`. */
function accessorOf(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter(Boolean);
  return words
    .map((word, index) => (index === 0 ? word.charAt(0).toLowerCase() : word.charAt(0).toUpperCase()) + word.slice(1))
    .join('');
}

const described = (name: string) => ({ name, accessor: accessorOf(name) });

/** Shesha's name for the type of a value. */
function typeNameOf(schema: TSchema): string {
  const { type }: { type?: unknown } = schema;
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'boolean' || type === 'array' || type === 'object') return type;
  return 'string';
}

/** Where scripts read the setting: Shesha's own place, or one that follows from the names. */
function placeOf({ name, category }: SettingDefinition) {
  const ofShesha = sheshaPlaces.get(name);
  if (ofShesha) return { module: SHESHA, ...ofShesha };
  const [moduleName = '', ...rest] = name.split('.');
  return { module: described(moduleName), category: described(category), accessor: accessorOf(rest.join(' ') || name) };
}

/** What `Settings/GetConfigurations` tells of a setting. */
export function toConfiguration(definition: SettingDefinition) {
  const { name, scope, category, label, description, kind, schema, order, isGuarded = false } = definition;
  return {
    name,
    scope,
    categoryName: category,
    label,
    description,
    kind,
    schema,
    default: definition.default,
    order,
    isGuarded,
    ...placeOf(definition),
    dataType: { dataType: typeNameOf(schema), dataFormat: null, objectType: null },
    editorForm: null,
  };
}
