// The HTTP contract: how a slice declares its routes. `app.ts` turns the routes into a server.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox';
import type { Permitted, SignedIn } from '../foundation/authority.ts';
import { EMAIL_PATTERN, MAX_EMAIL_LENGTH } from '../foundation/email-address.ts';
import type { Origin } from '../foundation/events.ts';

/**
 * Which callers a route accepts: `public` all, with or without a token; `bearer` those with a token that the handler
 * itself verifies; `token` those with a valid token. A permission accepts those who have it.
 */
export type Access = 'public' | 'bearer' | 'token' | 'pages:maintenance' | 'Pages.Users' | 'users:resetPassword';

type CallerOf<A extends Access> = A extends 'public' | 'bearer' ? undefined : A extends 'token' ? SignedIn : Permitted;

/** The argument of a handler: the checked input, the caller, and the caller's origin. */
export type Call<Input, A extends Access> = {
  readonly input: Input;
  readonly caller: CallerOf<A>;
  /** The bearer token as sent, not verified. */
  readonly token: string | undefined;
  readonly origin: Origin;
  /** A header of the request. @param name in lower case. */
  readonly header: (name: string) => string | undefined;
};

type InputOf<Body, Query> = (Body extends TObject ? Static<Body> : unknown) &
  (Query extends TObject ? Static<Query> : unknown);

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The format of errors. Default: the envelope. */
    errorFormat?: 'oauth';
    /** Whether the call takes unsafe methods of pages of any site: a proxy passes the browser's headers on. Default: no. */
    acceptsCrossSite?: true;
  }
}

/** A file that a call answers piece by piece, so that it may have any length. */
export type Download = {
  /** Its media type. */
  readonly type: string;
  readonly fileName: string;
  readonly pieces: AsyncIterable<string>;
};

/** One call of the API. Its paths match in any case, with and without the suffix `Async`. */
export type Route = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** The path in the OpenAPI document. */
  readonly path: string;
  readonly aliases?: readonly string[];
  readonly summary: string;
  readonly access: Access;
  /** The maximum size of the body, in bytes. Default: that of all calls. */
  readonly maxBodyBytes?: number;
  /** The rate-limit policy that each request counts against. */
  readonly limit?: 'login' | 'answers' | 'otp';
  /** Whether the answer of a public call depends on a token, if the caller sends one. */
  readonly optionalAuth?: boolean;
  /** Whether the route accepts callers who must change their password or enroll a second factor first. */
  readonly whileRestricted?: boolean;
  /** Statuses with which the handler refuses, for the OpenAPI document. `access` implies its own. */
  readonly refusals?: readonly (401 | 403)[];
  /** Members of a JSON body. Scalar members that are not secret may also come in the query string. */
  readonly body?: TObject | undefined;
  readonly query?: TObject | undefined;
  readonly result: TSchema;
  /** The media types of the file that the call answers in place of the envelope. The handler returns a {@link Download}. */
  readonly files?: readonly string[];
  readonly handle: (call: Call<never, never>) => Promise<unknown>;
};

/** Reads what a request says of its caller. None of it is verified, except that a proxy's headers count only if trusted. */
export type RequestReader = {
  /** Returns the bearer token. */
  readonly readToken: (request: FastifyRequest) => string | undefined;
  /** Returns the service key, sent as bearer or by HTTP Basic. */
  readonly readServiceKey: (request: FastifyRequest) => string | undefined;
  readonly readOrigin: (request: FastifyRequest) => Origin;
};

/** Adds what answers by a standard or format of its own, without the envelope. */
export type Endpoints = (app: FastifyInstance, reader: RequestReader) => void;

/** A page of any site may make its visitors send a `GET`, so that no such call counts. */
type Limitable = { readonly method: 'GET'; readonly limit?: never } | { readonly method: 'POST' | 'PUT' | 'DELETE' };

/** Declares a route. The schemas and `access` give the types of the input and the caller of `handle`. */
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
  } & Limitable,
): Route {
  return route;
}

/** Declares a route that answers a file. */
export function defineDownload<A extends Access, Query extends TObject>(
  route: Omit<Route, 'method' | 'limit' | 'access' | 'body' | 'query' | 'result' | 'handle'> & {
    access: A;
    query: Query;
    files: readonly string[];
    handle: (call: Call<Static<Query>, A>) => Promise<Download>;
  },
): Route {
  return { ...route, method: 'GET', result: Type.String() };
}

type TextOptions = { minLength?: number; maxLength: number; description?: string };

/**
 * One line of text without control characters, which PostgreSQL, terminals and mail headers mishandle. Like all texts of
 * an input it arrives without invisible marks and surrounding white space, see `checkInput`.
 */
export const Text = (options: TextOptions & { 'x-text'?: 'name' | 'exact' }) =>
  Type.String({ pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$', ...options });

/** A name or address that is compared with others. It arrives without any ignorable mark. */
export const Name = (options: TextOptions) => Text({ ...options, 'x-text': 'name' });

/** What a machine has issued, exactly as sent. */
export const ExactText = (options: TextOptions) => Text({ ...options, 'x-text': 'exact' });

/** A password or other secret: accepted exactly as typed, from the body only, and never logged. */
export const Secret = (options: { maxLength: number }) => Type.String({ minLength: 1, 'x-secret': true, ...options });

/** Bytes in base64url without padding (RFC 4648, 5). */
export const Base64Url = (options: { maxLength: number }) =>
  Type.String({ minLength: 1, pattern: '^[A-Za-z0-9_-]*$', 'x-text': 'exact', ...options });

export const EmailAddress = Type.String({ maxLength: MAX_EMAIL_LENGTH, pattern: EMAIL_PATTERN, 'x-text': 'name' });

/** An e-mail address, or '' for none. */
export const EmailAddressOrNone = Type.String({
  maxLength: MAX_EMAIL_LENGTH,
  pattern: `^$|${EMAIL_PATTERN}`,
  'x-text': 'name',
});

/** A mobile number as typed. */
export const MobileNumber = ({ minLength = 0 } = {}) => Name({ minLength, maxLength: 40 });

/** A user name of visible characters. Letters of different scripts may still look alike. */
export const UserName = ({ minLength = 1 } = {}) =>
  Type.String({
    minLength,
    maxLength: 256,
    pattern: '^[^\\p{C}\\p{Z}\\p{Default_Ignorable_Code_Point}\\u2800]*$',
    'x-text': 'name',
  });

/** The name of a role, of visible characters and spaces. */
export const RoleName = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[^\\p{C}\\p{Zl}\\p{Zp}\\u2800]*$',
  'x-text': 'name',
});

/** An object whose `title` is the name of its schema in the OpenAPI document. */
export const NamedObject = <Members extends TProperties>(title: string, members: Members) =>
  Type.Object(members, { title });

/** A value that may be null. */
export const Nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

export const AccountId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
export const Uuid = Type.String({ pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' });

/** Query members of a paged list. */
export const paging = {
  skipCount: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  maxResultCount: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
};

/** Returns the page that a query asks for; ten entries by default. */
export function toPage({ skipCount = 0, maxResultCount = 10 }: { skipCount?: number; maxResultCount?: number }) {
  return { skip: skipCount, take: maxResultCount };
}

/** Names a list after its entries, if they have a name. */
function titleOf(schema: TSchema, suffix: string) {
  return 'title' in schema ? { title: `${schema.title}${suffix}` } : {};
}

/** A list, and a page of a list. */
export const Items = <Schema extends TSchema>(schema: Schema) =>
  Type.Object({ items: Type.Array(schema) }, titleOf(schema, 'List'));
export const PagedItems = <Schema extends TSchema>(schema: Schema) =>
  Type.Object({ items: Type.Array(schema), totalCount: Type.Integer() }, titleOf(schema, 'Page'));
