// Sign-in ways: what lets the owner of an account sign in.
export { type CanSignIn, createCanSignIn } from './sign-in-ways.ts';
