// Generated requests: for each operation of an OpenAPI document valid ones, almost valid ones, and arbitrary ones.
import fc from 'fast-check';
import { USER_PASSWORD } from './service.ts';

type Schema = {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
};
type Parameter = { name: string; in: string; schema: Schema };
type Operation = {
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses?: Record<string, unknown>;
};

/** The part of an OpenAPI 3.1 document from which requests are generated. */
export type Document = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, unknown> };
};

export type GeneratedRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH';
  path: string;
  query: string;
  headers: Record<string, string>;
  body: string | Buffer | undefined;
};

/** Texts that have a meaning to some call. */
const words = [
  'admin',
  'person1',
  'person1@example.com',
  '+27821234567',
  'default-app',
  'Shesha.Security',
  'Latchkey.RateLimiting',
  'Abp.Zero.UserManagement.PasswordComplexity.RequireDigit',
  'Acme',
  'userName desc',
  USER_PASSWORD,
  '2026-11-21T00:00:00Z',
  '00000000-0000-4000-8000-000000000000',
  '123456',
];

const nasty = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    '',
    '\0',
    '__proto__',
    'constructor',
    '\ud800',
    '%',
    '\r\nx: y',
    '٣',
    'ﬀ',
    "' or 1=1 --",
  ),
  fc.constantFrom<unknown>(-1, 0, 1, 1e308, 2 ** 53, -(2 ** 63), 0.5, true, [], {}, ['a'], [['a']], { toString: 1 }),
  fc.constantFrom<unknown>(...words, 'true', '9999-12-31T23:59:60Z', 'x'.repeat(5000)),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.jsonValue(),
);

function textOf({ pattern = '', minLength = 0, maxLength = 300 }: Schema): fc.Arbitrary<unknown> {
  const form = new RegExp(pattern, 'u');
  const fits = (text: string) => text.length >= minLength && text.length <= maxLength && form.test(text);
  const known = words.filter(fits);
  const plain = fc.string({ minLength, maxLength: Math.min(maxLength, minLength + 30) }).filter(fits);
  // Random texts never match some patterns, such as that of an id: the words cover these.
  return known.length > 0 && pattern.includes('{')
    ? fc.constantFrom(...known)
    : fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...known, 'Per') }, plain);
}

/** Values that match a schema. */
function valid(schema: Schema): fc.Arbitrary<unknown> {
  const { type, minimum = -1000, maximum = 2 ** 31, minItems = 0, maxItems = 5 } = schema;
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(valid));
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if ('const' in schema) return fc.constant(schema.const);
  if (type === 'boolean') return fc.boolean();
  if (type === 'null') return fc.constant(null);
  if (type === 'integer') {
    const max = Math.min(maximum, 2 ** 31);
    // Small ones are existing ids.
    return fc.oneof(fc.integer({ min: minimum, max: Math.min(max, 100) }), fc.integer({ min: minimum, max }));
  }
  if (type === 'number') return fc.double({ min: minimum, max: maximum, noNaN: true });
  if (type === 'string') return textOf(schema);
  if (type === 'array')
    return fc.array(valid(schema.items ?? {}), { minLength: minItems, maxLength: Math.min(maxItems, 5) });
  if (type === 'object') return membersOf(schema.properties ?? {}, schema.required ?? []);
  return fc.oneof(fc.boolean(), fc.integer(), fc.constantFrom(...words), fc.jsonValue());
}

function membersOf(properties: Record<string, Schema>, requiredKeys: string[]) {
  const members = Object.entries(properties).map(([name, one]) => [name, valid(one)] as const);
  return fc.record(Object.fromEntries(members), { requiredKeys });
}

/** A valid value with one member missing, of the wrong kind, or in excess. */
function nearly(schema: Schema): fc.Arbitrary<unknown> {
  const names = [...Object.keys(schema.properties ?? {}), 'extra', 'constructor', 'toString'];
  return fc
    .tuple(valid(schema), fc.constantFrom(...names), fc.option(nasty, { nil: undefined }))
    .map(([value, name, other]) => ({ ...(value as object), [name]: other }));
}

const json = (value: unknown) => JSON.stringify(value) ?? '';

const brokenBodies = fc.oneof(
  fc.constantFrom(
    '',
    '{',
    '[]',
    'null',
    '"text"',
    '\ufeff{}',
    '{"a":1}{"b":2}',
    '['.repeat(5000),
    `"${'x'.repeat(70_000)}"`,
  ),
  fc.constantFrom('{"__proto__":{"isAdmin":true}}', '{"name":"\\ud800"}', '{"id":1e999}', '{"id":1,"id":2}'),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
);

/** Printable: a header can carry nothing else. */
const headerText = fc.oneof(
  fc.constantFrom(...words, '*/*', 'null', '127.0.0.1, 10.0.0.1', 'for="[::1]"'),
  fc.stringMatching(/^[ -~]{0,80}$/),
);
const headers = fc.record(
  {
    'sha-frontend-application': headerText,
    accept: headerText,
    'accept-language': headerText,
    'accept-encoding': headerText,
    'user-agent': headerText,
    origin: headerText,
    range: headerText,
    'if-none-match': headerText,
    'x-forwarded-for': headerText,
    forwarded: headerText,
    cookie: headerText,
    'x-http-method-override': headerText,
  },
  { requiredKeys: [] },
);
const contentTypes = fc.oneof(
  { weight: 8, arbitrary: fc.constant('application/json') },
  fc.constantFrom(
    'application/json; charset=utf-16',
    'text/plain',
    'multipart/form-data',
    'application/x-www-form-urlencoded',
  ),
  headerText,
);

/** Requests to one operation: usually by its own method, with its path in any spelling. */
function requestsTo(
  path: string,
  method: string,
  { parameters = [], requestBody }: Operation,
): fc.Arbitrary<GeneratedRequest> {
  const inQuery = parameters.filter((one) => one.in === 'query').map(({ name, schema }) => [name, schema] as const);
  const schema = requestBody?.content['application/json']?.schema ?? { type: 'object', properties: {} };
  const queried = Object.fromEntries([...inQuery, ...Object.entries(schema.properties ?? {})]);
  const asText = (value: unknown) => (typeof value === 'string' ? value : json(value));
  const queryOf = (members: unknown) =>
    new URLSearchParams(
      Object.entries(members as object).map(([name, value]) => [name, asText(value).toWellFormed()]),
    ).toString();
  const needed = Object.fromEntries(inQuery);
  const query = fc.oneof(
    {
      weight: 3,
      arbitrary: membersOf(
        needed,
        parameters.map(({ name }) => name).filter((name) => name in needed),
      ).map(queryOf),
    },
    nearly({ type: 'object', properties: queried }).map(queryOf),
    fc.constantFrom('%', '%00', 'a[b]=1', 'id=1&id=2', '__proto__=1', '='.repeat(500)),
  );
  const body = fc.oneof(
    { weight: 3, arbitrary: valid(schema).map(json) },
    { weight: 3, arbitrary: nearly(schema).map(json) },
    nasty.map(json),
    brokenBodies,
  );
  const spellings = [path, path, path, path.toLowerCase(), `${path}Async`, `${path}/`, path.replace('/api', '//api')];
  const own = method.toUpperCase() as GeneratedRequest['method'];
  return fc
    .record({
      method: fc.oneof(
        { weight: 12, arbitrary: fc.constant(own) },
        fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH'),
      ),
      path: fc.constantFrom(...spellings),
      query,
      headers,
      type: contentTypes,
      body,
    })
    .map(({ type, body, headers, ...request }) => ({
      ...request,
      headers: request.method === 'GET' ? headers : { ...headers, 'content-type': type },
      body: request.method === 'GET' ? undefined : body,
    }));
}

/** The same value, with references replaced by the schemas they name. */
function resolve<Value>(value: Value, schemas: Record<string, unknown>): Value {
  const prefix = '#/components/schemas/';
  const text = JSON.stringify(value, (_name, one) =>
    typeof one?.$ref === 'string' ? schemas[one.$ref.slice(prefix.length)] : one,
  );
  return JSON.parse(text);
}

/** Requests to every operation of the document, each equally likely. */
export function requestsOf({ paths, components }: Document): fc.Arbitrary<GeneratedRequest> {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody }]) =>
      requestsTo(path, method, resolve({ parameters, ...(requestBody && { requestBody }) }, components.schemas)),
    ),
  );
  return fc.oneof(...operations);
}
