// The interface of external providers, which extensions implement (specification 2.5 to 2.7).
import { timingSafeEqual } from 'node:crypto';

/**
 * A registered provider. The implementation uses `clientId` and `clientSecret`. The service sends `clientId` to front
 * ends, and never reveals `clientSecret`.
 */
export type ExternalLoginProviderInfo = {
  /** The value that front ends send as `authProvider`. It is case-sensitive. */
  readonly name: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The class that calls the provider. Each sign-in creates an instance. */
  readonly providerApiType: ExternalAuthProviderApiType;
  /** What people read on its button. Default: the name. */
  readonly displayName?: string;
  /** The text of an SVG file of at most 20,000 characters, square and of shapes only: the icon of its button. */
  readonly icon?: string;
};

/** The user of the provider to whom an access code belongs. */
export type ExternalAuthUserInfo = {
  /** The registered name: `this.providerInfo.name`. */
  provider: string;
  /** The user's identifier at the provider, 1 to 256 characters. It never changes, and no other user ever gets it. */
  providerKey: string;
  /** Given name. */
  name: string;
  /** Family name. */
  surname: string;
  /**
   * An address that the provider has verified, or '' if there is none now. A person who is linked signs in without one. A
   * new account gets it as a verified address.
   */
  emailAddress: string;
  /** Whether the provider has verified the address. Absent: it has. Any value other than `true`: it has not. */
  isEmailVerified?: boolean;
  /** Why the class could not ask for address and names. It is logged if the person is not linked and cannot register. */
  failure?: Error;
};

/** How a provider answers an authorization request. */
export type ResponseType = 'code' | 'code id_token';

/** What a provider's authorization request holds besides what the protocol sets (RFC 6749, 4.1.1). */
export type AuthorizationRequestForm = {
  readonly scopes: readonly string[];
  /** More parameters. Those that the protocol sets itself win over them. */
  readonly parameters: Readonly<Record<string, string>>;
  /** `form_post`: the provider answers with a form that the browser posts (OAuth 2.0 Form Post Response Mode). */
  readonly responseMode: 'query' | 'form_post';
  /** Whether the request has a code challenge (RFC 7636). */
  readonly usesPkce: boolean;
  /** Whether the request has a `nonce`, which an ID token repeats (OpenID Connect Core 1.0, 3.1.2.1). */
  readonly usesNonce: boolean;
};

/** The request to an OpenID provider without peculiarities. */
export const usualRequestForm: AuthorizationRequestForm = {
  scopes: ['openid', 'profile', 'email'],
  parameters: {},
  responseMode: 'query',
  usesPkce: true,
  usesNonce: true,
};

/** An authorization code, and what the service has kept of the request that it answers. */
export type AuthorizationCodeGrant = {
  /** As the front end received it. It is untrusted. */
  readonly code: string;
  /** PKCE (RFC 7636). The request had its challenge by `S256`. */
  readonly codeVerifier: string;
  /** Exactly as in the request. */
  readonly redirectUri: string;
  /** As in the request. The ID token must have it. */
  readonly nonce: string;
  /** The issuer that the response names (RFC 9207), or `undefined` if it names none. It is untrusted. */
  readonly issuer: string | undefined;
  /** What the provider posted about the person beside the code, as JSON: Apple does, once. It is untrusted. */
  readonly user?: string | undefined;
};

/** What the service passes to an instance. */
export type ExternalAuthCall = {
  /** The global `fetch`, limited: it aborts when the call ends, and reads at most 1 MiB of a response. */
  readonly fetch: typeof fetch;
  /** Rejects if the work takes longer than these seconds. */
  readonly within?: <Result>(seconds: number, work: () => Promise<Result>) => Promise<Result>;
};

export type ExternalAuthProviderApiType = new (
  providerInfo: ExternalLoginProviderInfo,
  call?: ExternalAuthCall,
) => ExternalAuthProviderApiBase;

/** The base class of implementations. The service calls one method of an instance, once. */
export abstract class ExternalAuthProviderApiBase {
  /** The registration of this instance. */
  readonly providerInfo: ExternalLoginProviderInfo;
  /**
   * The response type that the sign-in page requests. With `code`, the service makes the request, and redeems the code by
   * `getUserInfoByCodeAsync`. Otherwise the page makes the request, and sends access code and key as other front ends do.
   */
  readonly responseType: ResponseType = 'code id_token';
  /** Use it for every request to the provider. It aborts when the call ends, after ten seconds at the latest. */
  protected readonly fetch: typeof fetch;
  /** Rejects if the work takes longer. Use it for what a person who is linked can sign in without. */
  protected readonly within: NonNullable<ExternalAuthCall['within']>;
  /** Why the class returns no user, in a sentence for the log. It must hold no code and no token. */
  refusalReason?: string;

  constructor(providerInfo: ExternalLoginProviderInfo, call: ExternalAuthCall = { fetch: globalThis.fetch }) {
    this.providerInfo = providerInfo;
    this.fetch = call.fetch;
    this.within = call.within ?? ((_, work) => work());
  }

  /**
   * Asks the provider to whom an access code belongs. If it throws, the service logs the error without access code and
   * client secret, and answers 502.
   * @param accessCode what the front end got from the provider. It is untrusted.
   * @returns the user, or null or undefined if the provider refuses the code: then the service answers 401.
   */
  abstract getUserInfoAsync(accessCode: string): Promise<ExternalAuthUserInfo | null | undefined>;

  /**
   * Asks the provider to whom an authorization code belongs that answers a request of this service. A class with the
   * response type `code` implements it. The service has checked `state`, and calls it once for each request. Errors and
   * result as for `getUserInfoAsync`.
   */
  async getUserInfoByCodeAsync(_grant: AuthorizationCodeGrant): Promise<ExternalAuthUserInfo | null | undefined> {
    throw new Error('A class with the response type "code" must implement getUserInfoByCodeAsync.');
  }

  /**
   * Returns the address of the provider's sign-in page. The sign-in page of this service redirects people there with the
   * parameters of an OpenID authentication request, and they return to `/login/external/NAME`. A class without this method
   * has no button on the sign-in page. The service calls it at most once in ten seconds.
   * @returns a URL with https, or with http to this machine. For any other value, and if it throws, the service logs the
   * failure as for `getUserInfoAsync`, and answers 502.
   */
  getSignInAddressAsync?(): Promise<string>;

  /** Describes the authorization requests that the service makes for a class with the response type `code`. */
  describeRequest(): AuthorizationRequestForm {
    return usualRequestForm;
  }

  /** Whether the access code belongs to this user of the provider. */
  async isValidUserAsync(userId: string, accessCode: string): Promise<boolean> {
    const user = await this.getUserInfoAsync(accessCode);
    return typeof user?.providerKey === 'string' && isSameKey(user.providerKey, userId);
  }
}

/** Compares keys of the same length in constant time. */
export function isSameKey(a: string, b: string): boolean {
  const [bytesOfA, bytesOfB] = [Buffer.from(a), Buffer.from(b)];
  return bytesOfA.length === bytesOfB.length && timingSafeEqual(bytesOfA, bytesOfB);
}
