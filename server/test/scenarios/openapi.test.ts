// The OpenAPI document: valid, complete, and with the names that generated clients need.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Type } from 'typebox';
import { defineRoute } from '../../src/contract/route.ts';
import { NamedObject } from '../../src/contract/schemas.ts';
import { servicePermissions } from '../../src/foundation/permissions.ts';
import { successSchema } from '../../src/http/envelope.ts';
import { createOpenApiDocument } from '../../src/http/openapi.ts';
import { startTestService, type TestService } from '../support/service.ts';

type Schema = {
  $ref?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  allOf?: Schema[];
};
type Response = { $ref?: string; headers?: Record<string, unknown>; content?: Record<string, { schema: Schema }> };
type Operation = {
  operationId: string;
  tags: string[];
  security?: object[];
  'x-permission'?: string;
  parameters?: { name: string; in: string; required: boolean; schema: Schema }[];
  requestBody?: { required: boolean; content: Record<string, { schema: Schema }> };
  responses: Record<string, Response>;
};
type Document = {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, Response> };
};

const JSON_TYPE = 'application/json';

/** Where a schema holds unnamed objects. */
function findUnnamed(schema: Schema, place: string): string[] {
  if (schema.$ref) return [];
  if (schema.properties) return [place];
  return [schema.items, ...(schema.anyOf ?? [])].flatMap((part) => (part ? findUnnamed(part, place) : []));
}

describe('the OpenAPI document', () => {
  let test: TestService;
  let document: Document;
  let operations: [route: string, operation: Operation][];
  before(async () => {
    test = await startTestService('sqlite');
    const answer = await test.get('/openapi.json');
    assert.match(String(answer.headers['content-type']), /^application\/json/);
    document = JSON.parse(answer.text);
    operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]): [string, Operation] => [
        `${method.toUpperCase()} ${path}`,
        operation,
      ]),
    );
  });
  after(() => test.close());

  function operation(route: string): Operation {
    const found = operations.find(([name]) => name === route);
    assert.ok(found, route);
    return found[1];
  }

  it('is valid OpenAPI 3.1, and every reference resolves', async () => {
    const validator = new Validator();
    const checked = await validator.validate({ ...document });
    assert.deepEqual(checked, { valid: true });
    assert.equal(validator.version, '3.1');
    const components: Record<string, object> = document.components;
    const references = JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g);
    for (const [, kind = '', name = ''] of references) assert.ok(name in (components[kind] ?? {}), `${kind}/${name}`);
  });

  it('names each operation after its path', () => {
    const ids = operations.map(([, { operationId }]) => operationId);
    assert.equal(new Set(ids).size, operations.length);
    for (const [route, { operationId, tags }] of operations) {
      assert.ok(route.endsWith(`/${operationId.replace('_', '/')}`), `${route}: ${operationId}`);
      assert.equal(tags[0], operationId.split('_')[0]);
    }
    assert.equal(operation('POST /api/TokenAuth/Authenticate').operationId, 'TokenAuth_Authenticate');
  });

  it('names every object that is sent or returned', () => {
    const named = Object.entries(document.components.schemas).flatMap(([name, { properties = {} }]) =>
      Object.entries(properties).flatMap(([member, schema]) => findUnnamed(schema, `${name}.${member}`)),
    );
    const files = new Set(
      test.service.routes.flatMap(({ method, path, files: types }) => (types ? `${method} ${path}` : [])),
    );
    const sent = operations.flatMap(([route, { requestBody, responses }]) => {
      if (files.has(route)) {
        for (const { schema } of Object.values(responses['200']?.content ?? {}))
          assert.deepEqual(schema, { type: 'string' });
        return [];
      }
      const [envelope, own] = responses['200']?.content?.[JSON_TYPE]?.schema.allOf ?? [];
      assert.equal(envelope?.$ref, '#/components/schemas/SuccessEnvelope', route);
      const body = requestBody?.content[JSON_TYPE]?.schema;
      return [...findUnnamed(own?.properties?.result ?? {}, route), ...(body ? findUnnamed(body, route) : [])];
    });
    assert.deepEqual([...named, ...sent], []);
    for (const name of ['UserDto', 'AuthenticateResult', 'ErrorEnvelope', 'ErrorInfo', 'UserCreateInput']) {
      assert.ok(name in document.components.schemas, name);
    }
  });

  it('describes answers by schemas from which a serializer can be compiled', () => {
    const compile = SerializerSelector()({}, {});
    for (const { method, path: url, result } of test.service.routes) {
      const schema = successSchema(result);
      assert.doesNotThrow(() => compile({ method, url, httpStatus: '200', schema }), `${method} ${url}`);
    }
  });

  it('names the permission that a call needs', () => {
    assert.equal(operation('GET /api/services/app/User/GetAll')['x-permission'], 'Pages.Users');
    for (const { method, path, access } of test.service.routes) {
      const permission = servicePermissions.find((one) => one === access);
      assert.equal(operation(`${method} ${path}`)['x-permission'], permission);
    }
  });

  it('documents the budget of every call under a rate limit', () => {
    const budget = ['RateLimit', 'RateLimit-Policy'];
    for (const { method, path, limit } of test.service.routes) {
      const { responses } = operation(`${method} ${path}`);
      assert.deepEqual(Object.keys(responses['200']?.headers ?? {}), limit ? budget : [], path);
      assert.equal('429' in responses, limit !== undefined, path);
    }
    assert.deepEqual(Object.keys(document.components.responses.TooManyRequests?.headers ?? {}), [
      ...budget,
      'Retry-After',
    ]);
  });

  it('documents refusals with the error envelope', () => {
    for (const response of Object.values(document.components.responses)) {
      assert.deepEqual(response.content?.[JSON_TYPE]?.schema, { $ref: '#/components/schemas/ErrorEnvelope' });
    }
    const statuses = (route: string) => Object.keys(operation(route).responses).filter((status) => status !== '200');
    const all = ['400', '401', '403', '503', 'default'];
    assert.deepEqual(statuses('GET /api/services/app/User/GetAll'), all);
    assert.deepEqual(statuses('GET /api/services/app/Settings/GetValue'), all);
    assert.deepEqual(statuses('POST /api/TokenAuth/Authenticate'), ['400', '401', '429', '503', 'default']);
    assert.deepEqual(statuses('GET /api/services/app/FrontEndApp/GetAll'), ['503', 'default']);
  });

  it('lists the arguments of a query, also when a body may hold them instead, and no secret', () => {
    const argumentsOf = (route: string) =>
      (operation(route).parameters ?? []).map(({ name, required }) => [name, required]);
    assert.deepEqual(argumentsOf('GET /api/services/app/User/Get'), [['id', true]]);
    assert.deepEqual(argumentsOf('POST /api/services/app/User/SendEmailLink'), [['username', false]]);
    assert.equal(operation('POST /api/services/app/User/SendEmailLink').requestBody?.required, false);
    assert.deepEqual(argumentsOf('POST /api/TokenAuth/Authenticate'), [
      ['userNameOrEmailAddress', false],
      ['rememberMe', false],
      ['rememberClient', false],
    ]);
    assert.equal(operation('POST /api/TokenAuth/Authenticate').requestBody?.required, true);
    const inQueries = operations.flatMap(([, { parameters = [] }]) => parameters);
    assert.doesNotMatch(JSON.stringify(inQueries), /x-secret/);
  });

  it('cannot be generated when two different schemas have one name', () => {
    const route = (name: string, result: Parameters<typeof NamedObject>[1]) =>
      defineRoute({
        method: 'GET',
        path: `/api/services/app/Thing/${name}`,
        summary: name,
        access: 'public',
        result: NamedObject('ThingDto', result),
        handle: async () => ({}) as never,
      });
    const made = (...routes: ReturnType<typeof route>[]) =>
      createOpenApiDocument({ routes, issuer: 'http://localhost:8080', version: '1' });
    const one = { id: Type.String() };
    assert.deepEqual(Object.keys(made(route('A', one), route('B', one)).components.schemas).slice(-2), [
      'ThingDto',
      'ValidationErrorInfo',
    ]);
    assert.throws(() => made(route('A', one), route('B', { id: Type.Integer() })), /Two schemas are named ThingDto/);
  });
});
