// Setting values: merges a proposed value with the one in force, and checks it against its definition.
import { Clean, Equal, Errors } from 'typebox/value';
import type { ValidationError } from '../foundation/errors.ts';
import { nameMembers } from '../foundation/member-names.ts';
import { isRecord } from '../foundation/object.ts';
import type { SettingDefinition } from '../foundation/setting.ts';

/** A value that may be stored, or the bounds that it breaks. */
export type Proposal = { value: unknown } | { broken: ValidationError[] };

/**
 * Returns the value that results from `proposed` while `current` is in force, or its broken bounds. A compound keeps the
 * members that `proposed` leaves out. Unknown members are removed.
 */
export function proposeValue(definition: SettingDefinition, current: unknown, proposed: unknown): Proposal {
  const named = nameMembers(definition.schema, proposed);
  const merged =
    definition.kind === 'compound' && isRecord(named) && isRecord(current)
      ? { ...current, ...(definition.adapt?.(named) ?? named) }
      : named;
  const value = Clean(definition.schema, structuredClone(merged));
  const broken = findBrokenBounds(definition, value);
  return broken.length === 0 ? { value } : { broken };
}

/** Returns a stored value. Members that its compound has gained since have their defaults. */
export function completeValue({ kind, default: initial }: SettingDefinition, stored: unknown): unknown {
  return kind === 'compound' && isRecord(initial) && isRecord(stored) ? { ...initial, ...stored } : stored;
}

/** Returns a value within its bounds: instead of what breaks them, members of a compound have their defaults. */
export function mendValue(definition: SettingDefinition, value: unknown): unknown {
  const { default: initial } = definition;
  for (let mended = value; ; ) {
    const broken = findBrokenBounds(definition, mended);
    if (broken.length === 0) return mended;
    if (!isRecord(initial) || !isRecord(mended)) return initial;
    const members = broken.flatMap((fault) => fault.members.map((member) => member.split('.', 1)[0] ?? member));
    const defaults = members.filter((member) => member in initial).map((member) => [member, initial[member]]);
    const next: unknown = { ...mended, ...Object.fromEntries(defaults) };
    if (Equal(next, mended)) return initial;
    mended = next;
  }
}

/** Finds the broken bounds of a value, each with the member it concerns (`value` for the whole). */
export function findBrokenBounds(
  { schema, findProblems }: Pick<SettingDefinition, 'schema' | 'findProblems'>,
  value: unknown,
): ValidationError[] {
  const broken = Errors(schema, value).map(({ instancePath, message }) => {
    const member = instancePath.split('/').slice(1).join('.');
    return { message: `${member || 'The value'} ${message}.`, members: [member || 'value'] };
  });
  return broken.length === 0 ? (findProblems?.(value) ?? []) : broken;
}
