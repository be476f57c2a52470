// The password method: signs in with a user name or e-mail address and a password.
import type { Names } from '../accounts/index.ts';
import { type AuthenticationMethod, type PasswordVerification, signInErrors } from '../authentication/index.ts';
import { accountSubject, unknownSubject } from '../lockout/index.ts';
import { signInActions } from './events.ts';

/** `name` is a user name or an e-mail address. */
export type Credentials = { name: string; password: string };

/** The statement that completes the sign-in also locks the account, so `check` needs no statement of its own. */
export function createPasswordMethod(deps: {
  names: Names;
  passwordVerification: PasswordVerification;
}): AuthenticationMethod<Credentials> {
  const { names, passwordVerification } = deps;
  return {
    name: 'password',
    amr: 'pwd',
    action: signInActions.password,
    wrong: signInErrors.invalidCredentials,

    async prepare({ name, password }, origin) {
      const { account, nameMac } = await names.resolve(name);
      const subject = account ? accountSubject(account.id) : unknownSubject(nameMac);
      return {
        account,
        subject,
        async check() {
          const verified = await passwordVerification.compare({ account, subject, password, origin });
          return async () => (verified ? { proof: 'right', password: verified } : { proof: 'wrong' });
        },
      };
    },
  };
}
