// OpenID providers: the base of implementations that redeem an authorization code and believe a verified ID token.
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
  type JsonValue,
  None,
  ResponseBodyError,
  type ServerMetadata,
  setJwksCache,
  WWWAuthenticateChallengeError,
} from 'openid-client';
import { isLoopbackHost, isSecureUrl } from '../foundation/secure-url.ts';
import {
  ExternalAuthProviderApiBase,
  type ExternalAuthUserInfo,
  type ExternalLoginProviderInfo,
} from '../providers/index.ts';

/**
 * Signs people in through an OpenID provider (OpenID Connect Core 1.0; RFC 6749, 7636 and 9207). The access code is the form
 * encoding of `code`, `code_verifier`, `redirect_uri` and `nonce`, and of `iss` if the front end knows it: each once, nothing
 * else. The provider key is the ID token's `sub`. Whoever has an e-mail address whose `email_verified` is not the boolean
 * `true` is refused like a wrong code.
 */
export abstract class OidcProviderApiBase extends ExternalAuthProviderApiBase {
  /** The issuer identifier, as it stands in the provider's metadata: https, or http to this very machine. */
  protected abstract readonly issuer: string;

  /** How the client secret travels. Absent: with HTTP Basic, unless the provider's metadata only have the other. */
  declare protected readonly clientAuthentication?: 'client_secret_basic' | 'client_secret_post';

  /**
   * Looks at the issuer, and asks nobody: registering calls it, on an object that signs nobody in.
   * @throws Error when it is no URL, or neither https nor http to this very machine.
   */
  checkIssuer(): void {
    const url = typeof this.issuer === 'string' ? URL.parse(this.issuer) : null;
    if (url && isSecureUrl(url)) return;
    const { name } = this.providerInfo;
    throw new Error(`The issuer of provider "${name}" must be a URL with https, or with http to this very machine.`);
  }

  /** The authorization endpoint, of metadata that are read anew: one that has moved is found here or nowhere. */
  override async getSignInAddressAsync(): Promise<string> {
    try {
      const { server } = await this.#discover();
      if (!server.authorization_endpoint) throw new ClientError('there is no authorization endpoint in the metadata');
      return server.authorization_endpoint;
    } catch (error) {
      throw new Error(`OpenID provider ${this.issuer}, discovery: ${explain(error)}.`);
    }
  }

  async getUserInfoAsync(accessCode: string): Promise<ExternalAuthUserInfo | undefined> {
    const grant = readGrant(accessCode);
    if (!grant) return undefined;
    let step = 'discovery';
    try {
      const known = this.#remember() ?? (await this.#discover());
      if (grant.iss !== undefined && grant.iss !== known.server.issuer) return undefined;
      step = 'token request';
      const config = this.#configure(known);
      const tokens = await redeem(config, grant);
      if (!tokens) return undefined;
      known.keys = getJwksCache(config);
      const claims = tokens.claims();
      if (!claims) throw new ClientError('there is no ID token in the answer');
      if (claims.nonce !== grant.nonce) return undefined;
      step = 'userinfo request';
      return toUser(this.providerInfo.name, claims, await askForMore(config, claims, tokens.access_token));
    } catch (error) {
      // What has changed at the provider is learnt at the next sign-in.
      memory.delete(this.providerInfo);
      throw new Error(`OpenID provider ${this.issuer}, ${step}: ${explain(error)}.`);
    }
  }

  #remember(): Known | undefined {
    const remembered = memory.get(this.providerInfo);
    return remembered?.issuer === this.issuer ? remembered : undefined;
  }

  async #discover(): Promise<Known> {
    const { issuer } = this;
    const options = { [customFetch]: this.#fetch, execute: this.#transport };
    const found = await discovery(new URL(issuer), this.providerInfo.clientId, {}, None(), options);
    const known: Known = { issuer, server: found.serverMetadata(), keys: this.#remember()?.keys };
    memory.set(this.providerInfo, known);
    return known;
  }

  /** For this sign-in alone: requests end with it. */
  #configure({ server, keys }: Known): Configuration {
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
    return (url, init) => this.fetch(url, init as RequestInit);
  }

  /** Without TLS only where nobody else can listen. */
  get #transport() {
    return isLoopbackHost(new URL(this.issuer).hostname) ? [allowInsecureRequests] : [];
  }
}

/** What is learnt of the provider of a registration while it has this issuer, so that not every sign-in has to ask for it. */
type Known = { readonly issuer: string; readonly server: ServerMetadata; keys: ExportedJWKSCache | undefined };

const memory = new WeakMap<ExternalLoginProviderInfo, Known>();

/** What an access code holds. */
type Grant = { code: string; verifier: string; redirectUri: string; nonce: string; iss: string | undefined };

const MEMBERS = ['code', 'code_verifier', 'redirect_uri', 'nonce', 'iss'];
const CODE_VERIFIER = /^[\w.~-]{43,128}$/;

function readGrant(accessCode: string): Grant | undefined {
  const form = new URLSearchParams(accessCode);
  const names = [...form.keys()];
  if (new Set(names).size < names.length || names.some((name) => !MEMBERS.includes(name))) return undefined;
  const [code, verifier, redirectUri, nonce, iss] = MEMBERS.map((name) => form.get(name) ?? undefined);
  if (!code || !verifier || !redirectUri || !nonce || !CODE_VERIFIER.test(verifier)) return undefined;
  return { code, verifier, redirectUri, nonce, iss };
}

/**
 * As a generic grant, since the one for codes alters the redirect URI, which providers compare to the letter.
 * @returns tokens, of which the ID token is verified but for its nonce; nothing when the code is refused.
 */
async function redeem(config: Configuration, { code, verifier, redirectUri }: Grant) {
  const parameters = { code, code_verifier: verifier, redirect_uri: redirectUri };
  try {
    return await genericGrantRequest(config, 'authorization_code', parameters);
  } catch (error) {
    if (error instanceof ResponseBodyError && error.error === 'invalid_grant') return undefined;
    throw error;
  }
}

type Claims = Readonly<Record<string, JsonValue | undefined>>;

const WANTED = ['email', 'email_verified', 'given_name', 'family_name'];
const isTold = (value: JsonValue | undefined) => value !== undefined && value !== null;

/** What the userinfo endpoint adds to an ID token that does not tell all. */
async function askForMore(config: Configuration, claims: IDToken, accessToken: string): Promise<Claims> {
  const isEnough = WANTED.every((name) => isTold(claims[name])) || !config.serverMetadata().userinfo_endpoint;
  return isEnough ? {} : fetchUserInfo(config, accessToken, claims.sub);
}

/** @returns nothing for an address that is not verified, by the same answer that has it. */
function toUser(provider: string, claims: IDToken, more: Claims): ExternalAuthUserInfo | undefined {
  const answers: Claims[] = [claims, more];
  const withAddress = answers.filter(({ email }) => isTold(email));
  const source = withAddress.find(({ email_verified }) => isTold(email_verified)) ?? withAddress[0];
  if (source && source.email_verified !== true) return undefined;
  const told = (name: string) => answers.map((answer) => answer[name]).find(isTold);
  const [given, family] = [told('given_name'), told('family_name')];
  return {
    provider,
    providerKey: claims.sub,
    name: toText(given ?? (isTold(family) ? '' : told('name'))),
    surname: toText(family),
    emailAddress: toText(source?.email),
  };
}

const toText = (value: JsonValue | undefined) => (typeof value === 'string' ? value : '');

/** The errors of RFC 6749 (5.2) and 6750 (3.1): a provider's own words might repeat what it was sent. */
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

/** What went wrong, without a word of what was sent or received: of library and runtime only what is constant. */
function explain(error: unknown): string {
  if (error instanceof ResponseBodyError || error instanceof WWWAuthenticateChallengeError) {
    const said = error instanceof ResponseBodyError ? [error.error] : error.cause.map((told) => told.parameters.error);
    return ['the answer is', error.status, ...OAUTH_ERRORS.filter((name) => said.includes(name))].join(' ');
  }
  const { cause, code = '' } = error as { cause?: { message?: string; code?: unknown }; code?: unknown };
  if (error instanceof ClientError) {
    if (cause instanceof Response) return `${error.message} (${cause.status})`;
    return String(cause?.code).startsWith('OAUTH_') ? `${cause?.message}` : error.message;
  }
  const [known = 'no sensible answer'] = /^[A-Z][A-Z0-9_]+$/.exec(String(cause?.code ?? code)) ?? [];
  return known;
}
