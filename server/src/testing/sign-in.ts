// Sign-ins without a proof, for tests: an account is signed in as its password would, with its second factor if it has one.
import type { Account } from '../accounts/index.ts';
import type { Service } from '../app/compose.ts';
import { type AuthenticationMethod, type Identified, signInErrors } from '../authentication/index.ts';
import { requestErrors } from '../foundation/errors.ts';
import { DEFAULT_FRONT_END } from '../front-ends/index.ts';
import { accountSubject } from '../lockout/index.ts';

type Found = Identified & { readonly account: Account };

/** Comes from no address, so that no limit of an address counts it. */
const ORIGIN = { ipAddress: null, userAgent: 'Latchkey test kit', frontEnd: DEFAULT_FRONT_END };

/**
 * Returns a function that signs an account in by one of its names, and returns the token. It throws AuthError as a sign-in does:
 * `signIn.lockedOut`, `signIn.notActive`; and `request.notFound` if there is no such account.
 * @param administrator the user name of the administrator, who needs no second factor even if the settings require one.
 */
export function createSignIn({ accounts, authentication, database, secondFactors }: Service, administrator: string) {
  const password = secondFactors.methods.get('password');
  if (!password) throw new Error('The service has no sign-in by password.');
  const method: AuthenticationMethod<string, Found, Found> = {
    ...password,
    wrong: signInErrors.invalidCredentials,
    async find(name) {
      const account = await accounts.findByName(database.sql, name);
      if (!account) throw requestErrors.notFound({ details: `There is no account with the name ${name}.` });
      return { account, subject: accountSubject(account.id) };
    },
    verify: async (found) => found,
    async redeem(tx, { account }) {
      const owner = await accounts.findForUpdate(tx.sql, account.id);
      if (!owner) return { proof: 'right' };
      const enrolled = await secondFactors.find(tx, owner, password);
      const isExempt = owner.userName === administrator && (await secondFactors.mustEnroll(tx, owner, ORIGIN.frontEnd));
      return { proof: 'right', isMultiFactor: enrolled.length > 0 || isExempt };
    },
  };

  return async (userName: string): Promise<string> => {
    const result = await authentication.signIn(method, userName, ORIGIN);
    if (!result || 'challenge' in result) throw new Error('The sign-in is complete without a second factor.');
    return result.signedIn.accessToken;
  };
}
