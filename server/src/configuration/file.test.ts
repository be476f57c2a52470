// Hostile and mistyped files: each is refused in one line that names its place, in little time and memory.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { parseConfiguration, readConfigurationFile } from './file.ts';
import { isReference, readReference } from './references.ts';

/** Each list has the one before it nine times. */
const bomb = `a0: &a0 [x, x, x, x, x, x, x, x, x]\n${Array.from(
  { length: 9 },
  (_, level) => `a${level + 1}: &a${level + 1} [${Array.from({ length: 9 }, () => `*a${level}`).join(', ')}]\n`,
).join('')}`;

const refused: [title: string, text: string, message: RegExp][] = [
  ['a duplicate member', 'roles:\n  Editor:\n  Editor:\n', /^f:3:3: Map keys must be unique\.$/],
  ['a duplicate section', 'roles: {}\nroles: {}\n', /^f:2:1: Map keys must be unique\.$/],
  ['what is no YAML', 'roles: [\n', /^f:2:1: /],
  ['several documents', 'roles: {}\n---\nroles: {}\n', /^f:2:1: .*multiple documents/],
  ['a list', '- roles\n', /^f:1:1: Write members such as "settings:" and "roles:"\.$/],
  ['a text', 'roles', /^f:1:1: Write members/],
  ['an unknown tag', 'roles: !!js/function x\n', /^f:1:8: Unresolved tag/],
  ['an unknown alias', 'roles: *editors\n', /^f(:1:8)?: .*alias/i],
  ['aliases that multiply', bomb, /^f: an alias is unknown, or the aliases repeat too much/],
  ['what contains itself', 'roles: &a { b: *a }\n', /^f:1:1: It has more than 32 levels, or contains itself\.$/],
  ['too many levels', `roles: ${'{ a: '.repeat(40)}1${' }'.repeat(40)}\n`, /^f:1:1: It has more than 32 levels/],
  ['levels that would end the stack', `roles: ${'['.repeat(20_000)}`, /^f(:\d+:\d+)?: |^f is nested too deeply\.$/],
  ['a member of an object as key', '? { a: 1 }\n: 2\n', /^f:1:\d+: With stringKeys/],
];

describe('A configuration file', () => {
  for (const [title, text, message] of refused) {
    it(`may not be ${title}`, () => {
      assert.throws(
        () => parseConfiguration(text, 'f'),
        (error: Error) => {
          assert.equal(error.name, 'ConfigurationError', error.message);
          assert.match(error.message, message);
          assert.doesNotMatch(error.message, /\n/);
          return true;
        },
      );
    });
  }

  it('changes no prototype', () => {
    const { content } = parseConfiguration('roles: { __proto__: { isAdmin: true } }\n', 'f');
    assert.equal(Object.getPrototypeOf(content.roles), Object.prototype);
    assert.deepEqual(Object.keys(Object(content.roles)), ['__proto__']);
  });

  it('names the nearest place around a value that it does not have', () => {
    const file = parseConfiguration('roles:\n  Editor:\n    grantedPermissions:\n      - a\n      - b\n', 'f');
    const at = (...path: string[]) => file.refuse(path, 'no').message;
    assert.equal(at('roles', 'Editor', 'grantedPermissions', '1'), 'f:5:9: roles.Editor.grantedPermissions.1: no');
    assert.equal(at('roles', 'Editor', 'name'), 'f:2:3: roles.Editor.name: no');
    assert.equal(at('brands', 'a b'), 'f:1:1: brands."a b": no');
  });
});

describe('Files on disk', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'latchkey-configuration-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  const write = (name: string, content: string | Buffer) => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };

  it('are of bounded size, in UTF-8, and files', () => {
    const messageOf = (path: string) => {
      try {
        readConfigurationFile(path);
      } catch (error) {
        return error instanceof Error ? error.message : undefined;
      }
      return undefined;
    };
    const large = write('large.yaml', `# ${'x'.repeat(1_048_576)}`);
    assert.equal(messageOf(large), `${large} is larger than 1 MiB. Is it another file?`);
    const latin = write('latin.yaml', Buffer.from([0x72, 0x3a, 0x20, 0xe4]));
    assert.equal(messageOf(latin), `${latin} is no text in UTF-8.`);
    assert.equal(messageOf(folder), `${folder} is no file.`);
    assert.equal(messageOf(join(folder, 'none')), `${join(folder, 'none')} does not exist.`);
    // As root, the tests can look into each folder, but not at this.
    const hidden = join(folder, 'hidden');
    symlinkSync(hidden, hidden);
    assert.equal(messageOf(hidden), `${hidden} cannot be read by this user.`);
    assert.deepEqual(readConfigurationFile(write('empty.yaml', '')).content, {});
  });

  it('hold secrets, of which one line break at the end is removed', () => {
    write('secret', 'from a file\n\n');
    write('blank', ' \n');
    write('large', 'x'.repeat(65_537));
    const sources = { folder, variables: { GIVEN: 'from a variable\r\n', EMPTY: '' } };
    const read = (text: string) => readReference(text, sources);
    assert.deepEqual(read('$' + '{ENV:GIVEN}'), { secret: 'from a variable' });
    assert.deepEqual(read('$' + '{FILE:secret}'), { secret: 'from a file\n' });
    assert.deepEqual(read('$' + '{ENV:EMPTY}'), { problem: 'The variable EMPTY is not set.' });
    assert.deepEqual(read('$' + '{FILE:none}'), { problem: `The file ${join(folder, 'none')} does not exist.` });
    assert.deepEqual(read('$' + '{FILE:hidden}'), {
      problem: `The file ${join(folder, 'hidden')} cannot be read by this user.`,
    });
    assert.deepEqual(read('$' + '{FILE:blank}'), { problem: `The file ${join(folder, 'blank')} is empty.` });
    assert.match(JSON.stringify(read('$' + '{FILE:large}')), /too large to be a secret/);
    const references = ['{ENV:A}', '{FILE:a/b}', '{ENV:}', '{ENV:1}', '{FILE:}', '{OTHER:A}', '{ENV:A} '];
    assert.deepEqual(
      references.map((text) => isReference(`$${text}`)),
      [true, true, false, false, false, false, false],
    );
  });
});
