// The conventions that a machine can hold: time and chance only in foundation/, functions of a size to read, no escape from types.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import ts from 'typescript';

const root = join(import.meta.dirname, '../../..');

/** A longer function is split, or stands in `longFunctions`. Tests and their helpers may have as many as those. */
const FUNCTION_LINES = 60;
const MOST_FUNCTION_LINES = 80;
/** Why a function has more lines. */
const longFunctions: Readonly<Record<string, string>> = {
  'server/src/storage/migrations/0012-factors.ts up': 'A migration that was released never changes.',
};

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

/**
 * Code that is read by itself: a function with a name, a test, a declared route or statement, an entry of a table, an element of
 * a page.
 */
function standsApart(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isFunctionLike(node)) return isTest(node) || !(ts.isCallExpression(parent) || ts.isTypeNode(node));
  if (ts.isCallExpression(node)) return /(^defineRoute|\.statement)$/.test(node.expression.getText());
  if (ts.isObjectLiteralExpression(node)) return ts.isArrayLiteralExpression(parent);
  return ts.isJsxElement(node) || ts.isJsxFragment(node) || ts.isJsxSelfClosingElement(node);
}

const isArgumentOf = ({ parent }: ts.Node, called: RegExp) =>
  ts.isCallExpression(parent) && called.test(parent.expression.getText());
const isTest = (node: ts.Node) => isArgumentOf(node, /^(describe|it)\b/);
/** The body of a suite has no length: its tests are functions of their own. */
const isSuite = (node: ts.Node) => isArgumentOf(node, /^describe\b/);

/** What a function is called, or the call that it is an argument of. */
function nameOf({ name, parent }: ts.SignatureDeclaration): string {
  if (name) return name.getText();
  if (ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent)) return parent.name.getText();
  if (!ts.isCallExpression(parent)) return 'a function';
  const [first] = parent.arguments;
  return `${parent.expression.getText()}(${first && ts.isStringLiteral(first) ? first.text : ''})`;
}

/** Returns the functions with more lines of code than `most`. What stands apart in a function counts as one line. */
function findLongFunctions(text: string, most: number): { name: string; lines: number }[] {
  const source = ts.createSourceFile('file.tsx', text, ts.ScriptTarget.Latest, true);
  const lines = text.split('\n');
  const lineOf = (position: number) => source.getLineAndCharacterOfPosition(position).line;
  const count = (node: ts.Node) => {
    const from = lineOf(node.getStart());
    const own = lines.slice(from, lineOf(node.end) + 1).map((line) => !/^\s*(\/\/|\/\*|\*|$)/.test(line));
    const leaveOut = (child: ts.Node): void => {
      if (standsApart(child)) own.fill(false, lineOf(child.getStart()) + 1 - from, lineOf(child.end) + 1 - from);
      else ts.forEachChild(child, leaveOut);
    };
    ts.forEachChild(node, leaveOut);
    return own.filter(Boolean).length;
  };
  const found: { name: string; lines: number }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && !isSuite(node)) {
      const own = count(node);
      if (own > most) found.push({ name: nameOf(node), lines: own });
    }
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
    isTest:
      path.startsWith(join('server', 'test')) || path.startsWith('e2e') || /\.(test|contract)\.m?[jt]s$/.test(path),
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
  'user-files/src/**/*.ts',
  'bench/**/*.ts',
  'scripts/**/*.{mjs,ts}',
);
const typed = everything.filter((file) => file.path.endsWith('.ts'));

describe('the conventions', () => {
  it('time and chance stand only in foundation/', () => {
    const above = server.filter((file) => !file.isTest && !file.path.startsWith(join('server', 'src', 'foundation')));
    assertNone(above, (file) => findings(file.text, timeOrChance), why);
  });

  it('functions are short enough to be read at once', () => {
    const long = everything.flatMap(({ path, text, isTest }) =>
      findLongFunctions(text, isTest ? MOST_FUNCTION_LINES : FUNCTION_LINES).map(({ name, lines }) => ({
        name: `${path} ${name}`,
        lines,
      })),
    );
    assert.deepEqual(
      long.filter(({ name, lines }) => lines > MOST_FUNCTION_LINES || !(name in longFunctions)),
      [],
      `A function of more than ${FUNCTION_LINES} lines hides a concept that wants a name of its own.`,
    );
    const names = long.map(({ name }) => name);
    assert.deepEqual(Object.keys(longFunctions).toSorted(), names.toSorted(), 'The list names shorter functions too.');
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

  it('counts the lines of a function without those of what stands apart in it', () => {
    const body = (indent: string) => [1, 2, 3].map((number) => `${indent}work(${number});`);
    const text = [
      'function one() {',
      '  // A comment, and an empty line.',
      '',
      ...body('  '),
      '  function inner() {',
      ...body('    '),
      '  }',
      '  defineRoute({',
      '    path,',
      '  });',
      '  later(() => {',
      ...body('    '),
      '  });',
      '}',
    ].join('\n');
    assert.deepEqual(findLongFunctions(text, 4), [
      { name: 'one', lines: 12 },
      { name: 'inner', lines: 5 },
      { name: 'later()', lines: 5 },
    ]);
  });

  it('counts a test, and not the suite around it', () => {
    const text = "describe('all', () => {\n  it('works', () => {\n    work();\n  });\n});";
    assert.deepEqual(findLongFunctions(text, 2), [{ name: 'it(works)', lines: 3 }]);
  });
});
