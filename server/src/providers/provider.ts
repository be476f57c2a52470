// External providers: what an implementation supplies, is given, and answers (specification 2.5 to 2.7).
import { timingSafeEqual } from 'node:crypto';

/**
 * A registered provider. `clientId` and `clientSecret` are the implementation's: the service shows the first to front ends and
 * the second to nobody.
 */
export type ExternalLoginProviderInfo = {
  /** What front ends send as `authProvider`, to the letter. */
  readonly name: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The class that speaks to the provider; each sign-in makes an object of it. */
  readonly providerApiType: ExternalAuthProviderApiType;
};

/** Whom the provider says an access code belongs to. */
export type ExternalAuthUserInfo = {
  /** The registered name: `this.providerInfo.name`. */
  provider: string;
  /** The user's identifier at the provider, 1 to 256 characters: never changes, and is never given to anybody else. */
  providerKey: string;
  /** Given name. */
  name: string;
  /** Family name. */
  surname: string;
  /** An address that the provider has verified: the account that is made has it as confirmed. */
  emailAddress: string;
};

/** What an implementation is handed for each thing that it is asked. */
export type ExternalAuthCall = {
  /** The global `fetch`, which ends with that, and reads at most 1 MiB of an answer. */
  readonly fetch: typeof fetch;
};

export type ExternalAuthProviderApiType = new (
  providerInfo: ExternalLoginProviderInfo,
  call?: ExternalAuthCall,
) => ExternalAuthProviderApiBase;

/** What every implementation extends. An object is asked one thing. */
export abstract class ExternalAuthProviderApiBase {
  /** The registration that this object was made for. */
  readonly providerInfo: ExternalLoginProviderInfo;
  /** For every request to the provider: ends when the object is given up, ten seconds after it was asked. */
  protected readonly fetch: typeof fetch;

  constructor(providerInfo: ExternalLoginProviderInfo, call: ExternalAuthCall = { fetch: globalThis.fetch }) {
    this.providerInfo = providerInfo;
    this.fetch = call.fetch;
  }

  /**
   * Asks the provider whose access code this is.
   * @param accessCode what the front end got from the provider: anything, from anybody.
   * @returns the user, or nothing when the provider refuses the code: the caller is told 401. Whatever is thrown is logged,
   * without access code and client secret, and the caller told that the provider is out of reach: 502.
   */
  abstract getUserInfoAsync(accessCode: string): Promise<ExternalAuthUserInfo | null | undefined>;

  /**
   * Where people sign in at the provider: the sign-in page sends them there with the parameters of an OpenID question, and
   * they come back to its `/login/external/NAME`. A class without this method has no button on the sign-in page.
   * @returns a URL with https, or with http to this very machine. Anything else, and whatever is thrown, is logged like the
   * failures of `getUserInfoAsync`, and ends in 502. It is asked for at most once in ten seconds.
   */
  getSignInAddressAsync?(): Promise<string>;

  /** Whether the access code belongs to this user of the provider. */
  async isValidUserAsync(userId: string, accessCode: string): Promise<boolean> {
    const user = await this.getUserInfoAsync(accessCode);
    return typeof user?.providerKey === 'string' && isSameKey(user.providerKey, userId);
  }
}

/** Compares in a time that tells nothing of where the keys differ. */
export function isSameKey(a: string, b: string): boolean {
  const [bytesOfA, bytesOfB] = [Buffer.from(a), Buffer.from(b)];
  return bytesOfA.length === bytesOfB.length && timingSafeEqual(bytesOfA, bytesOfB);
}
