// The envelope around every answer of the API, as clients of the existing implementation expect it.
import { type TSchema, Type } from 'typebox';
import { NamedObject } from '../contract/schemas.ts';
import { type AuthError, requestErrors } from '../foundation/errors.ts';

const ValidationErrorInfo = NamedObject('ValidationErrorInfo', {
  message: Type.String(),
  members: Type.Array(Type.String()),
});

const ErrorInfo = NamedObject('ErrorInfo', {
  code: Type.Integer({ description: 'The HTTP status.' }),
  reason: Type.String({ description: 'A stable machine word of the error catalogue.' }),
  message: Type.String(),
  details: Type.String(),
  validationErrors: Type.Union([Type.Array(ValidationErrorInfo), Type.Null()]),
  traceId: Type.String(),
});

const members = <Result extends TSchema, Problem extends TSchema>(result: Result, error: Problem) => ({
  result,
  targetUrl: Type.Null(),
  success: Type.Boolean(),
  error,
  unAuthorizedRequest: Type.Boolean(),
  __abp: Type.Boolean(),
});

/** The answer of a successful call. */
export const successSchema = (result: TSchema) => Type.Object(members(result, Type.Null()));

/** The answer of a failed call. */
export const failureSchema = NamedObject('ErrorEnvelope', members(Type.Null(), ErrorInfo));

export const wrapResult = (result: unknown) => ({
  result,
  targetUrl: null,
  success: true,
  error: null,
  unAuthorizedRequest: false,
  __abp: true,
});

/** Puts the envelope around the JSON text of a result. */
export async function* wrapPieces(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  const [start = '', end] = JSON.stringify(wrapResult(0)).split(/(?<="result":)0/);
  yield start;
  yield* pieces;
  yield end ?? '';
}

export const wrapError = ({ status, reason, message, details, validationErrors }: AuthError, traceId: string) => ({
  result: null,
  targetUrl: null,
  success: false,
  error: { code: status, reason, message, details, validationErrors, traceId },
  unAuthorizedRequest: status === 401 || status === 403,
  __abp: true,
});

const INVALID_REQUEST = 'invalid_request';

/** The error codes of OAuth by status (RFC 6749, 4.1.2.1 and 5.2; RFC 6750, 3.1). Other refusals are `invalid_request`. */
const oauthErrorCodes: ReadonlyMap<number, string> = new Map([
  [401, 'invalid_client'],
  [403, 'insufficient_scope'],
  [500, 'server_error'],
  [503, 'temporarily_unavailable'],
]);

/** Returns an error as endpoints of OAuth answer it (RFC 6749, 5.2). */
export const toOAuthError = ({ status, reason, details }: AuthError) => ({
  // A page of another site lacks no scope.
  error: reason === requestErrors.crossSite.reason ? INVALID_REQUEST : (oauthErrorCodes.get(status) ?? INVALID_REQUEST),
  error_description: details,
});
