// Typed input: every text of every call loses what people cannot see before a handler compares or stores it.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { IsArray, IsObject, IsOptional, IsString, IsUnion, type TSchema } from 'typebox';
import { Check, Create } from 'typebox/value';
import { createInputReader } from '../../src/contract/input.ts';
import type { Route } from '../../src/contract/route.ts';
import { AuthError } from '../../src/foundation/errors.ts';
import { startTestService, type TestService } from '../support/service.ts';

/** Members that arrive exactly as they were sent: names in the code of extensions, and what a machine has made. */
const exact = [
  ...['id', 'rawId', 'userHandle', 'clientDataJSON', 'authenticatorData', 'attestationObject', 'signature'],
  ...['authProvider', 'Begin name', 'GetSignInPage name', 'providerKey', 'redirectUri', 'state', 'iss'],
  'user',
];

/** Members that name an account or an address. */
const namesAccount = /^(user.?name.*|email.*|mobile.*|sendTo)$/i;

type Leaf = { readonly path: readonly string[]; readonly schema: TSchema };

const shapesOf = (schema: TSchema): readonly TSchema[] => (IsUnion(schema) ? schema.anyOf : [schema]);

/** The texts of an input, each with its path. An item of a list has the index 0. */
function textsOf(schema: TSchema, path: readonly string[] = []): Leaf[] {
  return shapesOf(schema).flatMap((shape): Leaf[] => {
    if (IsString(shape)) return [{ path, schema: shape }];
    if (IsArray(shape)) return textsOf(shape.items, [...path, '0']);
    if (!IsObject(shape)) return [];
    return Object.entries(shape.properties).flatMap(([name, inner]) => textsOf(inner, [...path, name]));
  });
}

const samples = [
  'anna',
  'en',
  '2026-01-31T08:30:00Z',
  'a@example.com',
  'a2d3ac28-0c0b-4e0f-9f2e-6a4f0c1d2e3f',
  'a',
  '',
];

function sampleOf(schema: TSchema): unknown {
  const [shape = schema] = shapesOf(schema);
  if (IsString(shape))
    return samples.find((sample) => Check(shape, sample)) ?? 'x'.repeat(Number(Object(shape).minLength));
  if ('enum' in shape) return Object(shape.enum)[0];
  if (IsArray(shape)) return [sampleOf(shape.items)];
  if (!IsObject(shape)) return Create(shape);
  return Object.fromEntries(Object.entries(shape.properties).map(([name, inner]) => [name, sampleOf(inner)]));
}

/** Returns the value with the text at the path replaced. */
function replaceAt(value: unknown, [name, ...rest]: readonly string[], text: string): unknown {
  if (name === undefined) return text;
  if (Array.isArray(value)) return [replaceAt(value[0], rest, text)];
  return { ...Object(value), [name]: replaceAt(Object(value)[name], rest, text) };
}

const readAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, name) => Object(inner)[name], value);

describe('a text of an input', () => {
  let test: TestService;
  let leaves: (Leaf & { readonly route: Route; readonly name: string; readonly isSecret: boolean })[];
  before(async () => {
    test = await startTestService('sqlite');
    leaves = test.service.routes.flatMap((route) =>
      textsOf(route.body ?? route.query ?? {}).map((leaf) => {
        const name = leaf.path.findLast((part) => part !== '0') ?? '';
        return { ...leaf, route, name, isSecret: 'x-secret' in leaf.schema };
      }),
    );
  });
  after(() => test.close());

  /** What the handler gets for this text, or `undefined` if the input is refused. */
  function read({ route, path }: Leaf & { route: Route }, text: string): unknown {
    const input = replaceAt(sampleOf(route.body ?? route.query ?? {}), path, text);
    try {
      return readAt(createInputReader(route)(route.body ? input : undefined, route.body ? {} : input), path);
    } catch (error) {
      assert.ok(error instanceof AuthError && error.reason === 'request.invalid', String(error));
      return undefined;
    }
  }

  it('arrives without invisible marks and surrounding white space, whichever the call', () => {
    for (const leaf of leaves.filter(({ isSecret, schema }) => !isSecret && Object(schema)['x-text'] !== 'exact')) {
      const plain = String(sampleOf(leaf.schema));
      const middle = Math.ceil(plain.length / 2);
      const typed = `\u200f ${plain.slice(0, middle)}\u200b${plain.slice(middle)}\u202c\u00a0\n`;
      assert.equal(read(leaf, plain), plain, `${leaf.route.path} ${leaf.path} takes a sample`);
      assert.equal(read(leaf, typed), plain, `${leaf.route.path} ${leaf.path}`);
    }
    assert.ok(leaves.length > 150, `only ${leaves.length} texts`);
  });

  it('that names an account or an address has no joiner either', () => {
    const names = leaves.filter(({ name, isSecret }) => namesAccount.test(name) && !isSecret);
    for (const leaf of names) assert.equal(Object(leaf.schema)['x-text'], 'name', `${leaf.route.path} ${leaf.name}`);
    assert.ok(names.length > 20, `only ${names.length} names`);
  });

  it('that a machine has issued, or that is a secret, is left alone', () => {
    const found = leaves
      .filter(({ schema }) => Object(schema)['x-text'] === 'exact')
      .map(({ name, route }) => (name === 'name' ? `${route.path.split('/').at(-1)} name` : name));
    assert.deepEqual([...new Set(found)].toSorted(), exact.toSorted());
    for (const leaf of leaves.filter(({ isSecret }) => isSecret)) {
      const typed = `\u200f ${'x'.repeat(20)}\u200b `;
      assert.equal(read(leaf, typed), typed, `${leaf.route.path} ${leaf.path}`);
    }
    assert.ok(found.length >= 8);
  });

  it('that is an empty optional secret counts as absent', () => {
    const optional = leaves.filter(({ route, path, isSecret }) => {
      const member = (route.body ?? route.query)?.properties[path[0] ?? ''];
      return isSecret && path.length === 1 && member && IsOptional(member);
    });
    for (const leaf of optional) assert.equal(read(leaf, ''), undefined, `${leaf.route.path} ${leaf.path}`);
    const paths = optional.map(({ route, name }) => `${route.path.split('/').at(-1)} ${name}`);
    assert.ok(paths.includes('Authenticate twoFactorVerificationCode'), paths.join());
  });
});
