// The OpenAPI document: made from the routes, with the same schemas that check requests and describe answers.
import { isDeepStrictEqual } from 'node:util';
import { type TObject, type TSchema, Type } from 'typebox';
import { queryMembers } from '../contract/input.ts';
import type { Route } from '../contract/route.ts';
import { NamedObject } from '../contract/schemas.ts';
import { servicePermissions } from '../foundation/permissions.ts';
import { failureSchema, successSchema } from './envelope.ts';

export type OpenApiDeps = {
  readonly routes: readonly Route[];
  /** The public URL of the service. */
  readonly issuer: string;
  readonly version: string;
};

const reference = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });
const filesOf = (types: readonly string[]) => ({
  content: Object.fromEntries(types.map((type) => [type, { schema: { type: 'string' } }])),
});
const json = (schema: unknown) => ({ content: { 'application/json': { schema } } });

/** The members of every successful answer besides its `result`. */
const { result: _, ...successMembers } = successSchema(Type.Null()).properties;
const SuccessEnvelope = NamedObject('SuccessEnvelope', successMembers);

const headers = {
  RateLimit: {
    description: 'The rest of the budget, and the seconds until it is full again: `"login";r=9;t=60`.',
    schema: { type: 'string' },
  },
  'RateLimit-Policy': {
    description: 'The budget of a network address, and its window in seconds: `"login";q=10;w=60`.',
    schema: { type: 'string' },
  },
  'Retry-After': {
    description: 'Seconds to wait before the same call may succeed.',
    schema: { type: 'integer', minimum: 1 },
  },
  'WWW-Authenticate': {
    description: 'The challenge when the bearer token is missing or not accepted (RFC 6750).',
    schema: { type: 'string' },
  },
};
type HeaderName = keyof typeof headers;

/** The answers of failed calls: their description and headers. */
const failures = {
  BadRequest: ['The input is not valid, or a rule refuses it.', []],
  Unauthorized: ['The token or the proof is not accepted.', ['Retry-After', 'WWW-Authenticate']],
  Forbidden: ['The caller may not do this, or must change the password first.', []],
  TooManyRequests: ['The budget is used up.', ['RateLimit', 'RateLimit-Policy', 'Retry-After']],
  Unavailable: ['The service cannot answer at the moment.', ['Retry-After']],
  Failure: ['Any other failure.', []],
} as const satisfies Record<string, readonly [string, readonly HeaderName[]]>;
type FailureName = keyof typeof failures;

const headersOf = (names: readonly HeaderName[]) =>
  names.length > 0 && { headers: Object.fromEntries(names.map((name) => [name, reference('headers', name)])) };

/** Replaces each schema with a `title` by a reference, and collects them by that title. */
function createNamedSchemas() {
  const named: Record<string, object> = {};
  function refer(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(refer);
    if (typeof value !== 'object' || value === null) return value;
    const { title, ...schema } = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, refer(one)]));
    if (typeof title !== 'string') return title === undefined ? schema : { ...schema, title };
    if (named[title] && !isDeepStrictEqual(named[title], schema)) throw new Error(`Two schemas are named ${title}.`);
    named[title] = schema;
    return reference('schemas', title);
  }
  return { named, refer };
}

/** Returns the OpenAPI 3.1 document. @throws Error if two different schemas have one title. */
export function createOpenApiDocument({ routes, issuer, version }: OpenApiDeps) {
  const { named, refer } = createNamedSchemas();

  function operationOf(route: Route) {
    const tag = route.path.split('/').at(-2) ?? '';
    const call = route.path.split('/').at(-1) ?? '';
    const parameters = parametersOf(route).map(({ schema, ...parameter }) => ({ ...parameter, schema: refer(schema) }));
    const result = Type.Object({ result: route.result });
    return {
      operationId: `${tag}_${call}`,
      summary: route.summary,
      tags: [tag],
      ...(parameters.length > 0 && { parameters }),
      ...(route.body && {
        requestBody: {
          required: isBodyRequired(route.body, parameters),
          ...json(refer({ title: `${tag}${call}Input`, ...route.body })),
        },
      }),
      ...securityOf(route),
      ...permissionOf(route),
      responses: {
        200: {
          description: 'The call succeeded.',
          ...headersOf(route.limit ? ['RateLimit', 'RateLimit-Policy'] : []),
          ...(route.files ? filesOf(route.files) : json({ allOf: [refer(SuccessEnvelope), refer(result)] })),
        },
        ...failuresOf(route),
      },
    };
  }

  const failure = json(refer(failureSchema));
  const responses = Object.entries(failures).map(([name, [description, headerNames]]) => [
    name,
    { description, ...headersOf(headerNames), ...failure },
  ]);
  const paths = routes.map((route) => [route.path, { [route.method.toLowerCase()]: operationOf(route) }]);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Latchkey',
      version,
      description:
        'A self-hosted authentication service. Paths are matched without regard to case, with and without the suffix Async. A call with x-permission is for callers who have that permission, and for service keys that manage with it.',
    },
    servers: [{ url: issuer }],
    paths: Object.fromEntries(paths),
    components: {
      schemas: Object.fromEntries(Object.entries(named).sort(([a], [b]) => (a < b ? -1 : 1))),
      responses: Object.fromEntries(responses),
      headers,
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
    },
  };
}

/** Returns the arguments of a call in its query string. */
function parametersOf(route: Route) {
  const members: Record<string, TSchema & { description?: string }> = (route.body ?? route.query)?.properties ?? {};
  return queryMembers(route).map((name) => {
    const { description, ...schema } = members[name] ?? {};
    const text = [description, route.body && 'You may send it in the body instead. The body wins.']
      .filter(Boolean)
      .join(' ');
    return {
      name,
      in: 'query',
      required: route.query?.required?.includes(name) ?? false,
      ...(text && { description: text }),
      schema,
    };
  });
}

/** Returns whether the call requires a member that the query string cannot hold. */
function isBodyRequired({ properties, required }: TObject, parameters: readonly { name: string }[]) {
  return Object.keys(properties).some(
    (member) => required?.includes(member) && parameters.every(({ name }) => name !== member),
  );
}

function securityOf({ access, optionalAuth }: Route) {
  if (access !== 'public') return { security: [{ bearer: [] }] };
  return optionalAuth ? { security: [{ bearer: [] }, {}] } : {};
}

/** A service key that manages with the permission may make the call, too. */
function permissionOf({ access }: Route) {
  return servicePermissions.some((permission) => permission === access) && { 'x-permission': access };
}

function failuresOf({ method, access, body, query, limit, whileRestricted, refusals = [] }: Route) {
  const needsToken = access !== 'public';
  const mayBeDenied = needsToken && access !== 'bearer' && !(access === 'token' && whileRestricted);
  const names: Record<string, FailureName | false | undefined> = {
    400: (body || query || method !== 'GET') && 'BadRequest',
    401: (needsToken || refusals.includes(401)) && 'Unauthorized',
    403: (mayBeDenied || refusals.includes(403)) && 'Forbidden',
    429: limit && 'TooManyRequests',
    503: 'Unavailable',
    default: 'Failure',
  };
  const given = Object.entries(names).flatMap(([status, name]) =>
    name ? [[status, reference('responses', name)] as const] : [],
  );
  return Object.fromEntries(given);
}
