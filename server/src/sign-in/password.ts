// The password method: signs in with a user name or e-mail address and a password.
import type { Named, Names } from '../accounts/index.ts';
import { type AuthenticationMethod, type Identified, signInErrors } from '../authentication/index.ts';
import type { Origin } from '../foundation/events.ts';
import { accountSubject, unknownSubject } from '../lockout/index.ts';
import { type Passwords, requesterOf, type VerifiedPassword } from '../passwords/index.ts';
import { signInActions } from './declarations.ts';

/** `name` is a user name or an e-mail address. */
export type Credentials = { name: string; password: string };

/** A password that was typed for a name. */
type Typed = Identified & Pick<Named, 'account'> & { password: string; origin: Origin };

/** The statement that completes the sign-in also locks the account, so `redeem` needs no statement of its own. */
export function createPasswordMethod(deps: {
  names: Names;
  passwords: Passwords;
}): AuthenticationMethod<Credentials, Typed, VerifiedPassword | undefined> {
  const { names, passwords } = deps;
  return {
    name: 'password',
    amr: 'pwd',
    action: signInActions.password,
    wrong: signInErrors.invalidCredentials,

    async find({ name, password }, origin) {
      const { account, nameMac } = await names.resolve(name);
      const subject = account ? accountSubject(account.id) : unknownSubject(nameMac);
      return { account, subject, password, origin };
    },

    verify: ({ account, subject, password, origin }) =>
      passwords.compare(account?.credential, password, requesterOf(origin, subject)),

    redeem: async (_, verified) => (verified ? { proof: 'right', password: verified } : { proof: 'wrong' }),
  };
}
