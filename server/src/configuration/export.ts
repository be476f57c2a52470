// What is there as the text of a file.
import { Document, isMap } from 'yaml';
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

function toContent(items: readonly Item[]): Record<string, unknown> {
  const content: Record<string, unknown> = Object.fromEntries(SECTIONS.map((section) => [section, {}]));
  for (const { path, exported } of items) {
    if (exported === undefined) continue;
    let inner = content;
    for (const name of path.slice(0, -1)) {
      const next = inner[name] ?? {};
      inner[name] = next;
      // Only this function has made the objects on the way.
      inner = next as Record<string, unknown>;
    }
    inner[path.at(-1) ?? ''] = structuredClone(exported);
  }
  return content;
}
