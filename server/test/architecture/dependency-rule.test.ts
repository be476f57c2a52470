// The dependency rule, proven: each part of it fires on a file that breaks it. At length, the real tree breaks none.
// Alone in its process: a package that it imports awaits while it loads.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import configuration, { layers } from '../../../.dependency-cruiser.mjs';
import { itAtLength } from '../support/scale.ts';

const root = join(import.meta.dirname, '../../..');

/** A small tree that uses everything the rule allows. */
const lawful: Record<string, string> = {
  'server/src/foundation/clock.ts': 'export const now = () => 0;',
  'server/src/foundation/random.ts': "import { now } from './clock.ts';\nexport const seed = now;",
  'server/src/storage/database.ts':
    "import type { Kysely } from 'kysely';\nexport type Tx = Kysely<object>;\nexport const open = 1;",
  'server/src/storage/open.ts':
    "import { sql } from 'kysely';\nimport pg from 'pg';\nimport { DatabaseSync } from 'node:sqlite';\nimport { open } from './database.ts';\nexport const all = [sql, pg, DatabaseSync, open];",
  'server/src/contract/route.ts': 'export const call = {};',
  'server/src/contract/schemas.ts': "import { now } from '../foundation/clock.ts';\nexport const schema = now;",
  'server/src/http/app.ts':
    "import { routes } from '../lockout/index.ts';\nimport { call } from '../contract/route.ts';\nexport const app = [routes, call];",
  'server/src/lockout/pin.ts': "import { now } from '../foundation/clock.ts';\nexport const pin = now;",
  'server/src/lockout/store.ts':
    "import type { Tx } from '../storage/database.ts';\nexport type Store = (tx: Tx) => void;",
  'server/src/lockout/store.sql.ts':
    "import { sql } from 'kysely';\nimport type { Tx } from '../storage/database.ts';\nimport type { Store } from './store.ts';\nexport const store: Store = (tx: Tx) => void [tx, sql];",
  'server/src/lockout/routes.ts':
    "import { call } from '../contract/route.ts';\nimport { schema } from '../contract/schemas.ts';\nimport { pin } from './pin.ts';\nexport const routes = [pin, call, schema];",
  'server/src/lockout/line.ts': "import { schema } from '../contract/schemas.ts';\nexport const line = schema;",
  'server/src/lockout/index.ts':
    "export { line } from './line.ts';\nexport { pin } from './pin.ts';\nexport { routes } from './routes.ts';\nexport { store } from './store.sql.ts';",
  'server/src/lockout/pin.test.ts':
    "import { all } from '../storage/open.ts';\nimport { pin } from './pin.ts';\nvoid [all, pin];",
  'server/src/tokens/token.ts': 'export type Token = string;\nexport const token = 1;',
  'server/src/tokens/index.ts': "export { token, type Token } from './token.ts';",
  'server/src/sign-in/sign-in.ts':
    "import { authorize } from '../authorization/index.ts';\nimport { pin } from '../lockout/index.ts';\nimport type { Tx } from '../storage/database.ts';\nimport type { Token } from '../tokens/index.ts';\nexport const signIn = (tx: Tx, token: Token) => [tx, token, pin, authorize];",
  'server/src/slice.ts':
    "import type { call } from './contract/route.ts';\nimport type { Token } from './tokens/index.ts';\nexport type Slice = { routes: typeof call; token: Token };",
  'server/src/sign-in/slice.ts':
    "import type { Slice } from '../slice.ts';\nexport const slice: Slice | undefined = undefined;",
  'server/src/sign-in/index.ts': "export { signIn } from './sign-in.ts';\nexport { slice } from './slice.ts';",
  'server/src/registration/index.ts': 'export const register = 1;\nexport type Registration = 1;',
  'server/src/tracing/open.ts':
    "import { trace } from '@opentelemetry/api';\nimport type { Tx } from '../storage/database.ts';\nexport const tracing = (tx: Tx) => [tx, trace];",
  'server/src/authorization/index.ts': "import { token } from '../tokens/index.ts';\nexport const authorize = token;",
  'server/src/config/environment.ts': 'export const environment = 1;',
  'server/src/app/compose.ts':
    "import { app } from '../http/app.ts';\nimport { store } from '../lockout/index.ts';\nimport { signIn } from '../sign-in/index.ts';\nimport { all } from '../storage/open.ts';\nexport const composed = [app, store, signIn, all];",
  'server/src/cli/user.ts':
    "import { composed } from '../app/compose.ts';\nimport { signIn } from '../sign-in/index.ts';\nexport const user = [composed, signIn];",
  'server/src/cli/main.ts': "import { user } from './user.ts';\nvoid user;",
  'server/src/app/main.ts':
    "import { environment } from '../config/environment.ts';\nimport { tracing } from '../tracing/open.ts';\nimport { composed } from './compose.ts';\nvoid [composed, environment, tracing];",
  'server/test/support/help.ts': "import { composed } from '../../src/app/compose.ts';\nexport const help = composed;",
  'web/src/main.ts': 'export const page = 1;',
};

/** For each rule, files that break it and nothing else; one entry per way of breaking it. */
const unlawful: Record<string, Record<string, string>[]> = {
  'foundation-imports-nothing': [
    { 'server/src/foundation/ids.ts': "import { token } from '../tokens/index.ts';\nvoid token;" },
    { 'server/src/foundation/ids.ts': "import type { Tx } from '../storage/database.ts';\nexport type T = Tx;" },
  ],
  'capabilities-stand-alone': [
    { 'server/src/lockout/pins.ts': "import { token } from '../tokens/index.ts';\nvoid token;" },
    { 'server/src/lockout/pins.ts': "import type { Token } from '../tokens/index.ts';\nexport type T = Token;" },
    { 'server/src/lockout/pins.ts': "export type T = import('../tokens/index.ts').Token;" },
    { 'server/src/tokens/tokens.ts': "import { register } from '../registration/index.ts';\nvoid register;" },
  ],
  'core-points-down': [
    { 'server/src/authorization/other.ts': "import { register } from '../registration/index.ts';\nvoid register;" },
  ],
  'journeys-point-down': [
    {
      'server/src/sign-in/other.ts':
        "import type { Registration } from '../registration/index.ts';\nexport type R = Registration;",
    },
    { 'server/src/sign-in/other.ts': "export const later = () => import('../registration/index.ts');" },
  ],
  'slices-are-imported-by-index': [
    { 'server/src/sign-in/other.ts': "import { pin } from '../lockout/pin.ts';\nvoid pin;" },
    { 'server/src/http/pages.ts': "export type { Token } from '../tokens/token.ts';" },
    { 'server/src/cli/main.ts': "import { store } from '../lockout/store.sql.ts';\nvoid store;" },
  ],
  'contract-points-down': [
    { 'server/src/contract/other.ts': "import type { Token } from '../tokens/index.ts';\nexport type T = Token;" },
  ],
  'only-slices-have-a-contract': [
    { 'server/src/storage/other.ts': "import { schema } from '../contract/schemas.ts';\nvoid schema;" },
    { 'server/src/tracing/other.ts': "import { call } from '../contract/route.ts';\nvoid call;" },
  ],
  'only-routes-declare-calls': [
    { 'server/src/lockout/pins.ts': "import { call } from '../contract/route.ts';\nvoid call;" },
    { 'server/src/sign-in/dtos.ts': "import type { call } from '../contract/route.ts';\nexport type C = typeof call;" },
    {
      'server/src/contract/feed.ts': 'export const feed = 1;',
      'server/src/tokens/tokens.ts': "import { feed } from '../contract/feed.ts';\nvoid feed;",
    },
  ],
  'http-stands-above': [
    { 'server/src/sign-in/other.ts': "import { app } from '../http/app.ts';\nvoid app;" },
    {
      'server/src/http/errors.ts': 'export const errors = 1;',
      'server/src/tokens/routes.ts': "import { errors } from '../http/errors.ts';\nvoid errors;",
    },
  ],
  'only-stores-know-a-database': [
    { 'server/src/lockout/pins.ts': "import { sql } from 'kysely';\nvoid sql;" },
    { 'server/src/lockout/pins.ts': "import type { Kysely } from 'kysely';\nexport type K = Kysely<object>;" },
    { 'server/src/sign-in/other.ts': "import pg from 'pg';\nvoid pg;" },
    { 'server/src/http/pages.ts': "import { DatabaseSync } from 'node:sqlite';\nvoid DatabaseSync;" },
    { 'server/src/tokens/store.ts': "import { sql } from 'kysely';\nvoid sql;" },
  ],
  'storage-is-closed': [
    { 'server/src/tokens/store.sql.ts': "import { all } from '../storage/open.ts';\nvoid all;" },
    { 'server/src/http/health.ts': "import { all } from '../storage/open.ts';\nvoid all;" },
  ],
  'only-the-top-traces': [
    { 'server/src/lockout/pins.ts': "import { tracing } from '../tracing/open.ts';\nvoid tracing;" },
    { 'server/src/http/other.ts': "import { trace } from '@opentelemetry/api';\nvoid trace;" },
  ],
  'http-knows-no-database': [
    { 'server/src/tokens/routes.ts': "import type { Tx } from '../storage/database.ts';\nexport type T = Tx;" },
    { 'server/src/http/health.ts': "import type { Tx } from '../storage/database.ts';\nexport type T = Tx;" },
  ],
  'database-is-only-types-outside-storage': [
    { 'server/src/tokens/store.sql.ts': "import { open } from '../storage/database.ts';\nvoid open;" },
    {
      'server/src/sign-in/other.ts':
        "import { open, type Tx } from '../storage/database.ts';\nexport type T = Tx;\nvoid open;",
    },
  ],
  'top-level-is-the-top': [
    {
      'server/src/http/pages.ts': "import { other } from '../app/catalogue.ts';\nvoid other;",
      'server/src/app/catalogue.ts': 'export const other = 1;',
    },
    {
      'server/src/tokens/tokens.ts': "import type { Other } from '../config/docs.ts';\nexport type O = Other;",
      'server/src/config/docs.ts': 'export type Other = 1;',
    },
    {
      'server/src/cli/other.ts': 'export const other = 1;',
      'server/src/tokens/tokens.ts': "import { other } from '../cli/other.ts';\nvoid other;",
    },
  ],
  'nothing-else-loads-the-test-server': [
    {
      'server/src/app/main.ts': "import { state } from '../testing/state.ts';\nvoid state;",
      'server/src/testing/state.ts': 'export const state = 1;',
    },
    {
      'server/src/cli/serve.ts': "export const load = () => import('../testing/state.ts');",
      'server/src/testing/state.ts': 'export const state = 1;',
    },
  ],
  'clients-use-http-only': [
    { 'web/src/other.ts': "import type { Token } from '../../server/src/tokens/index.ts';\nexport type T = Token;" },
    { 'sdk/src/client.ts': "import { schema } from '../../server/src/contract/schemas.ts';\nvoid schema;" },
  ],
  'user-files-stand-alone': [
    { 'user-files/src/other.ts': "import { schema } from '../../server/src/contract/schemas.ts';\nvoid schema;" },
    { 'user-files/src/other.ts': "import { readFileSync } from 'node:fs';\nvoid readFileSync;" },
  ],
  'tests-are-not-imported': [
    {
      'server/src/tokens/other.ts': "import '../tokens/token.test.ts';",
      'server/src/tokens/token.test.ts': 'export {};',
    },
    { 'server/src/cli/main.ts': "import { help } from '../../test/support/help.ts';\nvoid help;" },
  ],
  'no-import-cycles': [
    {
      'server/src/tokens/one.ts': "import type { Two } from './two.ts';\nexport type One = Two[];",
      'server/src/tokens/two.ts': "import type { One } from './one.ts';\nexport type Two = One[];",
    },
  ],
  'imports-resolve': [{ 'server/src/tokens/other.ts': "import { gone } from './gone.ts';\nvoid gone;" }],
};

/** The names of the rules that the tree below `folder` breaks, each once. */
async function brokenRules(folder: string): Promise<string[]> {
  const { forbidden = [], options = {} } = configuration;
  const { enhancedResolveOptions, ...rest } = options;
  const places = ['server', 'web', 'sdk', 'user-files', 'scripts'].filter((place) =>
    readdirSync(folder).includes(place),
  );
  const { output } = await cruise(places, {
    ...rest,
    ...(enhancedResolveOptions ? { enhancedResolveOptions } : {}),
    baseDir: folder,
    validate: true,
    ruleSet: { forbidden },
  });
  const { summary } = output as ICruiseResult;
  return [...new Set(summary.violations.map((violation) => violation.rule.name))].sort();
}

function write(folder: string, files: Record<string, string>): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), `${text}\n`);
  }
}

describe('the dependency rule', () => {
  let folder = '';

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'latchkey-rule-'));
  });

  after(() => rmSync(folder, { recursive: true, force: true }));

  function plant(name: string, broken: Record<string, string>): string {
    const tree = join(folder, name);
    write(tree, { ...lawful, ...broken });
    symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'), 'dir');
    return tree;
  }

  it('lets pass what it allows', async () => {
    assert.deepEqual(await brokenRules(plant('lawful', {})), []);
  });

  it('has a proof for each of its parts', () => {
    assert.deepEqual(Object.keys(unlawful).sort(), configuration.forbidden?.map((rule) => rule.name).sort());
  });

  for (const [rule, ways] of Object.entries(unlawful)) {
    for (const [number, broken] of ways.entries()) {
      it(`${rule} fires on ${Object.keys(broken).at(-1)}, way ${number + 1}`, async () => {
        assert.deepEqual(await brokenRules(plant(`${rule}-${number}`, broken)), [rule]);
      });
    }
  }

  // In the short form, the check before the tests has looked.
  itAtLength('is kept by the real tree', async () => {
    assert.deepEqual(await brokenRules(root), [], '`npm run check` names the files');
  });

  it('knows the layer of every folder in server/src', () => {
    const known = Object.values(layers).flat();
    const unknown = readdirSync(join(root, 'server/src'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !known.includes(entry.name))
      .map((entry) => entry.name);
    assert.deepEqual(unknown, [], 'a new folder has to be given a layer in .dependency-cruiser.mjs');
  });
});
