// Failures of requests to a provider, described for the log and for the test of a provider.
import { ClientError, ResponseBodyError, WWWAuthenticateChallengeError } from 'openid-client';
import { EgressRefusal } from '../../foundation/egress.ts';
import { errorCodeOf } from '../../foundation/errors.ts';
import { UnsealError } from '../../foundation/secrets.ts';
import { TimeLimitError } from '../../foundation/time-limit.ts';

/** The error codes of RFC 6749 (5.2) and 6750 (3.1). Other texts of a provider could repeat secrets of the request. */
const OAUTH_ERRORS = [
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'invalid_scope',
  'invalid_token',
  'insufficient_scope',
  'unauthorized_client',
  'unsupported_grant_type',
];

/** Returns the known error codes in the answer that has made a request fail. */
export function oauthErrorsOf(error: unknown): readonly string[] {
  const codes: unknown[] = [];
  if (error instanceof ResponseBodyError) codes.push(error.error);
  if (error instanceof WWWAuthenticateChallengeError)
    codes.push(...error.cause.map(({ parameters }) => parameters.error));
  return OAUTH_ERRORS.filter((name) => codes.includes(name));
}

/** Describes a failure with constant texts only, so that it holds nothing that was sent or received. */
export function explain(error: unknown): string {
  if (error instanceof ResponseBodyError || error instanceof WWWAuthenticateChallengeError)
    return ['the answer is', error.status, ...oauthErrorsOf(error)].join(' ');
  if (error instanceof TimeLimitError || error instanceof EgressRefusal) return error.message;
  if (error instanceof UnsealError)
    return 'the stored secret was sealed with another LATCHKEY_SECRET: give the provider its secret again';
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof EgressRefusal) return cause.message;
  if (error instanceof ClientError) {
    if (cause instanceof Response) return `${error.message} (${cause.status})`;
    if (cause instanceof Error && errorCodeOf(cause)?.startsWith('OAUTH_')) return cause.message;
    return systemCodeOf(cause) ?? error.message;
  }
  return systemCodeOf(error) ?? 'no valid answer';
}

/** Returns the code of a failed connection, such as `ECONNREFUSED`, of the error or of what has caused it. */
function systemCodeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const [code] = /^[A-Z][A-Z0-9_]+$/.exec(errorCodeOf(error) ?? '') ?? [];
  return systemCodeOf(error.cause) ?? code;
}
