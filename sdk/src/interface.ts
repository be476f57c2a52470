// The client as front ends use it.
import type { Calls } from './calls.ts';
import type { SessionEnd } from './shared-state.ts';
import type { TokenPlace } from './token-keeper.ts';

export type LatchkeyOptions = {
  /** Where the service is, without a slash at the end; by default where the page came from. */
  baseUrl?: string;
  /** The key of the front end that calls. */
  frontEnd?: string;
  /**
   * Where the token of a sign-in is kept: `local`, the default, until it expires; `session` until the browser is closed.
   * {@link Latchkey.keepTokenIn} changes that for the next sign-in. With a storage given, all is kept there, and with
   * `sessionStorage` each tab is alone.
   */
  storage?: TokenPlace | Storage;
  fetch?: typeof fetch;
};

type Input<Name extends keyof Calls> = Calls[Name]['input'];

export interface Latchkey {
  /**
   * Makes a call. One that answers with a token signs this browser in with it; one that is refused because the token is
   * dead signs it out. Rejects with a {@link LatchkeyError}.
   */
  call<Name extends keyof Calls>(
    name: Name,
    ...input: Input<Name> extends undefined
      ? []
      : Record<never, never> extends Input<Name>
        ? [Input<Name>?]
        : [Input<Name>]
  ): Promise<Calls[Name]['result']>;
  /**
   * Settles when {@link isSignedIn} and {@link token} are known. That is at once, unless this tab has to ask the others
   * for a token of place `session`: a new tab for 300 ms at most, one that has missed a refresh for some 5 s.
   */
  readonly ready: Promise<void>;
  readonly isSignedIn: boolean;
  /** The token now, for requests to services of your own; ask again for each, when {@link ready} has settled. */
  readonly token: string | undefined;
  /** Where the next sign-in keeps its token, such as `local` where the user chose to stay signed in. */
  keepTokenIn(place: TokenPlace): void;
  /** Signs off in all tabs, and on the service. Rejects when the service could not be told; the token is forgotten all the same. */
  signOff(): Promise<void>;
  /** Tells when this browser is signed in or is not any more, in whichever tab that happened. @returns a function that stops it. */
  onSession(listener: (isSignedIn: boolean, end: SessionEnd | null) => void): () => void;
  /**
   * Tells each second of the last minute before automatic log-off how many are left, and `null` once it is averted or over.
   * Whoever listens asks the user, and only {@link stayActive} counts in that minute: else the way to the answer would be one.
   * @returns a function that stops it.
   */
  onIdle(listener: (secondsLeft: number | null) => void): () => void;
  /** Counts as activity, such as "Stay signed in". */
  stayActive(): void;
  /** Stops watching; the token stays. */
  close(): void;
}
