// Setting values: how a proposed value is merged with the one in force, and checked against its definition.
import { Clean, Errors } from 'typebox/value';
import type { ValidationError } from '../foundation/errors.ts';
import type { SettingDefinition } from '../foundation/setting.ts';

/** A value that may be stored, or why it may not. */
export type Proposal = { value: unknown } | { broken: ValidationError[] };

/**
 * The value that results from `proposed` while `current` is in force: a compound may leave members out, members that
 * the definition does not know are dropped, and each broken bound is named.
 */
export function proposeValue(definition: SettingDefinition, current: unknown, proposed: unknown): Proposal {
  const merged =
    definition.kind === 'compound' && isRecord(proposed) && isRecord(current) ? { ...current, ...proposed } : proposed;
  const value = Clean(definition.schema, structuredClone(merged));
  const broken = findBrokenBounds(definition, value);
  return broken.length === 0 ? { value } : { broken };
}

/** What is wrong with a value, each with the member it concerns (`value` for the whole). */
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

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
