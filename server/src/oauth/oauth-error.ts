// The errors of OAuth and OpenID Connect, as their standards spell them.

/** An error code of RFC 6749 (4.1.2.1, 5.2), OpenID Connect Core (3.1.2.6), RFC 8628 (3.5) or RFC 8707 (2). */
export type OAuthErrorCode =
  | 'access_denied'
  | 'authorization_pending'
  | 'consent_required'
  | 'expired_token'
  | 'interaction_required'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_request'
  | 'invalid_request_uri'
  | 'invalid_scope'
  | 'invalid_target'
  | 'invalid_token'
  | 'insufficient_scope'
  | 'login_required'
  | 'request_not_supported'
  | 'request_uri_not_supported'
  | 'slow_down'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type';

/** A refusal that the client of the protocol gets. The description is for its developer. */
export class OAuthError extends Error {
  readonly code: OAuthErrorCode;
  readonly description: string;
  /** Seconds after which the client may try again. */
  readonly retryAfterSeconds: number | undefined;

  constructor(code: OAuthErrorCode, description: string, retryAfterSeconds?: number) {
    super(`${code}: ${description}`);
    this.code = code;
    this.description = description;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** The HTTP status of an answer to the client itself. */
  get status(): number {
    if (this.retryAfterSeconds !== undefined) return 429;
    if (this.code === 'invalid_client' || this.code === 'invalid_token') return 401;
    return this.code === 'insufficient_scope' ? 403 : 400;
  }
}
