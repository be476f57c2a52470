// The registered OpenID providers: what each type adds to the base class, as data and small classes.
import { importPKCS8, SignJWT } from 'jose';
import { ClientError } from 'openid-client';
import { isObject } from '../../foundation/object.ts';
import type { ProviderStep, ProviderType, ProviderWithSecret } from '../external-provider.ts';
import type { AuthorizationCodeGrant, ExternalAuthUserInfo } from '../provider.ts';
import { type Claims, isPresent, type MappedClaims, mapUsualClaims, toText } from './oidc-claims.ts';
import { OidcProviderApiBase } from './oidc-provider-api-base.ts';
import { mapNamedClaims, type RegisteredInfo, requireAnswers, STEP_SECONDS, scopesOf, tryStep } from './registered.ts';

/** Any OpenID provider: everything is as the row says. */
export class RegisteredOidcApi extends OidcProviderApiBase {
  declare readonly providerInfo: RegisteredInfo;
  protected readonly issuer: string = this.row.issuer ?? '';
  protected override readonly emailTrust = this.row.emailTrust;
  protected override readonly scopes = scopesOf(this.row);
  protected override readonly authorizationParameters = this.row.authorizationParameters;

  protected get row(): ProviderWithSecret {
    return this.providerInfo.row;
  }

  protected override async findClientSecret(): Promise<string> {
    return this.row.clientSecret;
  }

  protected override mapClaims(claims: Claims, userinfo: Claims): MappedClaims {
    return mapNamedClaims(this.row, mapUsualClaims(claims, userinfo), [claims, userinfo]);
  }

  protected override needsUserinfo(claims: Claims): boolean {
    const {
      providerKey = 'sub',
      name = 'given_name',
      surname = 'family_name',
      emailAddress = 'email',
    } = this.row.claims;
    return [providerKey, name, surname, emailAddress, 'email_verified'].some((claim) => !isPresent(claims[claim]));
  }

  /** Asks the provider for everything that a sign-in needs. It has no other effect. */
  async check(): Promise<ProviderStep[]> {
    const steps: ProviderStep[] = [];
    const server = await this.#try(steps, 'discovery', () => this.findMetadata());
    if (!server) return steps;
    await this.#try(steps, 'endpoints', async () => {
      const { authorization_endpoint, token_endpoint, userinfo_endpoint } = server;
      if (!authorization_endpoint || !token_endpoint) throw new ClientError('the metadata lack an endpoint');
      await requireAnswers(this.fetch, [token_endpoint, userinfo_endpoint]);
    });
    await this.#try(steps, 'keys', () => this.#requireKeys(server.jwks_uri));
    const { code_challenge_methods_supported: methods } = server;
    await this.#try(steps, 'PKCE', async () => {
      if (this.usesPkce && methods && !methods.includes('S256'))
        throw new ClientError('the metadata list no method "S256"');
    });
    await this.#try(steps, 'client', () => this.checkClient());
    return steps;
  }

  #try<Result>(steps: ProviderStep[], name: ProviderStep['name'], work: () => Promise<Result>) {
    return tryStep(steps, name, () => this.within(STEP_SECONDS, work));
  }

  async #requireKeys(address: string | undefined) {
    if (address === undefined) throw new ClientError('the metadata name no address of keys');
    const answer = await this.fetch(address);
    const body: unknown = answer.ok ? await answer.json() : undefined;
    if (!isObject(body) || !Array.isArray(body.keys) || body.keys.length === 0)
      throw new ClientError('the address of keys answers none');
  }
}

/** Google vouches for an address of Gmail, and for a verified one of a Workspace, which `hd` names. */
class GoogleApi extends RegisteredOidcApi {
  protected override readonly issuer = 'https://accounts.google.com';
  protected override readonly otherIssuers = ['accounts.google.com'];

  protected override isEmailVerified(emailAddress: string, claims: Claims, userinfo: Claims): boolean {
    if (/@gmail\.com$/i.test(emailAddress)) return true;
    return isPresent(claims.hd) && super.isEmailVerified(emailAddress, claims, userinfo);
  }

  /** The parameter `hd` is a hint that the person can remove. Only the claim says who belongs to the Workspace. */
  protected override findRefusal({ hd }: Claims): string | undefined {
    const { hd: wanted } = this.authorizationParameters;
    if (wanted === undefined || toText(hd).toLowerCase() === wanted.toLowerCase() || (wanted === '*' && isPresent(hd)))
      return undefined;
    return 'the person does not belong to the Workspace of the parameter "hd"';
  }
}

/** The values of `xms_edov` that say yes. */
const VERIFIED_DOMAIN: readonly unknown[] = [true, 'true', 1, '1'];

/**
 * Microsoft Entra ID, one tenant. Its administrators can give people any address, so only the claim `xms_edov` proves one
 * ("nOAuth"). People are told apart by tenant and object id.
 */
class MicrosoftApi extends RegisteredOidcApi {
  protected override readonly issuer = `https://login.microsoftonline.com/${this.row.tenant}/v2.0`;

  protected override mapClaims(claims: Claims, userinfo: Claims): MappedClaims {
    const [tenant, person] = [toText(claims.tid), toText(claims.oid)];
    return { ...super.mapClaims(claims, userinfo), providerKey: tenant && person && `${tenant}.${person}` };
  }

  protected override isEmailVerified(emailAddress: string, claims: Claims): boolean {
    return claims.email === emailAddress && VERIFIED_DOMAIN.includes(claims.xms_edov);
  }

  protected override findRefusal({ tid }: Claims): string | undefined {
    return toText(tid).toLowerCase() === this.row.tenant ? undefined : 'the ID token is of another tenant';
  }
}

/** A client secret is minted for one request. */
const APPLE_SECRET_LIFETIME = '5 minutes';

/** Sign in with Apple. The name comes once, beside the code of the first sign-in. */
class AppleApi extends RegisteredOidcApi {
  protected override readonly issuer = 'https://appleid.apple.com';
  protected override readonly otherIssuers = ['https://account.apple.com'];
  protected override readonly responseMode = 'form_post';
  protected override readonly clientAuthentication = 'client_secret_post';
  protected override readonly fixedMetadata = {
    authorization_endpoint: 'https://appleid.apple.com/auth/authorize',
    token_endpoint: 'https://appleid.apple.com/auth/token',
    jwks_uri: 'https://appleid.apple.com/auth/keys',
  };

  protected override async findClientSecret(): Promise<string> {
    const { teamId, keyId, clientId, privateKey } = this.row;
    return new SignJWT()
      .setProtectedHeader({ alg: 'ES256', kid: keyId ?? '' })
      .setIssuer(teamId ?? '')
      .setSubject(clientId)
      .setAudience(this.issuer)
      .setIssuedAt()
      .setExpirationTime(APPLE_SECRET_LIFETIME)
      .sign(await importPKCS8(privateKey ?? '', 'ES256'));
  }

  override async getUserInfoByCodeAsync(grant: AuthorizationCodeGrant): Promise<ExternalAuthUserInfo | undefined> {
    const user = await super.getUserInfoByCodeAsync(grant);
    return user && { ...user, ...(user.name === '' && user.surname === '' && readPostedName(grant.user)) };
  }
}

/** Reads the name that Apple posts with the first code. It is untrusted, and only what a person would type. */
function readPostedName(user: string | undefined): Pick<MappedClaims, 'name' | 'surname'> | undefined {
  try {
    const { name } = JSON.parse(user ?? '{}');
    return { name: toText(name?.firstName), surname: toText(name?.lastName) };
  } catch {
    return undefined;
  }
}

class GitLabApi extends RegisteredOidcApi {
  protected override readonly issuer = this.row.issuer ?? 'https://gitlab.com';
}

/** LinkedIn repeats no nonce, and refuses a code verifier of an app without PKCE. */
class LinkedInApi extends RegisteredOidcApi {
  protected override readonly issuer = 'https://www.linkedin.com/oauth';
  protected override readonly usesNonce = false;
  protected override readonly usesPkce = false;
  protected override readonly clientAuthentication = 'client_secret_post';

  /** LinkedIn may leave `token_type` out. */
  protected override async toTokenAnswer(answer: Response): Promise<Response> {
    const body: unknown = await answer
      .clone()
      .json()
      .catch(() => undefined);
    return answer.ok && isObject(body) ? Response.json({ token_type: 'Bearer', ...body }) : answer;
  }
}

export const oidcApis = {
  google: GoogleApi,
  microsoft: MicrosoftApi,
  apple: AppleApi,
  gitlab: GitLabApi,
  linkedin: LinkedInApi,
  oidc: RegisteredOidcApi,
} satisfies Partial<Record<ProviderType, typeof RegisteredOidcApi>>;
