// The dependency rule: imports point down, and other folders enter a slice through its index.ts.
// app, cli, config, tools → http, storage, extensions, tracing → journeys → core → capabilities → foundation.

/** The folders below server/src that make up each layer. A folder that stands in none of them is refused by a test. */
export const layers = {
  foundation: ['foundation'],
  capabilities: [
    'accounts',
    'passwords',
    'tokens',
    'pins',
    'lockout',
    'rate-limits',
    'providers',
    'security-questions',
    'delivery',
    'settings',
    'front-ends',
    'audit',
  ],
  /** What every journey goes through: built from capabilities, and shared by journeys. */
  core: ['owner-notices', 'external-logins', 'authentication', 'authorization'],
  journeys: ['sign-in', 'registration', 'password-reset', 'my-account', 'account-administration'],
  edge: ['http', 'storage', 'extensions', 'tracing'],
  /** The process: what reads the environment, puts slices together, and starts them. */
  top: ['app', 'cli', 'config', 'tools'],
};

const capability = `(${layers.capabilities.join('|')})`;
const journey = `(${layers.journeys.join('|')})`;
const slice = `(${[...layers.capabilities, ...layers.core, ...layers.journeys].join('|')})`;

const topLevel = `^server/src/(${layers.top.join('|')})/`;
const foundation = '^server/src/foundation/';
const contract = '^server/src/http/contract\\.ts$';
/** What a slice is, and what journeys are built from: types alone. */
const sliceTypes = '^server/src/slice\\.ts$';
const databaseTypes = '^server/src/storage/database\\.ts$';
/** Tests stand outside the layers: they put together what they try out. */
const tests = ['\\.test\\.ts$', '\\.contract\\.ts$'];

/** @type {import('dependency-cruiser').IConfiguration} */
const configuration = {
  forbidden: [
    {
      name: 'foundation-is-the-floor',
      comment: 'The foundation imports nothing of ours.',
      severity: 'error',
      from: { path: foundation, pathNot: tests },
      to: { path: '^server/src/', pathNot: foundation },
    },
    {
      name: 'capabilities-stand-alone',
      comment:
        'A capability imports the foundation and itself. What combines two is a journey, or is handed in by compose.',
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
      comment: 'A journey imports the core, capabilities and the foundation; never another journey.',
      severity: 'error',
      from: { path: `^server/src/${journey}/`, pathNot: tests },
      to: { path: `^server/src/(${layers.journeys.join('|')}|extensions)/`, pathNot: '^server/src/$1/' },
    },
    {
      name: 'slices-have-one-door',
      comment: 'From outside, a slice is entered through its index.ts.',
      severity: 'error',
      from: { path: '^server/src/([^/]+)', pathNot: tests },
      to: { path: `^server/src/${slice}/`, pathNot: ['^server/src/$1/', '^server/src/[^/]+/index\\.ts$'] },
    },
    {
      name: 'only-routes-know-http',
      comment: 'Of a slice, only routes.ts may know that there is HTTP. The type of a slice names its routes.',
      severity: 'error',
      from: {
        path: '^server/src/',
        pathNot: [topLevel, '^server/src/http/', '/routes\\.ts$', sliceTypes, foundation, ...tests],
      },
      to: { path: '^server/src/http/' },
    },
    {
      name: 'routes-know-only-the-contract',
      comment:
        'Routes describe themselves in the words of http/contract.ts; how they are served is not their business.',
      severity: 'error',
      from: { path: `^server/src/${slice}/routes\\.ts$` },
      to: { path: '^server/src/http/', pathNot: contract },
    },
    {
      name: 'only-stores-know-a-database',
      comment: 'Database drivers and the query builder stand in storage/ and in store.*.ts.',
      severity: 'error',
      from: { path: '^server/src/', pathNot: ['^server/src/storage/', '/store\\.[^/]+\\.ts$', ...tests] },
      to: { path: ['(^|/)node_modules/(kysely|pg)/', '^(node:)?sqlite$', '^(kysely|pg)$'] },
    },
    {
      name: 'storage-is-closed',
      comment:
        'The top level opens the storage and hands it down; the only file that others may name is storage/database.ts.',
      severity: 'error',
      from: { path: '^server/src/', pathNot: [topLevel, '^server/src/storage/', foundation, ...tests] },
      to: { path: '^server/src/storage/', pathNot: databaseTypes },
    },
    {
      name: 'only-the-top-traces',
      comment: 'Tracing is wrapped around what the top level hands down: nobody else knows it, or OpenTelemetry.',
      severity: 'error',
      from: { path: '^server/src/', pathNot: [topLevel, '^server/src/tracing/', ...tests] },
      to: { path: ['^server/src/tracing/', '(^|/)node_modules/@opentelemetry/'] },
    },
    {
      name: 'http-knows-no-database',
      comment: 'Transactions are the business of services and stores; what speaks HTTP asks those.',
      severity: 'error',
      from: { path: ['^server/src/http/', '/routes\\.ts$'], pathNot: tests },
      to: { path: databaseTypes },
    },
    {
      name: 'database-is-only-types-outside-storage',
      comment: 'Slices take the types of storage/database.ts; the database itself is handed in.',
      severity: 'error',
      from: { path: `^server/src/${slice}/`, pathNot: tests },
      to: { path: databaseTypes, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'top-level-is-the-top',
      comment: 'The process puts things together; nothing below may import it.',
      severity: 'error',
      from: { path: '^server/src/', pathNot: [topLevel, foundation, ...tests] },
      to: { path: topLevel },
    },
    {
      name: 'clients-are-strangers',
      comment: 'The pages and the SDK know the service by its HTTP interface alone.',
      severity: 'error',
      from: { path: '^(web|sdk)/' },
      to: { path: '^server/' },
    },
    {
      name: 'tests-are-not-imported',
      comment: 'What runs in production does not lean on tests or their helpers.',
      severity: 'error',
      from: { path: '^(server|web|sdk)/', pathNot: ['^server/test/', ...tests] },
      to: { path: ['^server/test/', ...tests] },
    },
    {
      name: 'no-circles',
      comment: 'Files that import each other in a circle are one thing in several places. Types count too.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'imports-resolve',
      comment: 'An import that leads nowhere escapes every rule above.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^web/dist/' },
    // TypeScript 7 has no interface for tools; its own companion package (TypeScript 6 under the name that tools
    // look for) parses here. "true" counts imports of types as well.
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
