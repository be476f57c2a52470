// OpenID providers: the base class of implementations that redeem an authorization code and verify an ID token.
import {
  allowInsecureRequests,
  type ClientAuth,
  ClientError,
  ClientSecretPost,
  Configuration,
  type CustomFetch,
  customFetch,
  discovery,
  type ExportedJWKSCache,
  enableNonRepudiationChecks,
  fetchUserInfo,
  getJwksCache,
  type IDToken,
  None,
  type ServerMetadata,
  setJwksCache,
  skipSubjectCheck,
} from 'openid-client';
import { isObject } from '../../foundation/object.ts';
import { isLoopbackHost, isSecureUrl } from '../../foundation/secure-url.ts';
import type { EmailTrust } from '../external-provider.ts';
import {
  type AuthorizationCodeGrant,
  type AuthorizationRequestForm,
  ExternalAuthProviderApiBase,
  type ExternalAuthUserInfo,
  type ExternalLoginProviderInfo,
  type ResponseType,
  usualRequestForm,
} from '../provider.ts';
import { checkClient, redeemCode, toCustomFetch } from './code-grant.ts';
import { explain } from './failures.ts';
import {
  type Claims,
  hasUserClaims,
  isAddressVerified,
  type MappedClaims,
  mapUsualClaims,
  PROFILE_SECONDS,
} from './oidc-claims.ts';

/**
 * Signs people in through an OpenID provider (OpenID Connect Core 1.0; RFC 6749, 7636 and 9207), by the code flow of the
 * service. A front end that makes its own request sends an access code instead. It is form encoded. It holds `code`,
 * `code_verifier`, `redirect_uri` and `nonce`, and `iss` if the front end knows it: each once, and no other member. The
 * provider key is the ID token's `sub` unless the class maps claims, and is enough for a person who is linked. A new person
 * also needs an e-mail address whose `email_verified` is `true`, as a boolean or as text.
 */
export abstract class OidcProviderApiBase extends ExternalAuthProviderApiBase {
  /** The issuer identifier, as in the provider's metadata: an https URL, or an http URL of a loopback address. */
  protected abstract readonly issuer: string;

  /** Set it to `code id_token`, the hybrid flow, for a client that is registered for nothing else. */
  override readonly responseType: ResponseType = 'code';

  /** How the client secret is sent. Default: HTTP Basic, unless the provider's metadata lists only the other method. */
  declare protected readonly clientAuthentication?: 'client_secret_basic' | 'client_secret_post';

  /** `always`: you vouch that the provider gives a person only addresses of that person. Default: `verified`. */
  protected readonly emailTrust: EmailTrust = 'verified';

  /** The scopes of the service's requests. */
  protected readonly scopes: readonly string[] = usualRequestForm.scopes;

  /** More parameters of the service's requests, such as `prompt`. What the protocol sets itself wins over them. */
  protected readonly authorizationParameters: Readonly<Record<string, string>> = {};

  /** Set it to `form_post` for a provider that answers in no other way. */
  protected readonly responseMode: AuthorizationRequestForm['responseMode'] = 'query';

  /** Set it to `false` only for a provider that refuses a code challenge. */
  protected readonly usesPkce: boolean = true;

  /** Set it to `false` only for a provider that does not repeat the nonce in its ID tokens. */
  protected readonly usesNonce: boolean = true;

  /** Other names of the same issuer in its ID tokens and responses. */
  protected readonly otherIssuers: readonly string[] = [];

  /** The metadata of a provider that publishes none. */
  declare protected readonly fixedMetadata?: FixedMetadata;

  /**
   * Chooses what the service reads from the ID token and userinfo. A class that overrides it gets both whenever the provider
   * has userinfo. If userinfo fails, it is empty.
   * @returns the key, 1 to 256 characters: it never changes, and no other person ever gets it.
   */
  protected mapClaims(claims: Claims, userinfo: Claims): MappedClaims {
    return mapUsualClaims(claims, userinfo);
  }

  /** Whether the provider says that the mapped address is verified. Not asked where the operator vouches for it. */
  protected isEmailVerified(emailAddress: string, claims: Claims, userinfo: Claims): boolean {
    return isAddressVerified(emailAddress, claims, userinfo);
  }

  /** Whether userinfo has to be asked too. */
  protected needsUserinfo(claims: Claims): boolean {
    return this.mapClaims !== OidcProviderApiBase.prototype.mapClaims || !hasUserClaims(claims);
  }

  /** Returns why people of this ID token do not sign in here, in a sentence for the log. */
  protected findRefusal(_claims: Claims): string | undefined {
    return undefined;
  }

  /** Returns the secret for one token request. */
  protected async findClientSecret(): Promise<string> {
    return this.providerInfo.clientSecret;
  }

  override describeRequest(): AuthorizationRequestForm {
    const { scopes, authorizationParameters: parameters, responseMode, usesPkce, usesNonce } = this;
    return { scopes, parameters, responseMode, usesPkce, usesNonce };
  }

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
      if (this.responseType === 'code' && this.usesPkce && methods && !methods.includes('S256')) {
        throw new ClientError('the metadata lists no code challenge method "S256"');
      }
      return server.authorization_endpoint;
    } catch (error) {
      throw new Error(`OpenID provider ${this.issuer}, discovery: ${explain(error)}.`);
    }
  }

  async getUserInfoAsync(accessCode: string): Promise<ExternalAuthUserInfo | undefined> {
    // The state of such a request is the front end's. Without nonce and verifier, anybody's code would sign its owner in here.
    if (!this.usesNonce && !this.usesPkce)
      return this.#refuse('only requests of the service are safe with this provider');
    const grant = readGrant(accessCode);
    if (!grant) return this.#refuse('the access code has another form');
    return this.#identify(grant, ({ issuer }) => grant.issuer === undefined || grant.issuer === issuer);
  }

  override async getUserInfoByCodeAsync(grant: AuthorizationCodeGrant): Promise<ExternalAuthUserInfo | undefined> {
    return this.#identify(grant, (server) => this.#isOwnResponse(grant, server));
  }

  /** Whether a response comes from this provider: it must name the issuer if the metadata promise that (RFC 9207, 2.4). */
  #isOwnResponse({ issuer }: AuthorizationCodeGrant, server: ServerMetadata): boolean {
    if (issuer === undefined) return server.authorization_response_iss_parameter_supported !== true;
    return [server.issuer, ...this.otherIssuers].includes(issuer);
  }

  /** Returns the answer of the token endpoint as RFC 6749 (5.1 and 5.2) has it. Override it for a provider whose answers differ. */
  protected async toTokenAnswer(answer: Response): Promise<Response> {
    return answer;
  }

  async #identify(
    grant: AuthorizationCodeGrant,
    isOwn: (server: ServerMetadata) => boolean,
  ): Promise<ExternalAuthUserInfo | undefined> {
    const answers = await this.#redeem(grant, isOwn);
    if (!answers) return undefined;
    const { claims, userinfo } = answers;
    const { name: provider } = this.providerInfo;
    const more = userinfo instanceof Error ? {} : userinfo;
    const { providerKey, name, surname, emailAddress } = this.mapClaims(claims, more);
    if (userinfo instanceof Error) {
      if (providerKey === '') throw userinfo;
      return { provider, providerKey, name: '', surname: '', emailAddress: '', failure: userinfo };
    }
    const isEmailVerified = this.emailTrust === 'always' || this.isEmailVerified(emailAddress, claims, more);
    return { provider, providerKey, name, surname, emailAddress, isEmailVerified };
  }

  /** Returns what the provider says of the person: the ID token, and userinfo or why there is none. */
  async #redeem(grant: AuthorizationCodeGrant, isOwn: (server: ServerMetadata) => boolean) {
    let step = 'discovery';
    try {
      const metadata = this.#cached() ?? (await this.#discover());
      if (!isOwn(metadata.server)) return this.#refuse('the response names another issuer, or none');
      step = 'token request';
      const { config, tokens } = await this.#findTokens(metadata, grant);
      if (!tokens) return this.#refuse('the token endpoint answers invalid_grant');
      metadata.keys = getJwksCache(config);
      const claims = tokens.claims();
      if (!claims) throw new ClientError('the answer has no ID token');
      if (this.usesNonce && claims.nonce !== grant.nonce) return this.#refuse('the ID token has another nonce');
      const refusal = this.findRefusal(claims);
      if (refusal !== undefined) return this.#refuse(refusal);
      step = 'userinfo request';
      return { claims, userinfo: await this.#fetchMissingClaims(config, claims, tokens.access_token) };
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
   * Redeems the code once. Reads the answer under each name of the issuer until one is that of its ID token, and again with fresh
   * keys if the provider signs by a new one.
   */
  async #findTokens({ server, keys }: Metadata, grant: AuthorizationCodeGrant) {
    const clientSecret = await this.findClientSecret();
    let answer: Response | undefined;
    const ask: CustomFetch = async (url, init) => {
      if (url !== server.token_endpoint) return this.#fetch(url, init);
      answer ??= await this.toTokenAnswer(await this.#fetch(url, init));
      return answer.clone();
    };
    let [issuer, ...others] = [server.issuer, ...this.otherIssuers];
    let known = keys;
    for (;;) {
      const config = this.#configure({ ...server, issuer }, clientSecret);
      config[customFetch] = ask;
      if (known) setJwksCache(config, known);
      try {
        return { config, tokens: await redeemCode(config, grant, this.usesPkce) };
      } catch (error) {
        if (known && isOfUnknownKey(error)) known = undefined;
        else if (others[0] !== undefined && isOfOtherIssuer(error)) [issuer, ...others] = others;
        else throw error;
      }
    }
  }

  /**
   * Fetches the claims that the ID token lacks from the userinfo endpoint.
   * @returns the failure if there is no answer: the ID token has the key, and a person who is linked needs no more.
   * @throws ClientError if the answer is of another person.
   */
  async #fetchMissingClaims(config: Configuration, claims: IDToken, accessToken: string): Promise<Claims | Error> {
    if (!this.needsUserinfo(claims) || !config.serverMetadata().userinfo_endpoint) return {};
    const request = () => fetchUserInfo(config, accessToken, skipSubjectCheck);
    const more = await this.within(PROFILE_SECONDS, request).catch((error) =>
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
    const metadata: Metadata = { issuer, server: await this.#findServer(), keys: this.#cached()?.keys };
    cache.set(this.providerInfo, metadata);
    return metadata;
  }

  /** Returns the metadata, as the provider publishes them now. */
  protected findMetadata(): Promise<ProviderMetadata> {
    return this.#findServer();
  }

  /** Asks whether the provider knows the client and its secret. @returns whether its answer tells. */
  protected async checkClient(): Promise<boolean> {
    const config = this.#configure(await this.#findServer(), await this.findClientSecret());
    config[customFetch] = this.#fetch;
    return checkClient(config, this.usesPkce);
  }

  async #findServer(): Promise<ServerMetadata> {
    if (this.fixedMetadata) return { ...this.fixedMetadata, issuer: this.issuer };
    const options = { [customFetch]: this.#fetch, execute: this.#transport };
    const found = await discovery(new URL(this.issuer), this.providerInfo.clientId, {}, None(), options);
    const server = found.serverMetadata();
    // The library lets some hosts name another issuer.
    if (server.issuer !== this.issuer) throw new ClientError('the metadata name another issuer');
    return server;
  }

  /** Creates a configuration for one sign-in, because its requests end with that sign-in. */
  #configure(server: ServerMetadata, clientSecret: string): Configuration {
    const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = server;
    const usual = methods.includes('client_secret_basic') ? 'client_secret_basic' : 'client_secret_post';
    const method = this.clientAuthentication ?? usual;
    const authenticate = method === 'client_secret_basic' ? clientSecretBasic : ClientSecretPost;
    const authentication = clientSecret === '' ? None() : authenticate(clientSecret);
    const config = new Configuration(server, this.providerInfo.clientId, {}, authentication);
    for (const extend of [enableNonRepudiationChecks, ...this.#transport]) extend(config);
    return config;
  }

  get #fetch(): CustomFetch {
    return toCustomFetch(this.fetch);
  }

  /** Allows http for a loopback address only. */
  get #transport() {
    return isLoopbackHost(new URL(this.issuer).hostname) ? [allowInsecureRequests] : [];
  }
}

/**
 * HTTP Basic, with the client id and secret encoded (RFC 6749, 2.3.1). The library also encodes `-`, `.`, `_` and `~`, which means the
 * same. But Google, Microsoft and GitLab have them in what they issue, and some providers decode nothing.
 */
const clientSecretBasic =
  (clientSecret: string): ClientAuth =>
  (_server, { client_id: clientId }, _body, headers) => {
    const text = [clientId, clientSecret].map(encodeURIComponent).join(':');
    headers.set('authorization', `Basic ${Buffer.from(text).toString('base64')}`);
  };

/** Where a provider that publishes no metadata is asked (OpenID Connect Discovery 1.0, 3). */
type FixedMetadata = {
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  readonly jwks_uri: string;
};

/** What a provider says of itself (OpenID Connect Discovery 1.0, 3). */
type ProviderMetadata = {
  readonly authorization_endpoint?: string;
  readonly token_endpoint?: string;
  readonly userinfo_endpoint?: string;
  readonly jwks_uri?: string;
  readonly code_challenge_methods_supported?: readonly string[];
};

/** The metadata and keys of a provider. They are cached for each registration as long as its issuer stays the same. */
type Metadata = { readonly issuer: string; readonly server: ServerMetadata; keys: ExportedJWKSCache | undefined };

const cache = new WeakMap<ExternalLoginProviderInfo, Metadata>();

/** Whether an ID token was refused because it names another issuer. */
const isOfOtherIssuer = (error: unknown) => {
  const why = error instanceof ClientError ? error.cause : undefined;
  return why instanceof Error && isObject(why.cause) && why.cause.claim === 'iss';
};

/** Whether an ID token was refused because none of the keys has signed it. */
const isOfUnknownKey = (error: unknown) => error instanceof ClientError && error.code === 'OAUTH_KEY_SELECTION_FAILED';

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
