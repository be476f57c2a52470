// OpenID providers: the base class of implementations that redeem an authorization code and verify an ID token.
import {
  allowInsecureRequests,
  ClientError,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  type CustomFetch,
  customFetch,
  discovery,
  type ExportedJWKSCache,
  enableNonRepudiationChecks,
  fetchUserInfo,
  genericGrantRequest,
  getJwksCache,
  type IDToken,
  None,
  ResponseBodyError,
  type ServerMetadata,
  setJwksCache,
  skipSubjectCheck,
  WWWAuthenticateChallengeError,
} from 'openid-client';
import { errorCodeOf } from '../foundation/errors.ts';
import { isLoopbackHost, isSecureUrl } from '../foundation/secure-url.ts';
import { TimeLimitError } from '../foundation/time-limit.ts';
import {
  type AuthorizationCodeGrant,
  ExternalAuthProviderApiBase,
  type ExternalAuthUserInfo,
  type ExternalLoginProviderInfo,
  type ResponseType,
} from '../providers/index.ts';
import { type Claims, hasUserClaims, toUser } from './oidc-claims.ts';

/**
 * Signs people in through an OpenID provider (OpenID Connect Core 1.0; RFC 6749, 7636 and 9207), by the code flow of the
 * service. A front end that makes its own request sends an access code instead. It is form encoded. It holds `code`, `code_verifier`, `redirect_uri` and `nonce`, and `iss` if the front end knows it: each once,
 * and no other member. The provider key is the ID token's `sub`, and is enough for a person who is linked. A new person
 * also needs an e-mail address whose `email_verified` is `true`, as a boolean or as text.
 */
export abstract class OidcProviderApiBase extends ExternalAuthProviderApiBase {
  /** The issuer identifier, as in the provider's metadata: an https URL, or an http URL of a loopback address. */
  protected abstract readonly issuer: string;

  /** Set it to `code id_token`, the hybrid flow, for a client that is registered for nothing else. */
  override readonly responseType: ResponseType = 'code';

  /** How the client secret is sent. Default: HTTP Basic, unless the provider's metadata lists only the other method. */
  declare protected readonly clientAuthentication?: 'client_secret_basic' | 'client_secret_post';

  /**
   * Checks the issuer without a request. The registration calls it, on an object that is used for nothing else.
   * @throws Error if the issuer is neither an https URL nor an http URL of a loopback address.
   */
  checkIssuer(): void {
    const url = typeof this.issuer === 'string' ? URL.parse(this.issuer) : null;
    if (url && isSecureUrl(url)) return;
    const { name } = this.providerInfo;
    throw new Error(`The issuer of provider "${name}" must be a URL with https, or with http and a loopback address.`);
  }

  /** Returns the authorization endpoint of fresh metadata: no other call would notice that the endpoint has moved. */
  override async getSignInAddressAsync(): Promise<string> {
    try {
      const { server } = await this.#discover();
      if (!server.authorization_endpoint) throw new ClientError('the metadata has no authorization endpoint');
      // A weaker method would let an attacker who reads the request redeem the code (RFC 9700, 2.1.1).
      const { code_challenge_methods_supported: methods } = server;
      if (this.responseType === 'code' && methods && !methods.includes('S256')) {
        throw new ClientError('the metadata lists no code challenge method "S256"');
      }
      return server.authorization_endpoint;
    } catch (error) {
      throw new Error(`OpenID provider ${this.issuer}, discovery: ${explain(error)}.`);
    }
  }

  async getUserInfoAsync(accessCode: string): Promise<ExternalAuthUserInfo | undefined> {
    const grant = readGrant(accessCode);
    if (!grant) return this.#refuse('the access code has another form');
    return this.#redeem(grant, ({ issuer }) => grant.issuer === undefined || grant.issuer === issuer);
  }

  override async getUserInfoByCodeAsync(grant: AuthorizationCodeGrant): Promise<ExternalAuthUserInfo | undefined> {
    return this.#redeem(grant, (server) => isOwnResponse(grant, server));
  }

  async #redeem(
    grant: AuthorizationCodeGrant,
    isOwn: (server: ServerMetadata) => boolean,
  ): Promise<ExternalAuthUserInfo | undefined> {
    let step = 'discovery';
    try {
      const metadata = this.#cached() ?? (await this.#discover());
      if (!isOwn(metadata.server)) return this.#refuse('the response names another issuer, or none');
      step = 'token request';
      const config = this.#configure(metadata);
      const tokens = await redeem(config, grant);
      if (!tokens) return this.#refuse('the token endpoint answers invalid_grant');
      metadata.keys = getJwksCache(config);
      const claims = tokens.claims();
      if (!claims) throw new ClientError('the answer has no ID token');
      if (claims.nonce !== grant.nonce) return this.#refuse('the ID token has another nonce');
      step = 'userinfo request';
      const more = await this.#fetchMissingClaims(config, claims, tokens.access_token);
      return toUser(this.providerInfo.name, claims, more);
    } catch (error) {
      throw this.#toFailure(step, error);
    }
  }

  #refuse(reason: string): undefined {
    this.refusalReason = reason;
  }

  #toFailure(step: string, error: unknown): Error {
    // The provider's metadata may have changed, so the next sign-in reads it again.
    cache.delete(this.providerInfo);
    return new Error(`OpenID provider ${this.issuer}, ${step}: ${explain(error)}.`);
  }

  /**
   * Fetches the claims that the ID token lacks from the userinfo endpoint.
   * @returns the failure if there is no answer: the ID token has the key, and a person who is linked needs no more.
   * @throws ClientError if the answer is of another person.
   */
  async #fetchMissingClaims(config: Configuration, claims: IDToken, accessToken: string): Promise<Claims | Error> {
    if (hasUserClaims(claims) || !config.serverMetadata().userinfo_endpoint) return {};
    const request = () => fetchUserInfo(config, accessToken, skipSubjectCheck);
    const more = await this.within(USERINFO_SECONDS, request).catch((error) =>
      this.#toFailure('userinfo request', error),
    );
    if (more instanceof Error || more.sub === claims.sub) return more;
    throw new ClientError('"sub" is not that of the ID token');
  }

  #cached(): Metadata | undefined {
    const cached = cache.get(this.providerInfo);
    return cached?.issuer === this.issuer ? cached : undefined;
  }

  async #discover(): Promise<Metadata> {
    const { issuer } = this;
    const options = { [customFetch]: this.#fetch, execute: this.#transport };
    const found = await discovery(new URL(issuer), this.providerInfo.clientId, {}, None(), options);
    const metadata: Metadata = { issuer, server: found.serverMetadata(), keys: this.#cached()?.keys };
    cache.set(this.providerInfo, metadata);
    return metadata;
  }

  /** Creates a configuration for one sign-in, because its requests end with that sign-in. */
  #configure({ server, keys }: Metadata): Configuration {
    const { clientId, clientSecret } = this.providerInfo;
    const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = server;
    const usual = methods.includes('client_secret_basic') ? 'client_secret_basic' : 'client_secret_post';
    const method = this.clientAuthentication ?? usual;
    const authenticate = method === 'client_secret_basic' ? ClientSecretBasic : ClientSecretPost;
    const config = new Configuration(server, clientId, {}, clientSecret === '' ? None() : authenticate(clientSecret));
    config[customFetch] = this.#fetch;
    for (const extend of [enableNonRepudiationChecks, ...this.#transport]) extend(config);
    if (keys) setJwksCache(config, keys);
    return config;
  }

  get #fetch(): CustomFetch {
    // The library sends texts and forms only, which every `fetch` takes; its type of a body is wider.
    return (url, init) => this.fetch(url, init as RequestInit);
  }

  /** Allows http for a loopback address only. */
  get #transport() {
    return isLoopbackHost(new URL(this.issuer).hostname) ? [allowInsecureRequests] : [];
  }
}

/** The metadata and keys of a provider. They are cached for each registration as long as its issuer stays the same. */
type Metadata = { readonly issuer: string; readonly server: ServerMetadata; keys: ExportedJWKSCache | undefined };

const cache = new WeakMap<ExternalLoginProviderInfo, Metadata>();

/** Whether a response comes from this provider: it must name the issuer if the metadata promise that (RFC 9207, 2.4). */
const isOwnResponse = ({ issuer }: AuthorizationCodeGrant, server: ServerMetadata) =>
  issuer === undefined ? server.authorization_response_iss_parameter_supported !== true : issuer === server.issuer;

/** A person who is linked waits no longer for claims that are not needed. */
const USERINFO_SECONDS = 5;

const MEMBERS = ['code', 'code_verifier', 'redirect_uri', 'nonce', 'iss'];
const CODE_VERIFIER = /^[\w.~-]{43,128}$/;

/** Reads an access code. */
function readGrant(accessCode: string): AuthorizationCodeGrant | undefined {
  const form = new URLSearchParams(accessCode);
  const names = [...form.keys()];
  if (new Set(names).size < names.length || names.some((name) => !MEMBERS.includes(name))) return undefined;
  const [code, codeVerifier, redirectUri, nonce, issuer] = MEMBERS.map((name) => form.get(name) ?? undefined);
  if (!code || !codeVerifier || !redirectUri || !nonce || !CODE_VERIFIER.test(codeVerifier)) return undefined;
  return { code, codeVerifier, redirectUri, nonce, issuer };
}

/**
 * Redeems the code by a generic grant: the library's grant for codes changes the redirect URI, which providers compare
 * exactly.
 * @returns the tokens; `undefined` if the provider rejects the code. The ID token is verified, except for its nonce.
 */
async function redeem(config: Configuration, { code, codeVerifier, redirectUri }: AuthorizationCodeGrant) {
  const parameters = { code, code_verifier: codeVerifier, redirect_uri: redirectUri };
  try {
    return await genericGrantRequest(config, 'authorization_code', parameters);
  } catch (error) {
    if (error instanceof ResponseBodyError && error.error === 'invalid_grant') return undefined;
    throw error;
  }
}

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

/** Describes a failure with constant texts only, so that it holds nothing that was sent or received. */
function explain(error: unknown): string {
  if (error instanceof ResponseBodyError || error instanceof WWWAuthenticateChallengeError) {
    const codes =
      error instanceof ResponseBodyError ? [error.error] : error.cause.map(({ parameters }) => parameters.error);
    return ['the answer is', error.status, ...OAUTH_ERRORS.filter((name) => codes.includes(name))].join(' ');
  }
  if (error instanceof TimeLimitError) return error.message;
  const cause = error instanceof Error ? error.cause : undefined;
  if (error instanceof ClientError) {
    if (cause instanceof Response) return `${error.message} (${cause.status})`;
    return cause instanceof Error && errorCodeOf(cause)?.startsWith('OAUTH_') ? cause.message : error.message;
  }
  const [known = 'no valid answer'] = /^[A-Z][A-Z0-9_]+$/.exec(errorCodeOf(cause) ?? errorCodeOf(error) ?? '') ?? [];
  return known;
}
