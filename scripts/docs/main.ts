// Generates the reference in docs/reference, and the types of the browser client and of extensions. CI checks that they are current.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { IsArray, IsObject, type TSchema } from 'typebox';
import { actions, errorKinds, settingDefinitions } from '../../server/src/app/catalogue.ts';
import { outboxChannels } from '../../server/src/app/channels.ts';
import { composeService } from '../../server/src/app/compose.ts';
import { createLogger } from '../../server/src/app/log.ts';
import { programs } from '../../server/src/applications/programs.ts';
import { VERSION } from '../../server/src/config/version.ts';
import { createJsonSchema } from '../../server/src/configuration/json-schema.ts';
import { standards } from '../../server/src/conformance/index.ts';
import type { Route } from '../../server/src/contract/route.ts';
import { noAdditions } from '../../server/src/extensions/additions.ts';
import { systemClock } from '../../server/src/foundation/clock.ts';
import { createEgress, parseEgressAllowance } from '../../server/src/foundation/egress.ts';
import { isObject } from '../../server/src/foundation/object.ts';
import { systemRandom } from '../../server/src/foundation/random.ts';
import type { SettingDefinition } from '../../server/src/foundation/setting.ts';
import { createOpenApiDocument } from '../../server/src/http/openapi.ts';
import { openDatabase } from '../../server/src/storage/open.ts';
import { root } from '../layout.mjs';
import { conformancePage } from './conformance-page.ts';
import { extensionTypes } from './extension-types.ts';
import { code, page, table } from './markdown.ts';
import { openApiTypes, sdkCalls } from './sdk-calls.ts';

/** Composing a service needs an issuer. No generated file contains it. */
const ISSUER = 'http://localhost:8080';

function errorsPage(): string {
  const rows = errorKinds
    .toSorted((a, b) => a.reason.localeCompare(b.reason))
    .map(({ reason, status, message }) => [code(reason), String(status), message]);
  return page(
    'Errors',
    'Every failed call under `/api` answers with one of these reasons in `error.reason`. Reasons are stable; messages are for people and may change.',
    table(['reason', 'status', 'message'], rows),
  );
}

function eventsPage(): string {
  const rows = actions
    .toSorted((a, b) => a.name.localeCompare(b.name))
    .map(({ name, description }) => [code(name), description]);
  return page(
    'Events',
    'The service writes each event to the audit trail, in the transaction of the change that it describes, and publishes it when that transaction is durable. The outcome is `success` or `refused`. A refusal has the reason of its error. What a session can repeat without a limit, such as a refresh or a refusal, is published each time. The audit trail has one entry a minute for each session, action, and reason or details, and another entry when the minute is over: its details hold how often this was `repeated`, and `lastAt`, the time of the last repetition.',
    table(['action', 'when'], rows),
  );
}

/** Describes the bounds of a schema. */
function describeBounds(schema: TSchema): string {
  const members: Record<string, unknown> = { ...schema };
  const { type, enum: choices, minimum, maximum, minLength, maxLength, maxItems } = members;
  const labels = Array.isArray(members['x-labels']) ? members['x-labels'] : [];
  const meaningOfChoice = (choice: unknown, label: unknown) => {
    const isPlain = label === undefined || String(label).toLowerCase() === String(choice);
    return isPlain ? String(choice) : `${choice}: ${label}`;
  };
  if (Array.isArray(choices)) return choices.map((choice, at) => meaningOfChoice(choice, labels[at])).join(', ');
  const unit = 'x-unit' in schema ? ` ${schema['x-unit']}` : '';
  if (type === 'boolean') return 'yes or no';
  if (type === 'array') return `a list of up to ${maxItems}`;
  if (minimum !== undefined) return `${minimum}–${maximum}${unit}`;
  const length = minLength === maxLength ? maxLength : `${minLength ?? 0}–${maxLength}`;
  return `text of ${length} characters`;
}

/** Formats a default for the cell of a table. */
function describeDefault(value: unknown): string {
  const text = typeof value === 'string' && value !== '' ? value : JSON.stringify(value);
  return text.split('\n').filter(Boolean).map(code).join('<br>');
}

const fieldsOf = (schema: TSchema | undefined) => (IsObject(schema) ? Object.entries(schema.properties) : []);

const meaningOf = (member: TSchema) => ('description' in member ? String(member.description) : '');

/** Describes the entries of a list, and its default. */
function describeList(schema: TSchema, initial: unknown): string[] {
  const fields = fieldsOf(IsArray(schema) ? schema.items : undefined);
  const entries: readonly Record<string, unknown>[] = Array.isArray(initial) ? initial : [];
  return [
    `The value is ${describeBounds(schema)}. It replaces the present list as a whole. The fields of an entry:`,
    table(
      ['field', 'range', 'meaning'],
      fields.map(([field, member]) => [code(field), describeBounds(member), meaningOf(member)]),
    ),
    'Default:',
    table(
      fields.map(([field]) => field),
      entries.map((entry) => fields.map(([field]) => String(entry[field]))),
    ),
  ];
}

/** Describes what a message may hold. */
function describePlaceholders(schema: TSchema): string[] {
  const known = 'x-placeholders' in schema ? schema['x-placeholders'] : undefined;
  if (!isObject(known)) return [];
  const entries = Object.entries(known).map(([name, meaning]) => `${code(`{{${name}}}`)} (${meaning})`);
  return [`Its texts may hold ${entries.join(', ')}.`];
}

function settingSection({
  name,
  scope,
  category,
  label,
  description,
  kind,
  schema,
  default: initial,
  public: open,
}: SettingDefinition) {
  const head = `## ${label}`;
  const facts = [
    code(name),
    category,
    scope === 'general' ? 'general' : 'per front end',
    open ? 'public' : 'administrators',
  ]
    .filter(Boolean)
    .join(' · ');
  if (kind === 'value')
    return [head, facts, `${description} Default ${code(String(initial))} (${describeBounds(schema)}).`].join('\n\n');
  if (kind === 'list') return [head, facts, description, ...describeList(schema, initial)].join('\n\n');
  const fields = fieldsOf(schema);
  const rows = fields.map(([field, member]) => [
    code(field),
    describeDefault(isObject(initial) ? initial[field] : undefined),
    describeBounds(member),
    meaningOf(member),
  ]);
  const known = describePlaceholders(schema);
  return [head, facts, description, ...known, table(['field', 'default', 'range', 'meaning'], rows)].join('\n\n');
}

function settingsPage(): string {
  return page(
    'Settings',
    'Administrators change settings while the service runs, through the API or the settings page. A change applies to the next request, and within 2 s on every other node.',
    ...settingDefinitions.map(settingSection),
  );
}

const accessOf: Readonly<Record<string, string>> = {
  public: 'public',
  bearer: 'signed in',
  token: 'signed in',
  'own or Pages.Users': 'signed in; of others `Pages.Users`',
};

function apiPage(routes: readonly Route[]): string {
  const rows = routes.map(({ method, path, access, limit, summary }) => [
    method,
    code(path),
    accessOf[access] ?? code(access),
    limit ?? '',
    summary,
  ]);
  return page(
    'HTTP API',
    'Paths match in any case, with and without the suffix `Async`. A running service describes all calls at `/openapi.json`: OpenAPI 3.1, with operation ids and named schemas for generated clients. Calls that need a permission also take a [service key that manages](../guide/managing-from-a-server.md) with it.',
    table(['method', 'path', 'access', 'rate limit', 'what it does'], rows),
  );
}

/** What stands for the program in a sentence, where its name does not. */
const kindsOfPrograms: Readonly<Record<string, string>> = {
  'single-page-app': 'a single-page app',
  'mobile-app': 'a mobile app',
  machine: 'a machine',
};

/** What a reader of the page of a program may need besides. */
const notesOfPrograms: Readonly<Record<string, string>> = {
  immich:
    'The lines to paste are the part `oauth` of the configuration file of Immich. Without such a file, fill in the same values on its page *Administration*, *Settings*, *OAuth Authentication*. `mobileRedirectUri` leads the mobile app to its own address.',
  nextjs:
    'If you do not use Auth.js already, [`latchkey-sdk/next`](sessions.md#nextjs) is shorter and notices ended sessions at once.',
};

/** What holds for a program once it is connected. */
const detailsOfPrograms: Readonly<Record<string, string>> = {
  machine:
    'The claim `aud` of the token is the resource. Without one it is the client id: an API that [verifies tokens](verifying-tokens.md) for its own `audience` refuses that token. Several instances that ask for the same scopes and resource share a grant: if one of them revokes its token, the tokens of all end.',
};

function programPage({ key, name, values, asks, snippet }: (typeof programs)[number]): string {
  const answers = Object.fromEntries(asks.map(({ name: ask, example }) => [ask, example]));
  const known: Readonly<Record<string, string>> = {
    ...answers,
    issuer: 'https://id.example.com',
    clientId: 'CLIENT_ID',
    clientSecret: 'CLIENT_SECRET',
    random: 'RANDOM_TEXT',
  };
  const fill = (text: string) => text.replace(/\{\{(\w+)\}\}/g, (found, member) => known[member] ?? found);
  const asked = asks.map(({ label, example }) => `${label}: for example ${code(example)}.`);
  const rows = Object.entries(values).map(([member, value]) => [
    code(member),
    [value]
      .flat()
      .map((one) => code(fill(String(one))))
      .join('<br>'),
  ]);
  const shown = snippet.includes('{{clientSecret}}')
    ? 'your addresses, your client id and your client secret'
    : 'your addresses and your client id';
  const [note, details] = [notesOfPrograms[key], detailsOfPrograms[key]];
  return page(
    `Connect ${kindsOfPrograms[key] ?? name}`,
    [
      values.kind === 'machine'
        ? 'It calls APIs for itself, with access tokens of Latchkey.'
        : 'People sign in to it with their Latchkey account.',
      '[Sign in with Latchkey](sign-in-with-latchkey.md) says what holds for every program.',
    ].join(' '),
    ...(note === undefined ? [] : [note]),
    '## Register it',
    [`Open Applications, \`/app/applications\`, add an application, and choose *${name}*.`, ...asked].join(' '),
    'The page fills these members in. All others have their defaults.',
    table(['member', 'value'], rows),
    '## Paste these lines',
    `The page shows them with ${shown}.`,
    `\`\`\`text\n${fill(snippet).trimEnd()}\n\`\`\``,
    ...(details === undefined ? [] : [details]),
  );
}

/** Returns the routes of a service, which is composed with a database in memory. */
async function readRoutes(): Promise<readonly Route[]> {
  const database = await openDatabase('sqlite::memory:');
  const service = await composeService({
    additions: noAdditions,
    database,
    secret: 'never used for anything but this reference',
    issuer: ISSUER,
    corsOrigins: [],
    relyingParty: { id: new URL(ISSUER).hostname, origins: [ISSUER] },
    hashThreads: 1,
    egress: createEgress({ allowance: parseEgressAllowance(''), isDevelopment: false }),
    channels: outboxChannels(() => {}),
    clock: systemClock,
    random: systemRandom,
    log: createLogger('silent'),
  });
  await database.close();
  return service.routes;
}

const routes = await readRoutes();

/** The generated texts, by path in the checkout. */
const files: Readonly<Record<string, string>> = {
  'docs/reference/errors.md': errorsPage(),
  'docs/reference/events.md': eventsPage(),
  'docs/reference/settings.md': settingsPage(),
  'docs/reference/http-api.md': apiPage(routes),
  'docs/reference/conformance.md': conformancePage(standards, settingDefinitions),
  ...Object.fromEntries(programs.map((program) => [`docs/guide/connect-${program.key}.md`, programPage(program)])),
  'docs/reference/configuration.schema.json': `${JSON.stringify(createJsonSchema(settingDefinitions), undefined, 1)}\n`,
  'server/extension.d.ts': extensionTypes(root),
  'sdk/src/calls.gen.ts': sdkCalls(routes, errorKinds),
  'sdk/src/openapi.gen.ts': await openApiTypes(createOpenApiDocument({ routes, issuer: ISSUER, version: VERSION })),
};

function isCurrent(path: string): boolean {
  try {
    return readFileSync(join(root, path), 'utf8') === files[path];
  } catch {
    return false;
  }
}

const stale = Object.keys(files).filter((path) => !isCurrent(path));
if (process.argv.includes('--check')) {
  if (stale.length > 0) {
    process.stderr.write(`Not current: ${stale.join(', ')}. Run npm run docs.\n`);
    process.exitCode = 1;
  }
} else {
  for (const path of stale) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), files[path] ?? '');
  }
  process.stdout.write(stale.length === 0 ? 'Nothing to change.\n' : `Wrote ${stale.join(', ')}.\n`);
}
