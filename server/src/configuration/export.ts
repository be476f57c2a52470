// What is there as the text of a file.
import { Document, isMap } from 'yaml';
import { isObject } from '../foundation/object.ts';
import type { Item } from './kind.ts';
import type { Path } from './problem.ts';
import { SECTIONS } from './sections.ts';

/** The longest line of a text that is not folded. */
const LINE_WIDTH = 120;

/**
 * Returns the items as YAML. A secret is not among them: a comment stands where the file may name it.
 * @param schema the address of the JSON Schema, by which editors check the file.
 */
export function formatConfiguration(items: readonly Item[], schema: string): string {
  const document = new Document(toContent(items));
  document.commentBefore = ` yaml-language-server: $schema=${schema}`;
  for (const { path, secrets } of items) {
    const node = document.getIn(path, true);
    if (!isMap(node) || secrets.length === 0) continue;
    node.comment = secrets.map((member) => ` ${member}: \${ENV:${variableOf([...path, member])}}`).join('\n');
  }
  return document.toString({ lineWidth: LINE_WIDTH });
}

/** Returns the name of a variable that may hold a secret. */
const variableOf = (path: Path) =>
  path
    .slice(1)
    .join('_')
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^(?=\d)/, '_')
    .toUpperCase();

/** Returns maps: an object would take a thing with the name `__proto__` for something else. */
function toContent(items: readonly Item[]): Map<string, unknown> {
  const content = new Map<string, unknown>(SECTIONS.map((section) => [section, new Map()]));
  for (const { path, exported } of items) {
    if (exported === undefined) continue;
    let inner = content;
    for (const name of path.slice(0, -1)) {
      const next = inner.get(name) ?? new Map();
      inner.set(name, next);
      // Only this function has made the maps on the way.
      inner = next as Map<string, unknown>;
    }
    inner.set(path.at(-1) ?? '', toMaps(exported));
  }
  return content;
}

/** Returns a copy whose objects are maps, to which settings of a front end can be added. */
function toMaps(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toMaps);
  return isObject(value) ? new Map(Object.entries(value).map(([name, member]) => [name, toMaps(member)])) : value;
}
