// Input: from bytes to checked members, so that handlers see what their schema declares and nothing else.
import type { TObject, TSchema } from 'typebox';
import { Check, Clean, Errors } from 'typebox/value';
import { requestErrors, type ValidationError } from '../foundation/errors.ts';
import type { Route } from './contract.ts';

/** Largest body, in bytes. */
export const MAX_BODY_BYTES = 64 * 1024;

/** Deepest nesting of a body. */
const MAX_DEPTH = 16;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The value of a JSON body. Ends in `request.invalid` for what is not well-formed text, not JSON, too deep, or a trap. */
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

/** Refuses what JSON allows and nobody needs: deep nesting, lone surrogates, members that reach into prototypes. */
function requireHarmless(value: unknown, depth: number): void {
  if (typeof value === 'string' && !value.isWellFormed()) throw new Error('A text holds half a character.');
  if (typeof value !== 'object' || value === null) return;
  if (depth === 0) throw new Error('The body is nested too deeply.');
  for (const [name, member] of Object.entries(value)) {
    if (name === '__proto__' || !name.isWellFormed()) throw new Error('A member has a name that is not accepted.');
    requireHarmless(member, depth - 1);
  }
}

type Input = Pick<Route, 'body' | 'query'>;

/** The names of the members that a call takes from its query string. */
export function queryMembers({ body, query }: Input): string[] {
  return Object.entries((body ?? query)?.properties ?? {})
    .filter(([, member]) => !isSecret(member) && (query || isScalar(member)))
    .map(([name]) => name);
}

/** Reads the input of a call from its body and query. Ends in `request.invalid`, naming each member that is wrong. */
export function createInputReader(route: Input & { method: string }): (body: unknown, query: unknown) => unknown {
  const { method, body, query } = route;
  const schema = body ?? query;
  if (!schema) return () => ({});
  const fromQuery = queryMembers(route);

  return (bodyValue, queryValue) => {
    const input = {
      ...pick(convert(schema, queryValue), fromQuery),
      ...(body ? requireObject(bodyValue, method) : {}),
    };
    const cleaned: unknown = Clean(schema, input);
    if (Check(schema, cleaned)) return cleaned;
    const validationErrors = Errors(schema, cleaned).filter(isTelling).flatMap(describe);
    const details = validationErrors.map(({ message }) => message).join(' ');
    throw requestErrors.invalid({ details, validationErrors });
  };
}

/**
 * Texts of a query become the whole numbers and booleans that the schema asks for; what is neither stays, and is refused.
 * An empty member counts as left out: existing front ends send all of their filters, also those that are not set.
 */
function convert(schema: TObject, query: unknown): Record<string, unknown> {
  const given = Object.entries({ ...(query as Record<string, unknown>) }).filter(([, value]) => value !== '');
  const members = given.map(([name, value]) => {
    const types = typesOf(Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined);
    const text = String(value);
    if (types.includes('integer') && /^-?\d+$/.test(text)) return [name, Number(text)];
    if (types.includes('boolean') && /^(true|false)$/i.test(text)) return [name, text.toLowerCase() === 'true'];
    return [name, value];
  });
  return Object.fromEntries(members);
}

function typesOf(schema: TSchema | undefined): unknown[] {
  if (schema && 'anyOf' in schema) return (schema.anyOf as TSchema[]).flatMap(typesOf);
  return schema && 'type' in schema ? [schema.type] : [];
}

function pick(values: Record<string, unknown>, names: readonly string[]) {
  return Object.fromEntries(names.filter((name) => Object.hasOwn(values, name)).map((name) => [name, values[name]]));
}

function requireObject(value: unknown, method: string): object {
  if (value === undefined || value === null) return {};
  if (typeof value === 'object' && !Array.isArray(value)) return value;
  throw requestErrors.invalid({ details: `Send the body of this ${method} as a JSON object.` });
}

function isSecret(schema: TSchema): boolean {
  return 'x-secret' in schema || ('anyOf' in schema && (schema.anyOf as TSchema[]).some(isSecret));
}

function isScalar(schema: TSchema): boolean {
  const types = typesOf(schema);
  return types.length > 0 && types.every((type) => ['string', 'integer', 'boolean', 'null'].includes(type as string));
}

/** Of a member that may be null, what is wrong with its value; not also that it is not null. */
function isTelling({ keyword, params }: { keyword: string; params: object }): boolean {
  return keyword !== 'anyOf' && !('type' in params && params.type === 'null');
}

/** One entry for each member that a validator's finding concerns. */
function describe(finding: {
  keyword: string;
  instancePath: string;
  message: string;
  params: object;
}): ValidationError[] {
  const member = finding.instancePath.split('/').slice(1).join('.');
  if (finding.keyword === 'required' && 'requiredProperties' in finding.params) {
    return (finding.params.requiredProperties as string[]).map((name) => {
      const path = member ? `${member}.${name}` : name;
      return { message: `${path} is required.`, members: [path] };
    });
  }
  const message = finding.keyword === 'pattern' ? 'has characters or a form that is not accepted' : finding.message;
  return [{ message: `${member || 'The input'} ${message}.`, members: member ? [member] : [] }];
}
