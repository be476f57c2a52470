// The guide's code, as it stands there.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../../..');

/** The block of a guide that opens with this file's name, such as `acme.ts`. */
export function readGuideFile(guide: string, name: string): string {
  const text = readFileSync(join(root, 'docs/guide', guide), 'utf8');
  const blocks = [...text.matchAll(/^```(?:js|ts)\n(.*?)^```/gms)].map(([, block = '']) => block);
  const found = blocks.filter((block) => block.startsWith(`// ${name}`));
  assert.equal(found.length, 1, `${guide} has one block that is ${name}`);
  return found[0] as string;
}
