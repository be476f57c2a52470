// Makes guides of the Markdown in docs/: `?title` is a guide's title, `?sections` what the search reads of it, and `?guide` its
// whole content, in a chunk of its own.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Plugin } from 'vite';
import { readIds, readMarkdown } from './markdown.ts';
import { sectionsOf } from './sections.ts';

const docs = join(import.meta.dirname, '../../docs');

/** Marks the address of another file, which is known when the pages are built. */
const FILE = 'file:';

/**
 * Returns where a link of the guide in `file` leads: a path of the application, a place on the page, an address outside, or
 * the path of another file after {@link FILE}.
 * @throws Error if it leads nowhere.
 */
export function resolveLink(file: string, target: string): string {
  if (/^https?:/.test(target)) return target;
  const [path = '', id] = target.split('#');
  const found = path === '' ? file : join(dirname(file), path);
  const name = relative(docs, found);
  if (name.startsWith('..') || !existsSync(found)) throw new Error(`there is no file at ${target}`);
  if (!found.endsWith('.md')) return FILE + found;
  if (id !== undefined && !readIds(readFileSync(found, 'utf8')).includes(id)) {
    throw new Error(`there is no heading at ${target}`);
  }
  const place = id === undefined ? '' : `#${id}`;
  return path === '' ? place : `/guide/${name.replace(/^guide\//, '').replace(/\.md$/, '')}${place}`;
}

/** Stands for a file in the text of a guide: the path of a build does not belong in its result. */
const markOf = (index: number) => `${FILE}${index}.`;

/** Returns a module with the content of a guide. It imports the addresses of the files that the guide links to. */
export function createModule(file: string): string {
  const files: string[] = [];
  const { title, blocks } = readMarkdown(readFileSync(file, 'utf8'), (target) => {
    const to = resolveLink(file, target);
    return to.startsWith(FILE) ? markOf(files.push(to.slice(FILE.length)) - 1) : to;
  });
  const imports = files.map((path, index) => `import file${index} from ${JSON.stringify(`${path}?url`)};`);
  const replaced = files.map((_, index) => `.replaceAll(${JSON.stringify(markOf(index))}, file${index})`);
  const text = JSON.stringify(JSON.stringify({ title, blocks }));
  return `${imports.join('\n')}\nexport default JSON.parse(${text}${replaced.join('')});`;
}

/** The build fails on a guide with a dead link, or with something that the pages cannot show. */
export const guides: Plugin = {
  name: 'guides',
  enforce: 'pre',
  load(id) {
    const [file = '', query] = id.split('?');
    if (!file.startsWith(docs) || !['title', 'sections', 'guide'].includes(query ?? '')) return undefined;
    this.addWatchFile(file);
    try {
      if (query === 'guide') return { code: createModule(file), map: null };
      const { title, blocks } = readMarkdown(readFileSync(file, 'utf8'), (target) => target);
      return { code: `export default ${JSON.stringify(query === 'title' ? title : sectionsOf(blocks))};`, map: null };
    } catch (error) {
      throw new Error(`${relative(docs, file)}: ${String(error)}`, { cause: error });
    }
  },
};
