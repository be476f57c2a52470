// The guide says which programs and libraries were tried, and with what: its table is that of the tests.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { root } from '../support/guide.ts';
import { kinds } from './programs.ts';

/** The columns, and how the name of a test says it. */
const columns: Readonly<Record<string, RegExp>> = {
  'refreshes tokens': /\brefreshes\b/,
  'signs out here': /\bsigns out\b/,
  'learns of sign-outs': /\blearns of sign-outs\b/,
  'renews in a frame': /\brenews by a frame\b/,
  'on a device': /\bon a device\b/,
};

const HERE = 'server/test/openid-clients';

/** By test file: how the table begins the name of its client. */
const files: Readonly<Record<string, string>> = {
  [`${HERE}/openid-client.test.ts`]: 'openid-client 6',
  [`${HERE}/oauth4webapi.test.ts`]: 'oauth4webapi',
  [`${HERE}/oidc-agent.test.ts`]: 'oidc-agent',
  'e2e/oidc-client-ts.test.ts': 'oidc-client-ts',
  'e2e/long/angular-auth-oidc-client.test.ts': 'angular-auth-oidc-client',
  'e2e/long/node-red.test.ts': 'Node-RED',
};

/** The packages whose versions the table names, by the client. Debian chooses the versions of all others. */
const packages: Readonly<Record<string, string>> = {
  'openid-client 6': 'openid-client',
  'openid-client 5': 'openid-client-5',
  oauth4webapi: 'oauth4webapi',
  'oidc-client-ts': 'oidc-client-ts',
  'angular-auth-oidc-client': 'angular-auth-oidc-client',
  'Auth.js': '@auth/core',
  'passport-openidconnect': 'passport-openidconnect',
  'express-openid-connect': 'express-openid-connect',
};

/** What they are tested with: the programs have one file for all, and the oracle is no client. */
const others = ['programs', 'oidc-provider', 'tried-with'].map((name) => `${HERE}/${name}.test.ts`);

const read = (path: string) => readFileSync(join(root, path), 'utf8');

const namesIn = (text: string) => [...text.matchAll(/\bit\((['`])(.+?)\1/g)].map(([, , name = '']) => name);

/** By client: its row, as the tests have it. */
function readTests(): Map<string, string[]> {
  const toRow = (names: string[]) =>
    Object.values(columns).map((phrase) => (names.some((name) => phrase.test(name)) ? 'yes' : ''));
  return new Map([
    ...Object.entries(files).map(([path, client]) => [client, toRow(namesIn(read(path)))] as const),
    ...kinds.map(({ name, can }) => [name, toRow([...can])] as const),
  ]);
}

/** The rows of the table, with the names of the columns as the first. */
function readTable(): string[][] {
  const [, section = ''] = read('docs/guide/sign-in-with-latchkey.md').split('\n## Tried with\n');
  const lines = section.split('\n').filter((line) => line.startsWith('|') && !line.startsWith('|--'));
  return lines.map((line) =>
    line
      .split('|')
      .map((cell) => cell.trim())
      .slice(1, -1),
  );
}

describe('the table of what was tried', () => {
  it('has the tests of each client, and no other client', () => {
    const [head = [], ...rows] = readTable();
    assert.deepEqual(head.slice(1, -1), Object.keys(columns));
    const tests = readTests();
    for (const [client = '', ...cells] of rows) {
      const [name] = [...tests.keys()].filter((begins) => client.startsWith(begins));
      assert.ok(name !== undefined, `no test has ${client}`);
      assert.deepEqual(cells.slice(0, -1), tests.get(name), client);
      tests.delete(name);
    }
    assert.deepEqual([...tests.keys()], [], 'these are not in the table');
  });

  it('knows every test file of a client', () => {
    const found = globSync([`${HERE}/*.test.ts`, 'e2e/**/*{oidc,node-red}*.test.ts'], { cwd: root });
    assert.deepEqual(found.sort(), [...Object.keys(files), ...others].sort());
  });

  it('names the versions of the packages', () => {
    const clients = readTable().map(([client = '']) => client);
    const nodeRed = JSON.parse(read('e2e/programs/node-red/package.json')).dependencies['node-red'];
    const versions = Object.entries(packages).map(
      ([client, name]) => [client, JSON.parse(read(`node_modules/${name}/package.json`)).version] as const,
    );
    for (const [begins, installed] of [...versions, ['Node-RED', nodeRed] as const]) {
      const client = clients.find((one) => one.startsWith(begins)) ?? '';
      const [, version = ''] = /([\d.]+)[`)]*$/.exec(client) ?? [];
      assert.ok(`${installed}.`.startsWith(`${version}.`), `${client} is ${installed}`);
    }
  });
});
