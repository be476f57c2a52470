// The registered providers of OAuth 2 without OpenID (RFC 6749): key and profile come from userinfo.
import { allowInsecureRequests, ClientError, ClientSecretPost, Configuration, customFetch, None } from 'openid-client';
import { isObject } from '../../foundation/object.ts';
import { isLoopbackHost } from '../../foundation/secure-url.ts';
import type { ProviderEndpoints, ProviderStep, ProviderType, ProviderWithSecret } from '../external-provider.ts';
import {
  type AuthorizationCodeGrant,
  type AuthorizationRequestForm,
  ExternalAuthProviderApiBase,
  type ExternalAuthUserInfo,
} from '../provider.ts';
import { checkClient, redeemCode, toCustomFetch } from './code-grant.ts';
import { explain } from './failures.ts';
import {
  type Claims,
  isAddressVerified,
  type MappedClaims,
  mapUsualClaims,
  PROFILE_SECONDS,
  saysYes,
  toKey,
  toText,
} from './oidc-claims.ts';
import { mapNamedClaims, type RegisteredInfo, requireAnswers, STEP_SECONDS, scopesOf, tryStep } from './registered.ts';

/** Any provider of OAuth 2: everything is as the row says. */
export class RegisteredOAuth2Api extends ExternalAuthProviderApiBase {
  declare readonly providerInfo: RegisteredInfo;
  override readonly responseType = 'code';
  protected readonly endpoints: ProviderEndpoints = this.row.endpoints ?? NO_ENDPOINTS;

  protected get row(): ProviderWithSecret {
    return this.providerInfo.row;
  }

  override describeRequest(): AuthorizationRequestForm {
    const { authorizationParameters: parameters } = this.row;
    return {
      scopes: scopesOf(this.row),
      parameters,
      responseMode: 'query',
      usesPkce: true,
      usesNonce: false,
    };
  }

  override async getSignInAddressAsync(): Promise<string> {
    return this.endpoints.authorization;
  }

  override async getUserInfoAsync(): Promise<undefined> {
    this.refusalReason = 'a provider of OAuth 2 redeems only codes of requests that this service has made';
  }

  override async getUserInfoByCodeAsync(grant: AuthorizationCodeGrant): Promise<ExternalAuthUserInfo | undefined> {
    if (!this.isOwnResponse(grant)) {
      this.refusalReason = 'the response names another issuer, or none';
      return undefined;
    }
    const tokens = await explained('token request', () => redeemCode(this.#configure(), grant, true));
    if (!tokens) {
      this.refusalReason = 'the token endpoint answers invalid_grant';
      return undefined;
    }
    const userinfo = await explained('userinfo request', () => this.#ask(this.endpoints.userinfo, tokens.access_token));
    if (!isObject(userinfo)) throw new Error('OAuth provider, userinfo request: no valid answer.');
    const { providerKey, name, surname, emailAddress } = this.mapUser(userinfo);
    const identity = { provider: this.providerInfo.name, providerKey, name, surname };
    try {
      return { ...identity, ...(await this.#findAddress(emailAddress, userinfo, tokens.access_token)) };
    } catch (error) {
      // A person who is linked needs no address.
      return { ...identity, emailAddress: '', failure: error instanceof Error ? error : new Error() };
    }
  }

  /** Whether a response can come from this provider: an issuer that it names is at the address that people were sent to. */
  protected isOwnResponse({ issuer }: AuthorizationCodeGrant): boolean {
    return issuer === undefined || URL.parse(issuer)?.origin === new URL(this.endpoints.authorization).origin;
  }

  protected mapUser(userinfo: Claims): MappedClaims {
    return mapNamedClaims(this.row, mapUsualClaims(userinfo, {}), [userinfo]);
  }

  async #findAddress(
    emailAddress: string,
    userinfo: Claims,
    token: string,
  ): Promise<Pick<ExternalAuthUserInfo, 'emailAddress' | 'isEmailVerified'>> {
    const { emails } = this.endpoints;
    const isTrusted = this.row.emailTrust === 'always';
    if (emails === null)
      return { emailAddress, isEmailVerified: isTrusted || isAddressVerified(emailAddress, userinfo, {}) };
    const list = await explained('request for addresses', () =>
      this.within(PROFILE_SECONDS, () => this.#ask(emails, token)),
    );
    const primary = Array.isArray(list) ? list.find((entry) => isObject(entry) && saysYes(entry.primary)) : undefined;
    return { emailAddress: toText(primary?.email), isEmailVerified: isTrusted || saysYes(primary?.verified) };
  }

  async #ask(address: string, token: string): Promise<unknown> {
    const headers = { accept: 'application/json', authorization: `Bearer ${token}`, 'user-agent': 'latchkey' };
    const answer = await this.fetch(address, { headers });
    if (!answer.ok) throw new ClientError('the answer is no success', { cause: answer });
    return answer.json();
  }

  #configure(): Configuration {
    const { clientId, clientSecret } = this.row;
    const { token } = this.endpoints;
    const server = { issuer: new URL(token).origin, token_endpoint: token };
    const config = new Configuration(
      server,
      clientId,
      {},
      clientSecret === '' ? None() : ClientSecretPost(clientSecret),
    );
    const ask = toCustomFetch(this.fetch);
    config[customFetch] = async (url, init) => this.#toStandard(await ask(url, init));
    if (isLoopbackHost(new URL(token).hostname)) allowInsecureRequests(config);
    return config;
  }

  /** Some providers answer errors with the status 200, or with codes of their own. */
  async #toStandard(answer: Response): Promise<Response> {
    const text = await answer.text();
    const error = this.readError(parse(text));
    const headers = { 'content-type': answer.headers.get('content-type') ?? '' };
    if (error === undefined) return new Response(text, { status: answer.status, headers });
    return Response.json({ error }, { status: answer.ok ? 400 : answer.status });
  }

  /** Returns the error code of a token answer (RFC 6749, 5.2). */
  protected readError({ error }: Claims): string | undefined {
    return typeof error === 'string' ? error : undefined;
  }

  /** Asks every endpoint for any answer. A token or a code is not needed for that. */
  async check(): Promise<ProviderStep[]> {
    const steps: ProviderStep[] = [];
    const { authorization, token, userinfo, emails } = this.endpoints;
    await tryStep(steps, 'endpoints', () =>
      this.within(STEP_SECONDS, () => requireAnswers(this.fetch, [authorization, token, userinfo, emails])),
    );
    await tryStep(steps, 'client', () => this.within(STEP_SECONDS, () => checkClient(this.#configure(), true)));
    return steps;
  }
}

const NO_ENDPOINTS: ProviderEndpoints = { authorization: '', token: '', userinfo: '', emails: null };

/** Describes a failure without anything that was sent or received. */
async function explained<Result>(step: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw new Error(`OAuth provider, ${step}: ${explain(error)}.`);
  }
}

function parse(text: string): Claims {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** GitHub. The address of the profile is not verified: only the list of addresses says which one is. */
class GitHubApi extends RegisteredOAuth2Api {
  protected override readonly endpoints = {
    authorization: 'https://github.com/login/oauth/authorize',
    token: 'https://github.com/login/oauth/access_token',
    userinfo: 'https://api.github.com/user',
    emails: 'https://api.github.com/user/emails',
  };

  protected override isOwnResponse({ issuer }: AuthorizationCodeGrant): boolean {
    return issuer === 'https://github.com/login/oauth';
  }

  protected override mapUser({ id, name }: Claims): MappedClaims {
    return { providerKey: toKey(id), name: toText(name), surname: '', emailAddress: '' };
  }

  protected override readError({ error }: Claims): string | undefined {
    if (error === 'incorrect_client_credentials') return 'invalid_client';
    return error === 'bad_verification_code' ? 'invalid_grant' : super.readError({ error });
  }
}

/** Facebook proves no address: new people register only where the operator vouches for it. */
class FacebookApi extends RegisteredOAuth2Api {
  protected override readonly endpoints = {
    authorization: 'https://www.facebook.com/dialog/oauth',
    token: 'https://graph.facebook.com/oauth/access_token',
    userinfo: 'https://graph.facebook.com/me?fields=id,name,email,first_name,last_name',
    emails: null,
  };

  protected override mapUser({ id, first_name, last_name, email }: Claims): MappedClaims {
    const emailAddress = this.row.emailTrust === 'always' ? toText(email) : '';
    return { providerKey: toKey(id), name: toText(first_name), surname: toText(last_name), emailAddress };
  }

  /** A code that is wrong or used has the number 100, an unknown application 101, and a wrong secret 1. */
  protected override readError({ error }: Claims): string | undefined {
    if (!isObject(error)) return super.readError({ error });
    if (error.code === 1 || error.code === 101) return 'invalid_client';
    return error.code === 100 ? 'invalid_grant' : 'invalid_request';
  }
}

export const oauth2Apis = {
  github: GitHubApi,
  facebook: FacebookApi,
  oauth2: RegisteredOAuth2Api,
} satisfies Partial<Record<ProviderType, typeof RegisteredOAuth2Api>>;
