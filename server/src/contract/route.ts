// Routes: how a slice declares its calls. `http/` turns them into a server.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Static, type TObject, type TSchema, Type } from 'typebox';
import type { Permitted, SignedIn } from '../foundation/authority.ts';
import type { Origin } from '../foundation/events.ts';
import type { Permission } from '../foundation/permissions.ts';

/**
 * Which callers a route accepts: `public` all, with or without a token; `bearer` those with a token that the handler
 * itself verifies; `token` those with a valid token; `own or Pages.Users` also service keys that manage with that permission,
 * and the handler asks `Authorization.requireFor` about the account. A permission accepts those who have it.
 */
export type Access = 'public' | 'bearer' | 'token' | 'own or Pages.Users' | Permission;

type CallerOf<A extends Access> = A extends 'public' | 'bearer'
  ? undefined
  : A extends 'token'
    ? SignedIn
    : A extends 'own or Pages.Users'
      ? SignedIn | Permitted
      : Permitted;

/** The argument of a handler: the checked input, the caller, and the caller's origin. */
export type Call<Input, A extends Access> = {
  readonly input: Input;
  readonly caller: CallerOf<A>;
  /** The bearer token as sent, not verified. */
  readonly token: string | undefined;
  readonly origin: Origin;
  /** A header of the request. @param name in lower case. */
  readonly header: (name: string) => string | undefined;
  /** What the caller's budgets are counted by: its address, or its network. */
  readonly budgetKey: string;
  /** What a second budget is counted by: a larger IPv6 network. */
  readonly siteKey: string | undefined;
  /** Adds a `Set-Cookie` header to the answer. */
  readonly setCookie: (cookie: string) => void;
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
  /** Whether the handler returns the JSON text of the result in pieces, so that it may have any length. */
  readonly isLong?: boolean;
  readonly handle: (call: Call<never, never>) => Promise<unknown>;
};

/** Reads what a request says of its caller, and counts it. None of it is verified, except that a proxy's headers count only if trusted. */
export type RequestReader = {
  /** Returns the bearer token. */
  readonly readToken: (request: FastifyRequest) => string | undefined;
  /** Returns the service key, sent as bearer or by HTTP Basic. */
  readonly readServiceKey: (request: FastifyRequest) => string | undefined;
  readonly readOrigin: (request: FastifyRequest) => Origin;
  /** Returns what the caller's budgets are counted by. */
  readonly readBudgetKey: (request: FastifyRequest) => string;
  /** Counts the beginning of a sign-in to an application. @throws AuthError `rateLimit.exceeded`. */
  readonly countAuthorization: (request: FastifyRequest) => Promise<void>;
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

/** Declares a route whose result may have any length: the handler returns its JSON text in pieces. */
export function defineLongResult<A extends Access, Query extends TObject>(
  route: Omit<Route, 'method' | 'limit' | 'access' | 'body' | 'query' | 'handle'> & {
    access: A;
    query: Query;
    handle: (call: Call<Static<Query>, A>) => Promise<AsyncIterable<string>>;
  },
): Route {
  return { ...route, method: 'GET', isLong: true };
}
