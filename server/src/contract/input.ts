// Input: turns bytes into checked members, so that handlers see only what their schema declares.
import { IsArray, IsEnum, IsObject, IsOptional, IsUnion, type Static, type TObject, type TSchema } from 'typebox';
import { Settings } from 'typebox/system';
import { Check, Clean, Errors } from 'typebox/value';
import { invalidMembers, requestErrors, type ValidationError } from '../foundation/errors.ts';
import { nameMembers } from '../foundation/member-names.ts';
import { readName, readWords } from '../foundation/typed-text.ts';
import type { Route } from './route.ts';

/** The maximum size of a body, in bytes. */
export const MAX_BODY_BYTES = 64 * 1024;

/** The maximum nesting of a body. */
const MAX_DEPTH = 16;

// Otherwise `Clean` would build the schema of each input anew, to sort its unions. Inputs have no unions of objects.
Settings.Set({ unionPrioritySort: false });

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses a JSON body.
 * @throws AuthError `request.invalid` if it is no well-formed text or JSON, is nested too deeply, or has a member
 * `__proto__`.
 */
export function parseBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  try {
    const value: unknown = JSON.parse(utf8.decode(bytes));
    requireHarmless(value, MAX_DEPTH);
    return value;
  } catch (cause) {
    throw requestErrors.invalid({
      details: 'The body must be one JSON object, well-formed and at most 16 levels deep.',
      cause,
    });
  }
}

/** Rejects dangerous JSON: deep nesting, lone surrogates, members that change prototypes. */
function requireHarmless(value: unknown, depth: number): void {
  if (typeof value === 'string' && !value.isWellFormed()) throw new Error('A text has a lone surrogate.');
  if (typeof value !== 'object' || value === null) return;
  if (depth === 0) throw new Error('The body is nested too deeply.');
  for (const [name, member] of Object.entries(value)) {
    if (name === '__proto__' || !name.isWellFormed()) throw new Error('A member has an invalid name.');
    requireHarmless(member, depth - 1);
  }
}

type Input = Pick<Route, 'body' | 'query'>;

/** The members that a call reads from its query string. */
export function queryMembers({ body, query }: Input): string[] {
  return Object.entries((body ?? query)?.properties ?? {})
    .filter(([, member]) => !isSecret(member) && (query || isScalar(member)))
    .map(([name]) => name);
}

/**
 * Returns a function that reads the input of a call from its body and query.
 * It throws AuthError `request.invalid`, which names each wrong member.
 */
export function createInputReader(route: Input & { method: string }): (body: unknown, query: unknown) => unknown {
  const { method, body, query } = route;
  const schema = body ?? query;
  if (!schema) return () => ({});
  const fromQuery = queryMembers(route);

  return (bodyValue, queryValue) => {
    const input = {
      ...pick(convert(schema, queryValue), fromQuery),
      ...(body ? requireObject(nameMembers(body, bodyValue), method) : {}),
    };
    return checkInput(schema, input);
  };
}

/** Returns a function that reads the query string of an endpoint. It throws AuthError `request.invalid`. */
export function createQueryReader<Schema extends TObject>(schema: Schema): (query: unknown) => Static<Schema> {
  return (query) => checkInput(schema, convert(schema, query));
}

/**
 * Returns the members that the schema declares. Texts lose invisible marks and surrounding white space, as their `x-text`
 * says. A secret stays exactly as it was sent; an empty one that is optional counts as absent.
 * @throws AuthError `request.invalid`, which names each wrong member.
 */
export function checkInput<Schema extends TObject>(schema: Schema, input: object): Static<Schema> {
  const cleaned = readTexts(schema, Clean(schema, input));
  if (Check(schema, cleaned)) return cleaned;
  throw invalidMembers(Errors(schema, cleaned).filter(isRelevant).flatMap(describe));
}

function readTexts(schema: TSchema, value: unknown): unknown {
  const shapes = IsUnion(schema) ? schema.anyOf : [schema];
  if (typeof value === 'string') return readText(shapes, value);
  if (Array.isArray(value)) {
    const items = shapes.find(IsArray)?.items;
    return items ? value.map((item) => readTexts(items, item)) : value;
  }
  const properties = shapes.find(IsObject)?.properties;
  if (!properties || typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).flatMap(([name, member]) => {
    const inner = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!inner) return [[name, member]];
    return member === '' && IsOptional(inner) && isSecret(inner) ? [] : [[name, readTexts(inner, member)]];
  });
  return Object.fromEntries(members);
}

function readText(shapes: readonly TSchema[], text: string): string {
  const kinds = shapes.flatMap((shape) => ('x-text' in shape ? [shape['x-text']] : []));
  if (kinds.includes('exact') || shapes.some(isSecret)) return text;
  return kinds.includes('name') ? readName(text) : readWords(text);
}

/**
 * Converts the texts of a query into the integers and booleans of the schema. Other texts stay, and the schema rejects
 * them. An empty member counts as absent: existing front ends also send the filters that are not set.
 */
function convert(schema: TObject, query: unknown): Record<string, unknown> {
  const named = nameMembers(schema, query);
  const given = Object.entries(named ?? {}).filter(([, value]) => value !== '');
  const members = given.map(([name, value]) => {
    const types = typesOf(Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined);
    const text = String(value);
    if (types.includes('integer') && /^-?\d+$/.test(text)) return [name, Number(text)];
    if (types.includes('boolean') && /^(true|false)$/i.test(text)) return [name, text.toLowerCase() === 'true'];
    return [name, value];
  });
  return Object.fromEntries(members);
}

/** Returns the types of JSON that the schema accepts, as far as it names them. */
export function typesOf(schema: TSchema | undefined): unknown[] {
  if (IsUnion(schema)) return schema.anyOf.flatMap(typesOf);
  if (IsEnum(schema)) return [...new Set(schema.enum.map(typeOf))];
  return schema && 'type' in schema ? [schema.type] : [];
}

const typeOf = (choice: string | number | null) => {
  if (choice === null) return 'null';
  return typeof choice === 'number' ? 'integer' : 'string';
};

function pick(values: Record<string, unknown>, names: readonly string[]) {
  return Object.fromEntries(names.filter((name) => Object.hasOwn(values, name)).map((name) => [name, values[name]]));
}

function requireObject(value: unknown, method: string): object {
  if (value === undefined || value === null) return {};
  if (typeof value === 'object' && !Array.isArray(value)) return value;
  throw requestErrors.invalid({ details: `Send the body of this ${method} as a JSON object.` });
}

function isSecret(schema: TSchema): boolean {
  return 'x-secret' in schema || (IsUnion(schema) && schema.anyOf.some(isSecret));
}

const scalars: readonly unknown[] = ['string', 'integer', 'boolean', 'null'];

function isScalar(schema: TSchema): boolean {
  const types = typesOf(schema);
  return types.length > 0 && types.every((type) => scalars.includes(type));
}

/** Skips findings about null: the other finding of a member that may be null describes its value. */
function isRelevant({ keyword, params }: { keyword: string; params: object }): boolean {
  return keyword !== 'anyOf' && !('type' in params && params.type === 'null');
}

/** Returns one entry for each member that a validator's finding concerns. */
function describe(finding: ReturnType<typeof Errors>[number]): ValidationError[] {
  const member = finding.instancePath.split('/').slice(1).join('.');
  if (finding.keyword === 'required') {
    return finding.params.requiredProperties.map((name) => {
      const path = member ? `${member}.${name}` : name;
      return { message: `${path} is required.`, members: [path] };
    });
  }
  return [{ message: `${member || 'The input'} ${toPredicate(finding)}.`, members: member ? [member] : [] }];
}

function toPredicate({ keyword, params, message }: ReturnType<typeof Errors>[number]): string {
  if (keyword === 'pattern') return 'has characters or a form that is not accepted';
  return keyword === 'enum' ? `must be one of: ${params.allowedValues.join(', ')}` : message;
}
