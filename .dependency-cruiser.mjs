// The dependency rule: imports point down, and other folders import a slice through its index.ts.
// app, cli, config → http, storage, extensions, tracing → journeys → core → capabilities → contract → foundation.

/** The folders below server/src, by layer. A test rejects a folder that belongs to no layer. */
export const layers = {
  foundation: ['foundation'],
  /** The words in which slices declare their calls. */
  contract: ['contract'],
  capabilities: [
    'accounts',
    'roles',
    'passwords',
    'tokens',
    'budgets',
    'lockout',
    'rate-limits',
    'providers',
    'factors',
    'security-questions',
    'delivery',
    'settings',
    'front-ends',
    'brands',
    'service-keys',
    'applications',
    'audit',
    'counters',
  ],
  /** Parts that journeys share, built from capabilities. */
  core: [
    'proofs',
    'owner-notices',
    'grants',
    'oauth',
    'sign-outs',
    'external-logins',
    'sign-in-ways',
    'authentication',
    'authorization',
    'account-factors',
    'account-changes',
  ],
  journeys: [
    'abp-compatibility',
    'sign-in',
    'registration',
    'password-reset',
    'my-account',
    'my-factors',
    'account-administration',
    'account-import',
    'persons',
    'message-tests',
    'introspection',
    'openid',
    'revocation-feed',
    'webhooks',
    'overview',
  ],
  edge: ['http', 'storage', 'extensions', 'tracing'],
  /** The process: reads the environment, composes the slices and starts them. */
  top: ['app', 'cli', 'config', 'configuration', 'verifier', 'testing', 'conformance'],
};

const capability = `(${layers.capabilities.join('|')})`;
const journey = `(${layers.journeys.join('|')})`;
const slice = `(${[...layers.capabilities, ...layers.core, ...layers.journeys].join('|')})`;

const topLevel = `^server/src/(${layers.top.join('|')})/`;
const foundation = '^server/src/foundation/';
const contract = '^server/src/contract/';
/** The routes of a slice, in one file or several. */
const routes = ['/routes\\.ts$', '/routes\\.[^/]+\\.ts$'];
const databaseTypes = '^server/src/storage/database\\.ts$';
/** Tests are outside the layers: they compose the parts that they test. */
const tests = ['\\.test\\.ts$', '\\.contract\\.ts$'];

/** @type {import('dependency-cruiser').IConfiguration} */
const configuration = {
  forbidden: [
    {
      name: 'foundation-imports-nothing',
      comment: 'The foundation imports no other folder of the server.',
      severity: 'error',
      from: { path: foundation, pathNot: tests },
      to: { path: '^server/src/', pathNot: foundation },
    },
    {
      name: 'capabilities-stand-alone',
      comment:
        'A capability imports the foundation and itself. A journey combines capabilities, or app/capabilities.ts passes one to another.',
      severity: 'error',
      from: { path: `^server/src/${capability}/`, pathNot: tests },
      to: {
        path: `^server/src/(${[...layers.capabilities, ...layers.core, ...layers.journeys].join('|')}|extensions)/`,
        pathNot: '^server/src/$1/',
      },
    },
    {
      name: 'core-points-down',
      comment: 'The core imports capabilities, the foundation and other parts of the core.',
      severity: 'error',
      from: { path: `^server/src/(${layers.core.join('|')})/`, pathNot: tests },
      to: { path: `^server/src/(${layers.journeys.join('|')}|extensions)/` },
    },
    {
      name: 'journeys-point-down',
      comment: 'A journey imports the core, capabilities and the foundation, and never another journey.',
      severity: 'error',
      from: { path: `^server/src/${journey}/`, pathNot: tests },
      to: { path: `^server/src/(${layers.journeys.join('|')}|extensions)/`, pathNot: '^server/src/$1/' },
    },
    {
      name: 'slices-are-imported-by-index',
      comment: 'Other folders import a slice through its index.ts.',
      severity: 'error',
      from: { path: '^server/src/([^/]+)', pathNot: tests },
      to: {
        path: `^server/src/${slice}/`,
        pathNot: ['^server/src/$1/', '^server/src/[^/]+/index\\.ts$', '^server/src/providers/apis/index\\.ts$'],
      },
    },
    {
      name: 'contract-points-down',
      comment: 'The contract imports the foundation and itself.',
      severity: 'error',
      from: { path: contract, pathNot: tests },
      to: { path: '^server/src/', pathNot: [contract, foundation] },
    },
    {
      name: 'only-slices-have-a-contract',
      comment: 'The storage and tracing know no calls.',
      severity: 'error',
      from: { path: '^server/src/(storage|tracing)/', pathNot: tests },
      to: { path: contract },
    },
    {
      name: 'only-routes-declare-calls',
      comment: 'In a slice, only routes.ts and routes.*.ts declare calls. The type of a slice names its routes.',
      severity: 'error',
      from: { path: `^server/src/${slice}/`, pathNot: [...routes, ...tests] },
      to: { path: '^server/src/contract/(route|feed)\\.ts$' },
    },
    {
      name: 'http-stands-above',
      comment: 'Slices declare calls, and do not depend on how they are served.',
      severity: 'error',
      from: { path: '^server/src/', pathNot: [topLevel, '^server/src/http/', foundation, contract, ...tests] },
      to: { path: '^server/src/http/' },
    },
    {
      name: 'only-stores-know-a-database',
      comment: 'Only storage/ and store.*.ts import database drivers and the query builder.',
      severity: 'error',
      from: { path: '^server/src/', pathNot: ['^server/src/storage/', '/store\\.[^/]+\\.ts$', ...tests] },
      to: { path: ['(^|/)node_modules/(kysely|pg)/', '^(node:)?sqlite$', '^(kysely|pg)$'] },
    },
    {
      name: 'storage-is-closed',
      comment: 'The top level opens the storage and passes it down. Other folders may import only storage/database.ts.',
      severity: 'error',
      from: { path: '^server/src/', pathNot: [topLevel, '^server/src/storage/', foundation, ...tests] },
      to: { path: '^server/src/storage/', pathNot: databaseTypes },
    },
    {
      name: 'only-the-top-traces',
      comment:
        'The top level wraps tracing around the parts that it passes down. Only it imports tracing and OpenTelemetry.',
      severity: 'error',
      from: { path: '^server/src/', pathNot: [topLevel, '^server/src/tracing/', ...tests] },
      to: { path: ['^server/src/tracing/', '(^|/)node_modules/@opentelemetry/'] },
    },
    {
      name: 'http-knows-no-database',
      comment: 'Services and stores run transactions. HTTP code calls them.',
      severity: 'error',
      from: { path: ['^server/src/http/', contract, ...routes], pathNot: tests },
      to: { path: databaseTypes },
    },
    {
      name: 'database-is-only-types-outside-storage',
      comment: 'Slices import only types of storage/database.ts, and receive the database as an argument.',
      severity: 'error',
      from: { path: `^server/src/${slice}/`, pathNot: tests },
      to: { path: databaseTypes, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'top-level-is-the-top',
      comment: 'The top level composes the service. No lower layer may import it.',
      severity: 'error',
      from: { path: '^server/src/', pathNot: [topLevel, foundation, ...tests] },
      to: { path: topLevel },
    },
    {
      name: 'nothing-else-loads-the-test-server',
      comment: 'The test server signs in without a proof. Its command is its only door.',
      severity: 'error',
      from: { path: '^server/src/', pathNot: ['^server/src/testing/', '^server/src/cli/test-server\\.ts$', ...tests] },
      to: { path: '^server/src/testing/' },
    },
    {
      name: 'clients-use-http-only',
      comment: 'The pages and the SDK use the service only through its HTTP interface.',
      severity: 'error',
      from: { path: '^(web|sdk)/' },
      to: { path: '^server/' },
    },
    {
      name: 'user-files-stand-alone',
      comment: 'The reader of files of users runs in the command line and in browsers. It imports nothing of either.',
      severity: 'error',
      from: { path: '^user-files/', pathNot: tests },
      to: { path: ['^(server|web|sdk)/', '^node:', '^(fs|path|crypto|buffer|stream|zlib)$'] },
    },
    {
      name: 'tests-are-not-imported',
      comment: 'Production code does not import tests or their helpers.',
      severity: 'error',
      from: { path: '^(server|web|sdk|user-files)/', pathNot: ['^server/test/', ...tests] },
      to: { path: ['^server/test/', ...tests] },
    },
    {
      name: 'no-import-cycles',
      comment: 'Files do not import each other in a cycle. Imports of types count too.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'imports-resolve',
      comment: 'An import that does not resolve would escape all rules above. Applications bring Next.js themselves.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^next/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^web/dist/' },
    // TypeScript 7 has no API for tools, so its companion package parses here: TypeScript 6, under the name that tools
    // expect. "true" includes imports of types.
    parser: 'tsc',
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['node', 'import', 'types', 'default'],
      mainFields: ['main', 'types'],
      extensions: ['.ts', '.mjs', '.js', '.d.ts'],
    },
  },
};

export default configuration;
