// The conventions that a machine can hold: time and chance only on the floor, files of a size to read, no escape from types.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import ts from 'typescript';

const root = join(import.meta.dirname, '../../..');
const sourceLines = 260;
const testLines = 450;

const why = `Time and chance are handed in (foundation/clock, foundation/random): a test moves the clock instead of
sleeping, every rule can be tried at its very edge, and there is one place to audit for where secrets come from.`;

const clockWords = ['setTimeout', 'setInterval', 'setImmediate'];
const clockModules = ['node:timers', 'node:timers/promises', 'timers', 'timers/promises'];
const chanceWords = [
  'randomBytes',
  'randomInt',
  'randomUUID',
  'randomUUIDv7',
  'randomFill',
  'randomFillSync',
  'getRandomValues',
];

/** What a file does that a convention forbids, as `what (line)`. */
function findings(text: string, look: (node: ts.Node) => string | undefined): string[] {
  const source = ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const what = look(node);
    if (what) found.push(`${what} (line ${source.getLineAndCharacterOfPosition(node.getStart()).line + 1})`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Gauge the clock, starting a timer, or drawing a random value without being handed the means. */
function timeOrChance(node: ts.Node): string | undefined {
  if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
    return clockModules.includes(node.moduleSpecifier.text) ? `import of ${node.moduleSpecifier.text}` : undefined;
  }
  if (ts.isPropertyAccessExpression(node)) {
    const name = `${node.expression.getText()}.${node.name.text}`;
    return ['Date.now', 'Math.random'].includes(name) || chanceWords.includes(node.name.text) ? name : undefined;
  }
  if (ts.isNewExpression(node) && node.expression.getText() === 'Date' && !node.arguments?.length) return 'new Date()';
  if (ts.isCallExpression(node) && node.expression.getText() === 'Date') return 'Date()';
  return ts.isIdentifier(node) && isFreeWord(node) ? node.text : undefined;
}

/** A global timer or an imported random function, as opposed to a property that only bears the name. */
function isFreeWord(node: ts.Identifier): boolean {
  if (![...clockWords, ...chanceWords].includes(node.text)) return false;
  const { parent } = node;
  const isMember =
    ts.isPropertyAccessExpression(parent) && parent.name === node && parent.expression.getText() !== 'globalThis';
  const isName =
    (ts.isPropertyAssignment(parent) || ts.isPropertySignature(parent) || ts.isMethodSignature(parent)) &&
    parent.name === node;
  return !isMember && !isName;
}

function escapeFromTypes(node: ts.Node): string | undefined {
  if (node.kind === ts.SyntaxKind.AnyKeyword) return 'any';
  if (ts.isExportAssignment(node)) return 'default export';
  if (ts.isExportSpecifier(node) && node.name.text === 'default') return 'default export';
  if (node.kind === ts.SyntaxKind.DefaultKeyword && node.parent.kind !== ts.SyntaxKind.DefaultClause)
    return 'default export';
  return undefined;
}

type File = { path: string; text: string; isTest: boolean };

function read(...patterns: string[]): File[] {
  const paths = patterns.flatMap((pattern) =>
    globSync(pattern, { cwd: root, exclude: ['**/node_modules/**', '**/dist/**'] }),
  );
  return paths.sort().map((path) => ({
    path,
    text: readFileSync(join(root, path), 'utf8'),
    isTest: path.startsWith(join('server', 'test')) || path.startsWith('e2e') || /\.(test|contract)\.m?ts$/.test(path),
  }));
}

/** Fails with every file that `judge` has something to say about. */
function assertNone(files: File[], judge: (file: File) => string[], reason: string): void {
  assert.ok(files.length > 0, 'there is nothing to judge: the patterns lead nowhere');
  const complaints = files.flatMap((file) => judge(file).map((complaint) => `  ${file.path}: ${complaint}`));
  assert.equal(complaints.length, 0, `${reason}\n${complaints.join('\n')}`);
}

const server = read('server/src/**/*.ts');
const everything = read(
  'server/{src,test}/**/*.ts',
  'web/src/**/*.{ts,tsx}',
  'e2e/**/*.ts',
  'sdk/src/**/*.ts',
  'bench/**/*.ts',
  'scripts/**/*.mjs',
);
const typed = everything.filter((file) => file.path.endsWith('.ts'));

describe('the conventions', () => {
  it('time and chance stand only in foundation/', () => {
    const above = server.filter((file) => !file.isTest && !file.path.startsWith(join('server', 'src', 'foundation')));
    assertNone(above, (file) => findings(file.text, timeOrChance), why);
  });

  it('files are short enough to be read at once', () => {
    const tooLong = ({ text, isTest }: File): string[] => {
      const lines = text.split('\n').length - 1;
      return lines > (isTest ? testLines : sourceLines) ? [`${lines} lines`] : [];
    };
    // A list of words has no concept to hide, and what is generated has no reader.
    const isList = ({ path }: File) => /^web\/src\/words\/|\.gen\.ts$/.test(path);
    assertNone(
      everything.filter((file) => !isList(file)),
      tooLong,
      'A file that grows past its limit hides a concept that wants a file of its own.',
    );
  });

  it('no file escapes from the types or exports by default', () => {
    // Tests look into answers of any shape.
    assertNone(
      typed.filter((file) => !file.isTest),
      (file) => findings(file.text, escapeFromTypes),
      '`unknown` says what is not known; a name says what is exported.',
    );
  });

  it('each file opens with a sentence about its concept', () => {
    const opening = /^(#![^\n]*\n)?(\/\/ \S+ \S|\/\*\*?\s+\S+ \S)/;
    assertNone(
      everything,
      ({ text }) => (opening.test(text) ? [] : ['no opening comment']),
      'A reader wants to know first what a file is about.',
    );
  });

  it('nothing is put off', () => {
    const marks = /\b(T[O]DO|F[I]XME|X[X]X)\b/g;
    assertNone(
      everything,
      ({ text }) => text.match(marks) ?? [],
      'What is left to do stands in an issue, not in the code.',
    );
  });
});

describe('the judge of the conventions', () => {
  const caught: [string, string][] = [
    ['Date.now', 'export const at = Date.now();'],
    ['new Date()', 'export const at = new Date();'],
    ['new Date()', 'export const at = new Date;'],
    ['Math.random', 'export const chance = Math.random;'],
    ['randomBytes', "import { randomBytes } from 'node:crypto';"],
    ['randomUUID', "import { randomUUID as id } from 'node:crypto';"],
    ['crypto.randomInt', 'export const one = crypto.randomInt(6);'],
    ['setTimeout', 'setTimeout(() => {}, 1);'],
    ['globalThis.setInterval', 'globalThis.setInterval(() => {}, 1);'],
    ['setImmediate', 'const later = setImmediate;'],
    ['import of node:timers/promises', "import { scheduler } from 'node:timers/promises';"],
  ];
  for (const [what, text] of caught) {
    it(`sees ${what} in: ${text}`, () => {
      const found = findings(text, timeOrChance);
      assert.ok(
        found.some((finding) => finding.startsWith(what.replace('globalThis.', ''))),
        found.join(),
      );
    });
  }

  it('lets pass a date that is made from a value, a word in a comment, and a method that bears the name', () => {
    const text =
      "// Date.now()\nconst a = new Date(5);\nconst b = 'Math.random()';\nserver.setTimeout(5);\nconst c = { setTimeout: 5 };";
    assert.deepEqual(findings(text, timeOrChance), []);
  });

  it('sees what escapes from the types', () => {
    assert.deepEqual(
      findings('let a: any;\nexport default a;\nfunction f() {}\nexport { f as default };', escapeFromTypes),
      ['any (line 1)', 'default export (line 2)', 'default export (line 4)'],
    );
  });
});
