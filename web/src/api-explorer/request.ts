// A call of the explorer: what was typed becomes a request to this service, and nowhere else.
import { at } from '../api/base-path.ts';
import { latchkey } from '../api/latchkey.ts';
import { type Problem, Refusal, requireFields } from '../ui/problem.ts';
import { words } from '../words/all.ts';
import { type Api, type Member, type Operation, resolve, type Schema } from './document.ts';
import { fieldOf } from './schema.ts';

/** What was typed in each field, by the name of the member. */
export type Typed = Readonly<Record<string, string>>;

type Input = Readonly<Record<string, unknown>>;

type Request = { readonly path: string; readonly body: Input | undefined };

export type Answer = {
  readonly status: number;
  /** From the request to the whole answer. */
  readonly milliseconds: number;
  readonly text: string;
  /** The faults that the service found in members of the input. */
  readonly problem: Problem | undefined;
};

/** The calls that replace the token of the pages. Their answer would be lost, and the session with it. */
export const isOwnCall = ({ name }: Operation) =>
  name === 'TokenAuth/RefreshTokenAsync' || name === 'TokenAuth/Reauthenticate';

/** @returns the value, or `undefined` for a field that was left empty. @throws SyntaxError for text that is no JSON. */
function readField({ schema }: Member, text: string, schemas: Api['schemas']): unknown {
  const { kind } = fieldOf(schema, schemas);
  if (text.trim() === '') return undefined;
  if (kind === 'number') return Number(text);
  return kind === 'text' || kind === 'secret' ? text : JSON.parse(text);
}

/** @throws InputError */
export function createRequest({ path, query, body }: Operation, typed: Typed, schemas: Api['schemas']): Request {
  const faults: Record<string, string> = {};
  const read = (members: readonly Member[]): Input => {
    const values: Record<string, unknown> = {};
    for (const member of members) {
      const { name, isRequired } = member;
      try {
        const value = readField(member, typed[name] ?? '', schemas);
        if (Number.isNaN(value)) faults[name] = words.api.noNumber;
        if (value !== undefined) values[name] = value;
        else if (isRequired) faults[name] = words.common.required;
      } catch {
        faults[name] = words.api.noJson;
      }
    }
    return values;
  };
  const given = Object.entries(read(query)).map(([name, value]) => [name, String(value)]);
  const content = body && read(body);
  requireFields(faults);
  const search = new URLSearchParams(given).toString();
  return { path: search === '' ? path : `${path}?${search}`, body: content };
}

/** Sends the request with the token of the session. @throws Refusal without an answer. */
export async function send({ method }: Operation, { path, body }: Request): Promise<Answer> {
  const url = new URL(at(path), location.origin);
  if (url.origin !== location.origin) throw new Refusal(words.common.unforeseen);
  await latchkey.ready;
  const headers = {
    ...(latchkey.token !== undefined && { authorization: `Bearer ${latchkey.token}` }),
    ...(body && { 'content-type': 'application/json' }),
  };
  const startedAt = performance.now();
  try {
    const response = await fetch(url, {
      method,
      headers,
      redirect: 'error',
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const milliseconds = Math.round(performance.now() - startedAt);
    return { status: response.status, milliseconds, ...readAnswer(text) };
  } catch {
    throw new Refusal(words.common.unreachable);
  }
}

/** Formats JSON. Other text stays as it is. */
function readAnswer(text: string): Pick<Answer, 'text' | 'problem'> {
  try {
    const answer = JSON.parse(text);
    const found: readonly { message: string; members?: readonly string[] }[] = answer?.error?.validationErrors ?? [];
    const fields = Object.fromEntries(found.map(({ message, members = [] }) => [members[0] ?? '', message]));
    const message = found.map((fault) => fault.message).join(' ');
    const problem = message === '' ? undefined : { message, fields, retryAt: undefined, traceId: undefined };
    return { text: JSON.stringify(answer, null, 2), problem };
  } catch {
    return { text, problem: undefined };
  }
}

/** Quotes a text for a POSIX shell. */
const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** Whether a value of this schema is a secret, or has one in it. */
function holdsSecret(schema: Schema, schemas: Api['schemas']): boolean {
  const { items, anyOf = [], allOf = [], properties = {}, ...own } = resolve(schema, schemas);
  const parts = [...(items ? [items] : []), ...anyOf, ...allOf, ...Object.values(properties)];
  return own['x-secret'] === true || parts.some((part) => holdsSecret(part, schemas));
}

/** Returns the command that sends the request. Members that are or hold secrets are not in it. */
export function describeAsCurl(operation: Operation, { path, body }: Request, schemas: Api['schemas']): string {
  const { method, isPublic } = operation;
  const secrets = operation.body?.filter(({ schema }) => holdsSecret(schema, schemas)) ?? [];
  const hidden = body && {
    ...body,
    ...Object.fromEntries(secrets.filter(({ name }) => name in body).map(({ name }) => [name, '…'])),
  };
  return [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${quote(location.origin + at(path))}`,
    ...(isPublic ? [] : ['-H "Authorization: Bearer $TOKEN"']),
    ...(hidden ? [`-H 'Content-Type: application/json'`, `-d ${quote(JSON.stringify(hidden))}`] : []),
  ].join(' \\\n  ');
}
