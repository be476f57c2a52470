// What a right proof leads to: the account is signed in, or the caller is asked for a second factor.
import type { IssuedToken } from '../tokens/index.ts';

/** A sign-in that succeeded. */
export type SignedInAccount = IssuedToken & {
  userId: number;
  personId: string;
  requiredChangePassword: boolean;
  /** Present if the session may only enroll a second factor. */
  requiredFactorEnrollment?: true;
  /** What the device sends at its next sign-in, if the user trusts it. */
  trustedDevice?: string;
};

/** What a sign-in answers when it needs a second factor. */
export type Challenge = {
  /** 256 random bits. Stored as a keyed hash. Completes one sign-in. */
  token: string;
  /** Names of the second factors. One of them is enough. */
  methods: readonly string[];
};

/** The result of a right proof. */
export type SignInResult = { signedIn: SignedInAccount } | { challenge: Challenge };
