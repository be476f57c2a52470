// The texts of the pages, for tests that import modules of the pages: Vite finds the languages in the build, this file for Node.
import { readdirSync } from 'node:fs';
import { registerHooks } from 'node:module';

const words = new URL('../../web/src/words/', import.meta.url);

/** The tags of the languages besides English. */
const tags = readdirSync(new URL('languages/', words)).map((file) => file.replace(/\.ts$/, ''));

const entries = tags.map((tag) => {
  const file = JSON.stringify(new URL(`languages/${tag}.ts`, words).href);
  return `${JSON.stringify(tag)}: async () => (await import(${file})).words`;
});

registerHooks({
  load: (url, context, next) =>
    url === new URL('languages.ts', words).href
      ? { format: 'module', source: `export const others = { ${entries.join(', ')} };`, shortCircuit: true }
      : next(url, context),
});

/** Imports a module of the pages or their client by its path from the root: it is typed for browsers, tests are not. */
export const load = (path: string) => import(new URL(`../../${path}`, import.meta.url).href);

export type Schema = Readonly<Record<string, unknown>> & {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
};

function textsIn(schema: Schema): unknown[] {
  const { title, description, properties = {}, items } = schema;
  const { 'x-unit': unit, 'x-labels': labels = [], 'x-warning': warning, 'x-placeholders': placeholders = {} } = schema;
  return [
    title,
    description,
    // The browser knows the names of these units.
    unit === 's' || unit === 'days' ? undefined : unit,
    ...(labels as string[]),
    (warning as { text: string } | undefined)?.text,
    ...Object.values(placeholders as object),
    ...Object.values(properties).flatMap(textsIn),
    ...(items ? textsIn(items) : []),
  ];
}

/** What the page of settings shows of a definition. */
type Shown = { label: string; description: string; category: string; schema: unknown };

/** Returns the texts of a setting that the page shows. */
export function textsOf({ label, description, category, schema }: Shown): string[] {
  // The definitions of settings are typed by their values: the page reads them as JSON Schema.
  const texts = [label, description, category, ...textsIn(schema as Schema)];
  return texts.filter((text): text is string => typeof text === 'string' && text !== '');
}
