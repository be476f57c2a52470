// The interface of the client.
import type { Call, Calls } from './calls.ts';
import type { SessionEnd } from './shared-state.ts';
import type { TokenPlace } from './token-keeper.ts';

export type LatchkeyOptions = {
  /** The URL of the service, without a trailing slash. The default is the origin of the page. */
  baseUrl?: string;
  /** The application key of the front end. */
  frontEnd?: string;
  /**
   * Where to keep the token of a sign-in: `local` (the default) until it expires, or `session` until the browser closes.
   * {@link Latchkey.keepTokenIn} changes this for the next sign-in. A given storage holds everything; with
   * `sessionStorage`, tabs share nothing.
   */
  storage?: TokenPlace | Storage;
  fetch?: typeof fetch;
};

/**
 * What the signed-in user proves again: the password, the code of an authenticator app, a recovery code, a passkey, a pin that
 * `TokenAuth/OtpAuthenticateSendPin` has sent, or the answer of a linked provider.
 */
export type Reauthentication =
  | { readonly password: string }
  | { readonly code: string }
  | { readonly recoveryCode: string }
  | { readonly operationId: string; readonly credential: object }
  | { readonly operationId: string; readonly pin: string }
  | { readonly externalResponse: ExternalResponse }
  | { readonly externalAccess: Calls['TokenAuth/ExternalAuthenticateAsync']['input'] };

type ExternalResponse = Calls['TokenAuth/ExternalAuthenticateByCode']['input'];

export interface Latchkey {
  /**
   * Makes a call. A result with a token signs this browser in. A refusal of the token signs it out.
   * @throws LatchkeyError
   */
  call: Call;
  /**
   * Resolves when {@link isSignedIn} and {@link token} are known. This is at once, unless this tab has to ask the others
   * for a token of place `session`. A new tab waits for at most 300 ms; a tab that missed a refresh, for about 5 s.
   */
  readonly ready: Promise<void>;
  readonly isSignedIn: boolean;
  /** The current token, for requests to your own services. Read it again for each request, after {@link ready}. */
  readonly token: string | undefined;
  /**
   * Whether the next sign-in outlives this page. If not, because the browser blocks storage or has none left, the token is in the
   * memory of the page: a reload signs out. Say so before the user signs in. Each look tries the storage.
   */
  readonly canKeepToken: boolean;
  /** Where the current token is kept. `local` without one. */
  readonly tokenPlace: TokenPlace;
  /** Sets where the next sign-in keeps its token, such as `local` when the user chooses to stay signed in. */
  keepTokenIn(place: TokenPlace): void;
  /**
   * Proves again who is signed in, for an action that needs a recent or stronger proof. All tabs get the new token, with
   * the new `auth_time`, `amr` and `acr`. A wrong proof leaves the user signed in.
   * @throws LatchkeyError
   */
  reauthenticate(proof: Reauthentication): Promise<void>;
  /** Signs off in all tabs and at the service. Removes the token even if the service cannot be reached, and then rejects. */
  signOff(): Promise<void>;
  /** Calls the listener when a sign-in or its end occurs in any tab. @returns a function that removes the listener. */
  onSession(listener: (isSignedIn: boolean, end: SessionEnd | null) => void): () => void;
  /**
   * Calls the listener each second of the last minute before automatic log-off, with the seconds left, and with `null` when
   * the minute is over or the user stays. With a listener, only {@link stayActive} counts as activity in that minute: the
   * listener asks the user, and moving the pointer to the answer must not be an answer.
   * @returns a function that removes the listener.
   */
  onIdle(listener: (secondsLeft: number | null) => void): () => void;
  /** Counts as activity. Call it when the user chooses "Stay signed in". */
  stayActive(): void;
  /**
   * Signs off a user who was inactive for longer than automatic log-off allows now. Await it before a page does something for whoever
   * signed in earlier. Without an answer of the service, the time known before counts.
   * @returns whether a user is signed in.
   */
  signOffIfIdle(): Promise<boolean>;
  /** Removes all listeners and timers. The token stays. */
  close(): void;
}
