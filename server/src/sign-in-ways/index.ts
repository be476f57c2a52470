// Sign-in ways: what lets the owner of an account sign in.
export { type CanSignIn, createSignInWays, type ReadSignInWays, type SignInWays } from './sign-in-ways.ts';
