// Casts: few, and each says on the line above why the compiler cannot know the type.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import ts from 'typescript';

const root = join(import.meta.dirname, '../../..');
const MAX_CASTS = 40;

/** Where a file casts: `x as T` other than `as const`, and `x!`. A cast of a cast is one. */
function findCasts(path: string): { path: string; line: number; hasReason: boolean }[] {
  const text = readFileSync(join(root, path), 'utf8');
  const lines = text.split('\n');
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind);
  const found: { path: string; line: number; hasReason: boolean }[] = [];
  const visit = (node: ts.Node): void => {
    const isCast =
      (ts.isAsExpression(node) && node.type.getText() !== 'const' && !ts.isAsExpression(node.parent)) ||
      ts.isNonNullExpression(node);
    if (isCast) {
      let statement: ts.Node = node;
      while (statement.parent && !lines[lineOf(statement) - 1]?.trim().startsWith('//') && !ts.isStatement(statement)) {
        statement = statement.parent;
      }
      const above = [lineOf(node), lineOf(statement)].map((line) => lines[line - 1]?.trim() ?? '');
      found.push({ path, line: lineOf(node) + 1, hasReason: above.some((line) => /^(\/\/|\*\/|\/\*\*)/.test(line)) });
    }
    ts.forEachChild(node, visit);
  };
  const lineOf = (node: ts.Node) => source.getLineAndCharacterOfPosition(node.getStart()).line;
  visit(source);
  return found;
}

describe('casts', () => {
  const casts = globSync('{server,web,sdk,user-files}/src/**/*.{ts,tsx}', { cwd: root })
    .filter((path) => !/\.(test|contract)\.ts$|\.gen\.ts$/.test(path))
    .flatMap(findCasts);

  it('are few', () => {
    assert.ok(casts.length <= MAX_CASTS, `there are ${casts.length} casts: use a type guard, or type the source`);
  });

  it('say why', () => {
    const silent = casts.filter(({ hasReason }) => !hasReason).map(({ path, line }) => `${path}:${line}`);
    assert.deepEqual(silent, [], 'write the reason on the line above');
  });
});
