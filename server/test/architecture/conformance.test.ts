// The conformance page: each test that it names is in the test run and is not skipped, and each setting and section exists.
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import ts from 'typescript';
import { settingDefinitions } from '../../src/app/catalogue.ts';
import {
  type Condition,
  isMet,
  membersOf,
  type Requirement,
  readTest,
  standards,
  verdictOf,
} from '../../src/conformance/index.ts';
import { isObject } from '../../src/foundation/object.ts';

const root = join(import.meta.dirname, '../../..');
const requirements = standards.flatMap(({ chapters }) => chapters.flatMap((chapter) => chapter.requirements));

/** Returns the titles of the tests in a text, with `…` for each value that a test fills in. Skipped ones are left out. */
function findTitles(path: string, text: string): Set<string> {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const titles = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const [title, options] = node.arguments;
      const isTest = ['it', 'test', 'describe'].includes(node.expression.getText());
      const isSkipped = /^(it|test|describe)\.(skip|todo)$/.test(node.expression.getText());
      const isOff = options !== undefined && /^\{.*\b(skip|todo)\b/s.test(options.getText());
      if (isSkipped || (isOff && ['it', 'test', 'describe'].includes(node.expression.getText()))) return;
      if (isTest && title) titles.add(titleOf(title));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return titles;
}

function titleOf(node: ts.Node): string {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return '';
  return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('');
}

/** The headings of a guide, as GitHub names them in links. */
const anchorsOf = (guide: string) =>
  readFileSync(join(root, 'docs/guide', `${guide}.md`), 'utf8')
    .split('\n')
    .filter((line) => /^#+ /.test(line))
    .map((line) =>
      line
        .replace(/^#+ /, '')
        .toLowerCase()
        .replace(/[^\w\s-]/g, '')
        .replaceAll(' ', '-'),
    );

describe('the conformance page', () => {
  it('names tests that are in the test run and are not skipped', () => {
    const run = new Set(
      globSync(['server/src/**/*.test.ts', 'server/test/**/*.test.ts', 'e2e/*.test.ts', 'sdk/src/**/*.test.ts'], {
        cwd: root,
      }).filter((file) => !/^\/\/ In the long form alone: /m.test(readFileSync(join(root, file), 'utf8'))),
    );
    const titles = new Map<string, Set<string>>();
    const titlesIn = (file: string) => {
      const known = titles.get(file) ?? findTitles(file, readFileSync(join(root, file), 'utf8'));
      titles.set(file, known);
      return known;
    };
    const missing = [...new Set(requirements.flatMap(({ held = [] }) => held))].filter((test) => {
      const { file, title } = readTest(test);
      return !run.has(file) || !existsSync(join(root, file)) || !titlesIn(file).has(title);
    });
    assert.deepEqual(missing, []);
  });

  it('sees a test that is skipped, and one that is renamed', () => {
    const text = `
      describe('all', () => { it(\`has \${count} parts\`, () => {}); it.skip('is left out', () => {}); });
      it('is off', { skip: true }, () => {});
      describe.skip('none', () => { it('is inside', () => {}); });
      it("is double", () => {});`;
    assert.deepEqual([...findTitles('x.ts', text)], ['all', 'has … parts', 'is double']);
  });

  it('names settings that exist, with values that they accept', () => {
    for (const { id, settable = [] } of requirements) {
      for (const condition of settable) {
        const definition = settingDefinitions.find(({ name }) => name === condition.setting);
        assert.ok(definition, `${id}: ${condition.setting}`);
        const { schema } = definition;
        const members = 'properties' in schema && isObject(schema.properties) ? schema.properties : {};
        const own = membersOf(condition);
        for (const one of own.length === 0 ? [schema] : own.map((member) => members[member])) {
          assert.ok(isObject(one), `${id}: ${condition.setting} ${own}`);
          assert.ok(canBeMet(condition, one), `${id}: ${condition.setting} ${own}`);
        }
      }
    }
  });

  it('names sections of the guide that exist', () => {
    const missing = requirements
      .flatMap(({ documented = [] }) => documented)
      .filter((place) => {
        const [guide = '', heading = ''] = place.split('#');
        return !anchorsOf(guide).includes(heading);
      });
    assert.deepEqual(missing, []);
  });

  it('says something of each requirement, and names each of ASVS once', () => {
    for (const requirement of requirements) assert.ok(hasProof(requirement), requirement.id);
    const ids = requirements.map(({ id }) => id).filter((id) => id.startsWith('V'));
    assert.deepEqual(ids, [...new Set(ids)]);
    const absent = requirements.filter((one) => verdictOf(one) === 'does not apply' && one.absent === undefined);
    assert.deepEqual(absent, []);
  });
});

/** Whether the schema of a setting or member has a value that meets a condition. */
function canBeMet(condition: Condition, schema: Record<string, unknown>): boolean {
  const { type, enum: choices, minimum, maximum } = schema;
  if (type === 'boolean') return [true, false].some((value) => isMet(condition, value));
  if (Array.isArray(choices)) return choices.some((value) => isMet(condition, value));
  return isMet(condition, minimum) || isMet(condition, maximum);
}

const hasProof = ({ held, settable, documented, yours, notHeld, absent, text }: Requirement) =>
  text !== '' &&
  [held, settable, documented, yours, notHeld, absent].some((proof) => proof !== undefined && proof.length > 0);
