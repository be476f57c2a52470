// The interface of the verifier: what it takes, what it returns, and how it rejects a token.

/**
 * The claims of an accepted token. Times are in seconds since 1970; `sub` is the account's id.
 *
 * A token of an application has a `scope`. It may say nothing of the person: `preferred_username` and `name` are then empty, and
 * `roles` has no role. If the application acts for itself, `sub` is its `client_id`, `auth_time` is 0 and `amr` is empty.
 */
export type Claims = {
  readonly iss: string;
  readonly aud: string;
  readonly sub: string;
  readonly jti: string;
  /** The session, which keeps its id when its token is exchanged. In a token of an application, its grant. */
  readonly sid: string;
  /** How often the session's token was exchanged. */
  readonly gen: number;
  readonly iat: number;
  readonly nbf: number;
  readonly exp: number;
  readonly auth_time: number;
  /** How the person authenticated (RFC 8176). */
  readonly amr: readonly string[];
  /** `aal2` after two factors, else `aal1`. */
  readonly acr?: 'aal1' | 'aal2';
  /** The front end that the person signed in through, or the application. */
  readonly client_id: string;
  /** What the application may do, separated by spaces. Absent in tokens that are not of an application. */
  readonly scope?: string;
  readonly preferred_username: string;
  readonly name: string;
  readonly email?: string;
  readonly roles: readonly string[];
};

/** Why a token is rejected. `stale`: the verifier cannot tell now, because it does not hear from the service. */
export type RejectionReason = 'invalid' | 'expired' | 'revoked' | 'stale';

/** A token is rejected. Web frameworks send `status` and `headers` when a handler throws it. */
export class TokenRejected extends Error {
  override readonly name = 'TokenRejected';
  readonly reason: RejectionReason;
  /** 401, or 503 for `stale`. */
  readonly status: 401 | 503;
  /** The headers of the answer (RFC 6750, 3; RFC 9110, 10.2.3). */
  readonly headers: Readonly<Record<string, string>>;

  /** @param challenge the header `WWW-Authenticate`. */
  constructor(
    reason: RejectionReason,
    message: string,
    challenge = `Bearer error="invalid_token", error_description="${message}"`,
  ) {
    super(message);
    this.reason = reason;
    this.status = reason === 'stale' ? 503 : 401;
    this.headers = reason === 'stale' ? { 'retry-after': '1' } : { 'www-authenticate': challenge };
  }
}

export type VerifierOptions = {
  /** The public URL of the service, as in the claim `iss`. */
  readonly issuer: string;
  /**
   * The claim `aud`: the audience of the setting `Latchkey.Tokens`, "latchkey" by default. For tokens of applications, the
   * `resource` that they ask for, or their client id.
   */
  readonly audience: string;
  /** A service key with the permission `revocations`, and for `introspect` also with that. */
  readonly serviceKey: string;
  /** How long the verifier accepts tokens without hearing from the service: 3 to 3600 seconds. Default: 5. */
  readonly maxStaleSeconds?: number;
  /** What happens after that: the verifier refuses all tokens, or asks the service about each. Default: `refuse`. */
  readonly whenStale?: 'refuse' | 'introspect';
  /** Where the verifier reaches the service, if it does not use the public URL. */
  readonly serviceUrl?: string;
  /**
   * Hears why the verifier cannot follow the service, unless `ready` tells it: once for each outage, and once more if the
   * service then refuses the key.
   */
  readonly onError?: (error: Error) => void;
};

export interface Verifier {
  /**
   * Resolves when the verifier knows all revocations and can accept tokens.
   * @throws Error if the service refuses the service key, or `close` is called.
   */
  ready(): Promise<void>;
  /** Whether the verifier has not heard from the service for longer than `maxStaleSeconds`, or not yet. */
  readonly isStale: boolean;
  /** Returns the claims of a token that is valid now. @throws TokenRejected */
  verify(token: string): Promise<Claims>;
  /** Ends the connection to the service. All tokens are refused afterwards. */
  close(): void;
}
