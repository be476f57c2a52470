// What the API answers, typed by the OpenAPI document of the service.
import type { components, paths } from '../../../sdk/src/openapi.gen.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH' | 'OPTIONS';

export type ErrorInfo = components['schemas']['ErrorInfo'];

/** A path as the document lists it; calls answer without its suffix `Async`, too. */
type Listed<Path extends string> = Path extends keyof paths
  ? Path
  : `${Path}Async` extends keyof paths
    ? `${Path}Async`
    : never;

type ResultIn<Operation> = Operation extends {
  responses: { 200: { content: { 'application/json': { result: infer Result } } } };
}
  ? Result
  : unknown;

/** The members of a sign-in that are null when it needs a second factor. Most tests sign in without one. */
type Token = 'accessToken' | 'expireInSeconds' | 'expireOn' | 'userId' | 'personId';
type Complete<Result> = Result extends { requiresTwoFactorVerification: boolean; waitingForActivation?: never }
  ? Omit<Result, Token> & { [Member in Token & keyof Result]: NonNullable<Result[Member]> }
  : Result;

/** The result of a call by its method and path; unknown for what the document does not list. */
export type ResultOf<M extends Method, Path extends string> = [Listed<Path>] extends [never]
  ? unknown
  : Lowercase<M> extends keyof paths[Listed<Path>]
    ? Complete<ResultIn<paths[Listed<Path>][Lowercase<M>]>>
    : unknown;
