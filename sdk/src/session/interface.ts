// The interface of sessions of server-rendered applications: what it takes of a request, and what it returns for the response.
import type { Calls } from '../calls.ts';
import type { Challenge } from '../challenge.ts';
import type { Verifier } from '../verify/interface.ts';

/** What is read of a request. A `Request` of fetch has it, except `ip`: the address of the browser, if the framework knows it. */
export type SessionRequest = { readonly url: string; readonly headers: Headers; readonly ip?: string | undefined };

/** A confidential application that is registered with the service, kind `web`. People then sign in on the pages of the service. */
export type Application = {
  readonly clientId: string;
  readonly clientSecret: string;
  /** The registered address at which the application calls `callback`. */
  readonly redirectUri: string;
  /** Where people return to after a sign-out. It must be registered. */
  readonly postLogoutRedirectUri?: string;
  /** The scopes to ask for. Default: `openid profile email`. `roles` fills `user.roles`. */
  readonly scope?: string;
};

/**
 * Keeps the answers of refreshes for the other processes of the application. The values are encrypted. A call that takes longer
 * than a second counts as failed.
 */
export interface SessionStore {
  get(key: string): Promise<string | null | undefined>;
  /** Keeps a value for at least so many seconds, and not much longer. What it resolves to is ignored. */
  set(key: string, value: string, seconds: number): Promise<unknown>;
}

export type SessionsOptions = {
  /** The public URL of the service. */
  readonly baseUrl: string;
  /**
   * At least 32 characters, the same in all processes. It encrypts the cookies. Of several, the first one encrypts, and all of
   * them are accepted: put a new one in front to replace one.
   */
  readonly secret: string | readonly string[];
  /** Without it, `signIn` takes the credentials that a form of the application has asked for. */
  readonly application?: Application;
  /** Default: the memory of this process. Give a shared one if the application has several processes. */
  readonly store?: SessionStore;
  /**
   * Checks tokens without a call to the service for each request. Without it, `auth` asks the service. A function creates it when a
   * request first needs it, and requests wait until it is ready, for some seconds at most.
   */
  readonly verifier?: Verifier | (() => Verifier);
  /** Where this application reaches the service, if it does not use the public URL. */
  readonly serviceUrl?: string;
  /** The application key of the front end, for people who sign in without `application`. */
  readonly frontEnd?: string;
  /**
   * Returns the address of the browser, for limits and for the list of sessions. Default: the `ip` of the request. Without one,
   * all people share the limits of this application's own address. The service believes it if `LATCHKEY_TRUSTED_PROXIES` names
   * this application.
   */
  readonly clientAddress?: (request: SessionRequest) => string | undefined;
  /** How long the cookie lives, in seconds. Default: until the browser closes. The session may end earlier. */
  readonly maxAgeSeconds?: number;
  /** Default: `latchkey`. */
  readonly cookieName?: string;
  readonly fetch?: typeof fetch;
};

/** The signed-in person, as the token says. */
export type User = {
  readonly id: string;
  readonly userName: string;
  readonly name: string;
  readonly emailAddress: string | null;
  readonly roles: readonly string[];
  /** `aal2`: the person has proven a second factor in this session. */
  readonly acr: 'aal1' | 'aal2';
  /** When the person last authenticated, in milliseconds since 1970, by the clock of the service. */
  readonly authenticatedAt: number;
};

/** An open session. */
export type SignedIn = {
  readonly user: User;
  /** The access token, for calls to the service and to your own services. */
  readonly token: string;
  /** Headers that the response must have: the cookie of a token that was refreshed meanwhile. Often empty. */
  readonly headers: Headers;
};

/** What a response is made of. It is a `ResponseInit`: `new Response(null, parts)`. */
export type Parts = { readonly status: number; readonly headers: Headers };

/** Where a person goes after the sign-in, and what the service is asked for. */
export type SignInOptions = {
  /** A path of this application, of at most 400 characters. Any other text becomes `/`, the default. */
  readonly returnTo?: string;
  /** `login` asks for the credentials again, and `callback` refuses without. `none` shows no page. */
  readonly prompt?: 'login' | 'none' | 'consent';
  readonly loginHint?: string;
  /** `aal2` asks for a second factor, and `callback` refuses without. */
  readonly acrValues?: 'aal1' | 'aal2';
};

type SignInCall =
  | 'TokenAuth/Authenticate'
  | 'TokenAuth/VerifySecondFactor'
  | 'TokenAuth/OtpAuthenticate'
  | 'TokenAuth/PasskeyAuthenticate'
  | 'TokenAuth/ExternalAuthenticateAsync'
  | 'TokenAuth/ExternalAuthenticateByCode';

/** The credentials of a call that signs in, of `TokenAuth/Authenticate` if no call is named. */
export type Credentials =
  | Calls['TokenAuth/Authenticate']['input']
  | { [Name in SignInCall]: { readonly call: Name; readonly input: Calls[Name]['input'] } }[SignInCall];

export interface Sessions {
  /**
   * Begins a sign-in. With an `application`: a redirect to the pages of the service. Without: the cookie of a session, or the
   * `challenge` of a second factor, which `signIn` completes with `{ call: 'TokenAuth/VerifySecondFactor', input }`.
   * @throws LatchkeyError if the service refuses the credentials. @throws SessionRefused for a request of another site.
   */
  signIn(
    request: SessionRequest,
    given?: SignInOptions | Credentials,
  ): Promise<Parts & { readonly challenge?: Challenge }>;
  /**
   * Completes a sign-in at the `redirectUri`: a redirect to `returnTo`, with the cookie of the session.
   * @throws SessionRefused if the service refused, the sign-in was begun too long ago or in another browser, or the person has not
   *   proven what `signIn` asked for.
   */
  callback(request: SessionRequest): Promise<Parts>;
  /**
   * Ends the session everywhere, and removes the cookie. With an `application`, it redirects to the sign-out of the service.
   * @throws SessionRefused for a request of another site. @throws SignOutFailed if the service could not be told.
   */
  signOut(request: SessionRequest): Promise<Parts>;
  /**
   * Refreshes a token of which half the time is over, and asks nothing else: for what runs before the pages of an application.
   * @returns headers that the response must have; often empty. They remove the cookie of a session that has ended.
   * @throws LatchkeyError, Error if the token has expired and the service cannot be reached.
   */
  renew(request: SessionRequest): Promise<Headers>;
  /**
   * Returns the open session of a request, or null. It refreshes a token of which half the time is over, once for all parallel
   * requests, unless the response cannot set cookies: say so by `canSetCookies: false`.
   * @throws LatchkeyError, TokenRejected `stale` if nobody can tell now whether the session is open.
   */
  auth(request: SessionRequest, options?: { readonly canSetCookies?: boolean }): Promise<SignedIn | null>;
}

/** A request to sign in or out is refused. `reason` is an error of OpenID Connect, such as `access_denied`, or one of these. */
export class SessionRefused extends Error {
  override readonly name = 'SessionRefused';
  readonly status: 400 | 403;
  readonly reason: string;
  constructor(
    reason:
      | 'request_expired'
      | 'other_site'
      | 'change_required'
      | 'activation_required'
      | 'unmet_authentication_requirements'
      | (string & {}),
    message: string,
  ) {
    super(message);
    this.reason = reason;
    this.status = reason === 'other_site' ? 403 : 400;
  }
}

/**
 * The service could not be told that a session has ended, or that the person signs out there. Send `parts` all the same: they remove
 * the cookie.
 */
export class SignOutFailed extends Error {
  override readonly name = 'SignOutFailed';
  readonly parts: Parts;
  /** @param isOpen whether the request came with a session, which has not ended. */
  constructor(parts: Parts, cause: unknown, isOpen = true) {
    super(
      isOpen
        ? 'The session is still open at the service, which could not be told of its end.'
        : 'The service cannot be reached now. There was no session here, but the person may be signed in at the service.',
      { cause },
    );
    this.parts = parts;
  }
}
