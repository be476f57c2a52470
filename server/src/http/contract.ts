// The HTTP contract: how a slice says which calls it answers; `app.ts` turns the list of them into a server.
import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox';
import type { Permitted, SignedIn } from '../foundation/authority.ts';
import { EMAIL_PATTERN, MAX_EMAIL_LENGTH } from '../foundation/email-address.ts';
import type { Origin } from '../foundation/events.ts';

/**
 * Who may call: anybody (who may show a token), whoever shows a token that the handler itself judges, anybody with a valid
 * token, or whoever has the permission named.
 */
export type Access = 'public' | 'bearer' | 'token' | 'pages:maintenance' | 'Pages.Users' | 'users:resetPassword';

type CallerOf<A extends Access> = A extends 'public' | 'bearer' ? undefined : A extends 'token' ? SignedIn : Permitted;

/** What a handler is given: checked input, and who calls from where. */
export type Call<Input, A extends Access> = {
  readonly input: Input;
  readonly caller: CallerOf<A>;
  /** The bearer token as it came, unchecked, if any. */
  readonly token: string | undefined;
  readonly origin: Origin;
};

type InputOf<Body, Query> = (Body extends TObject ? Static<Body> : unknown) &
  (Query extends TObject ? Static<Query> : unknown);

/** One call of the API. Its paths are matched without regard to case, with and without the suffix `Async`. */
export type Route = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** As the OpenAPI document lists it. */
  readonly path: string;
  readonly aliases?: readonly string[];
  readonly summary: string;
  readonly access: Access;
  /** The rate-limit policy whose budget each request uses. */
  readonly limit?: 'login' | 'answers' | 'otp';
  /** Does the answer of a public call depend on the token, if there is one? */
  readonly optionalAuth?: boolean;
  /** May be called with a token whose owner must change the password first. */
  readonly whilePasswordChangeRequired?: boolean;
  /** Statuses of refusals by the handler, for the OpenAPI document; those that `access` brings are known. */
  readonly refusals?: readonly (401 | 403)[];
  /** Members of a JSON body; scalar ones that are not secret may also come in the query string. */
  readonly body?: TObject;
  readonly query?: TObject;
  readonly result: TSchema;
  readonly handle: (call: Call<never, never>) => Promise<unknown>;
};

/** Declares a call; input and caller of `handle` are typed by what is declared. */
export function defineRoute<
  A extends Access,
  Result extends TSchema,
  Body extends TObject | undefined = undefined,
  Query extends TObject | undefined = undefined,
>(
  route: Omit<Route, 'access' | 'body' | 'query' | 'result' | 'handle'> & {
    access: A;
    body?: Body;
    query?: Query;
    result: Result;
    handle: (call: Call<InputOf<Body, Query>, A>) => Promise<Static<Result>>;
  },
): Route {
  return route as Route;
}

/** One line of text without control characters (which PostgreSQL, terminals and mail headers trip over). */
export const Text = (options: { minLength?: number; maxLength: number; description?: string }) =>
  Type.String({ pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$', ...options });

/** A password or other secret: taken exactly as typed, from the body only, and never logged. */
export const Secret = (options: { maxLength: number }) => Type.String({ minLength: 1, 'x-secret': true, ...options });

export const EmailAddress = Type.String({ maxLength: MAX_EMAIL_LENGTH, pattern: EMAIL_PATTERN });

/** An e-mail address; an empty one is none. */
export const EmailAddressOrNone = Type.String({ maxLength: MAX_EMAIL_LENGTH, pattern: `^$|${EMAIL_PATTERN}` });

/** A user name, of visible characters only. (Letters of different scripts may still look alike.) */
export const UserName = ({ minLength = 1 } = {}) =>
  Type.String({ minLength, maxLength: 256, pattern: '^[^\\p{C}\\p{Z}\\p{Default_Ignorable_Code_Point}\\u2800]*$' });

/** An object with a name of its own in the OpenAPI document, which is its `title`. */
export const NamedObject = <Members extends TProperties>(title: string, members: Members) =>
  Type.Object(members, { title });

/** A member that may be null or left out. */
export const Nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

export const AccountId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
export const Uuid = Type.String({ pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' });

/** Members of a paged list's query. */
export const paging = {
  skipCount: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  maxResultCount: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
};

/** The page that a query asks for; ten entries when it does not say. */
export function toPage({ skipCount = 0, maxResultCount = 10 }: { skipCount?: number; maxResultCount?: number }) {
  return { skip: skipCount, take: maxResultCount };
}

/** The name of a list of named schemas, if they have one. */
function titleOf(schema: TSchema, suffix: string) {
  return 'title' in schema ? { title: `${schema.title}${suffix}` } : {};
}

/** A list, or a page of one. */
export const Items = <Schema extends TSchema>(schema: Schema) =>
  Type.Object({ items: Type.Array(schema) }, titleOf(schema, 'List'));
export const PagedItems = <Schema extends TSchema>(schema: Schema) =>
  Type.Object({ items: Type.Array(schema), totalCount: Type.Integer() }, titleOf(schema, 'Page'));
