// Differences between a file and what is there, as lines for people.
import { Equal } from 'typebox/value';
import type { Members } from './kind.ts';
import { type Path, toText } from './problem.ts';

/** What applying a file does to one thing. */
export type Difference = {
  readonly what: 'added' | 'changed' | 'removed';
  readonly path: Path;
  readonly members: readonly { readonly name: string; readonly before: unknown; readonly after: unknown }[];
  /** The members whose secret is another one. */
  readonly secrets: readonly string[];
  /** The members whose secret Latchkey makes. */
  readonly made: readonly string[];
  /** The members that name what was gone, and is stored again. */
  readonly restored: readonly string[];
};

/** The most characters of a value that a line shows. */
const MAX_SHOWN = 120;

/** Returns the members that differ. */
export const compare = (before: Members, after: Members): Difference['members'] =>
  Object.entries(after)
    .filter(([name, value]) => !Equal(value, before[name]))
    .map(([name, value]) => ({ name, before: before[name], after: value }));

const signs = { added: '+', changed: '~', removed: '-' };

/** Returns one line for each difference. No line shows a secret. */
export const describeDifferences = (differences: readonly Difference[]): string[] =>
  differences.map(({ what, path, members, secrets, made, restored }) => {
    const parts = [
      ...members.map(({ name, before, after }) => `${name} ${show(before)} → ${show(after)}`),
      ...secrets.map((name) => `${name} (another secret)`),
      ...made.map((name) => `${name} (Latchkey makes it)`),
      ...restored.map((name) => `${name} (stored again)`),
    ];
    return `${signs[what]} ${toText(path)}${parts.length === 0 ? '' : `: ${parts.join(', ')}`}`;
  });

function show(value: unknown): string {
  const text = JSON.stringify(value ?? null);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
