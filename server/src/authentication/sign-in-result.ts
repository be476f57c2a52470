// What a right proof leads to: the account is signed in, or the caller is asked for a second factor.
import type { SignedInAccount } from './session-issuer.ts';

/** What a sign-in answers when it needs a second factor. */
export type Challenge = {
  /** 256 random bits. Stored as a keyed hash. Completes one sign-in. */
  token: string;
  /** Names of the second factors. One of them is enough. */
  methods: readonly string[];
};

/** The result of a right proof. */
export type SignInResult = { signedIn: SignedInAccount } | { challenge: Challenge };
