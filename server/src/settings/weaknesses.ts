// Weaknesses: values in force that a setting's own definition warns of, with the rule of a standard that they break.
import { isObject } from '../foundation/object.ts';
import type { SettingDefinition, Warning } from '../foundation/setting.ts';

/** A weak value of a setting or of one of its members. */
export type Weakness = {
  readonly definition: SettingDefinition;
  /** The member of a compound setting. */
  readonly member: string | null;
  /** The title of the member, or the label of the setting. */
  readonly title: string;
  /** The front ends that have the value. Empty for a general setting. */
  readonly frontEnds: readonly string[];
  readonly text: string;
  /** The rules that it breaks. */
  readonly source: string;
};

/**
 * Returns the weaknesses of the values in force, in the order of the definitions.
 * @param frontEnds the keys of all front ends.
 * @param read returns the value of a setting, for a front end if it has that scope.
 */
export function findWeaknesses(
  definitions: readonly SettingDefinition[],
  frontEnds: readonly string[],
  read: (definition: SettingDefinition, frontEnd: string) => unknown,
): Weakness[] {
  return definitions.flatMap((definition) => {
    const concerned = definition.scope === 'general' ? [''] : frontEnds;
    return warningsOf(definition).flatMap(({ member, title, warning }) => {
      const { text, source } = warning;
      const weak = concerned.filter((frontEnd) => isDue(warning, memberOf(read(definition, frontEnd), member)));
      if (source === undefined || weak.length === 0) return [];
      return [{ definition, member, title, frontEnds: weak.filter((frontEnd) => frontEnd !== ''), text, source }];
    });
  });
}

/** Returns the warnings in the schema of a setting and of its members. */
function warningsOf({ kind, label, schema }: SettingDefinition) {
  const members = kind === 'compound' && 'properties' in schema && isObject(schema.properties) ? schema.properties : {};
  const schemas: [string | null, unknown][] = [[null, schema], ...Object.entries(members)];
  return schemas.flatMap(([member, one]) => {
    if (!isObject(one)) return [];
    const warning: unknown = one['x-warning'];
    const title = member !== null && typeof one.title === 'string' ? one.title : label;
    return isWarning(warning) ? [{ member, title, warning }] : [];
  });
}

const memberOf = (value: unknown, member: string | null) =>
  member !== null && isObject(value) ? value[member] : value;

const isWarning = (warning: unknown): warning is Warning => isObject(warning) && typeof warning.text === 'string';

function isDue(warning: Warning, value: unknown): boolean {
  if ('is' in warning) return value === warning.is;
  if (typeof value !== 'number') return false;
  return 'below' in warning ? value < warning.below : value > warning.above;
}
