// The interface of the test kit: what a test server has when it starts, and what tests do with it.
import type { Call, Calls } from '../calls.ts';

/** A user to create. Without a password, `signIn` and pins still sign the user in. */
export type TestUser = Calls['User/Create']['input'];

/** An application to register, with the secret that it has. Without one, the service makes a secret, see `secrets`. */
export type TestApplication = Omit<Calls['Application/Create']['input'], 'clientId'> & {
  readonly clientSecret?: string;
};

/** A configuration as `latchkey config apply` takes it. Secrets may stand in it. */
export type TestConfiguration = Readonly<Record<string, unknown>>;

export type TestServerOptions = {
  /** A name alone is a user without a password. */
  readonly users?: readonly (string | TestUser)[];
  /** General settings, by name. A setting of several members keeps those that are left out. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Applications that people sign in to, by client id. */
  readonly applications?: Readonly<Record<string, TestApplication>>;
  /** A configuration, or the path of its file from the working directory. */
  readonly config?: string | TestConfiguration;
  /** What every pin is, such as `123456`. It must have the form that the settings demand. */
  readonly pin?: string;
  /** Default: a free one. */
  readonly port?: number;
  /** The address that browsers use, if a proxy of the tests stands in between. It must be one of this machine. */
  readonly publicUrl?: string;
  /** The file `latchkey.mjs` of the package `latchkey`. Default: that of the package which is installed. */
  readonly program?: string;
};

/** Where a test server runs that something else has started: `latchkey test-server` prints both. */
export type TestServerAddress = { readonly url: string; readonly key: string };

/** A message that a person would have got. */
export type TestMessage = {
  readonly means: 'email' | 'sms';
  readonly to: string;
  readonly subject: string | null;
  readonly text: string;
  readonly html: string | null;
  /** The one-time pin in it, or ''. */
  readonly pin: string;
  /** The first link in it, or ''. */
  readonly link: string;
};

/** A service for tests. Its calls reject with a `LatchkeyError`, which has the `reason`. */
export interface TestLatchkey {
  /** The public URL of the service. */
  readonly url: string;
  /** What other processes need besides the URL to `connectLatchkey`. */
  readonly key: string;
  /** The administrator. `call` makes typed calls in that name, such as `call('User/Create', { userName: 'ann' })`. */
  readonly admin: { readonly userName: string; readonly password: string; readonly call: Call };
  /** The secrets that the service has made, by path, such as `applications.shop.clientSecret`. */
  readonly secrets: Readonly<Record<string, string>>;
  readonly settings: {
    get(name: string, frontEnd?: string): Promise<unknown>;
    /** Members that are left out keep their values. */
    set(name: string, value: unknown, frontEnd?: string): Promise<void>;
  };
  /**
   * Signs a user in without a proof, and returns the token. Rejects as a sign-in does, such as with `signIn.lockedOut`.
   * A user with a second factor counts as having used it.
   */
  signIn(userName: string): Promise<string>;
  /** Returns the newest message to an e-mail address or mobile number. Rejects with `request.notFound` if there is none. */
  lastMessageTo(address: string): Promise<TestMessage>;
  /** Moves the clock of the service forward: tokens, pins and locks age, and jobs that are due run. */
  advance(seconds: number): Promise<void>;
  /** Ends the service. One that something else has started runs on. */
  stop(): Promise<void>;
}
