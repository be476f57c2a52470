// The guides of docs/ by name: their titles, and how to load each.
import type { Guide } from './document.ts';

/** The name of a guide: its path below docs/, without `guide/` and the ending, such as `roles` or `reference/settings`. */
const nameOf = (file: string) => file.replace(/^.*\/docs\/(guide\/)?/, '').replace(/\.md$/, '');

/** Returns what the build made of guides, by their names. */
export const byName = <Value>(files: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> =>
  Object.fromEntries(Object.entries(files).map(([file, value]) => [nameOf(file), value]));

/** Titles by name. */
export const titles = byName(
  import.meta.glob<string>(['../../../docs/glossary.md', '../../../docs/{guide,reference,decisions}/*.md'], {
    query: '?title',
    import: 'default',
    eager: true,
  }),
);

/** Loads a guide by name. */
export const loaders = byName(
  import.meta.glob<Guide>(['../../../docs/glossary.md', '../../../docs/{guide,reference,decisions}/*.md'], {
    query: '?guide',
    import: 'default',
  }),
);

type Topic = 'use' | 'signIn' | 'programs' | 'run' | 'develop' | 'reference';

const topics: Readonly<Record<Exclude<Topic, 'programs' | 'reference'>, readonly string[]>> = {
  use: ['pages', 'settings', 'brands', 'users', 'persons', 'roles', 'delivery'],
  signIn: ['sign-in-with-latchkey', 'second-factors', 'passkeys', 'external-providers', 'security'],
  run: [
    'operating',
    'upgrading',
    'command-line',
    'deploy-systemd',
    'deploy-compose',
    'deploy-kubernetes',
    'container',
    'scaling',
    'performance',
    'trusting-the-trail',
    'runbook',
    'faults',
    'releases',
  ],
  develop: [
    'browser-client',
    'sessions',
    'managing-from-a-server',
    'verifying-tokens',
    'introspection',
    'webhooks',
    'audit-feed',
    'protecting-services',
    'extensions',
    'moving-in',
    'leaving',
    'moving-from-shesha',
  ],
};

/** The guides by topic. Those that belong to no topic stand under `use`. Decisions are found by links and by the search. */
export function listGuides(): readonly (readonly [topic: Topic, names: readonly string[]])[] {
  const names = Object.keys(titles);
  const placed = Object.values(topics).flat();
  const programs = names.filter((name) => name.startsWith('connect-'));
  const others = names.filter(
    (name) => !name.includes('/') && name !== 'glossary' && ![...placed, ...programs].includes(name),
  );
  const reference = names.filter((name) => name.startsWith('reference/') || name === 'glossary');
  const present = (list: readonly string[]) => list.filter((name) => names.includes(name));
  return [
    ['use', [...present(topics.use), ...others]],
    ['signIn', present(topics.signIn)],
    ['programs', programs],
    ['run', present(topics.run)],
    ['develop', present(topics.develop)],
    ['reference', reference],
  ];
}
