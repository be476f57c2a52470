// Signing in with a password, exchanging the token, signing off.
import type { Account, AccountStore, Names } from '../accounts/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import { AuthError } from '../foundation/errors.ts';
import type { Origin } from '../foundation/events.ts';
import { accountSubject, unknownSubject } from '../lockout/index.ts';
import type { Database } from '../storage/database.ts';
import { type IssuedToken, type Sessions, sessionActions } from '../tokens/index.ts';
import { signInErrors } from '../authentication/errors.ts';
import { signInActions } from './events.ts';
import { type Opening, type SignedInAccount, toSubject } from '../authentication/session-issuer.ts';
import type { PasswordProof } from '../authentication/password-verification.ts';

export interface SignIn {
  /**
   * Signs in by user name or e-mail address and password.
   * Ends in `signIn.invalidCredentials`, `signIn.lockedOut`, `signIn.notActive`, `service.unavailable`.
   */
  withPassword(input: { name: string; password: string }, origin: Origin): Promise<SignedInAccount>;
  /** Exchanges a valid token for a fresh one, once. Ends in `token.invalid`, `token.expired`, `token.revoked`. */
  refresh(token: string, origin: Origin): Promise<IssuedToken>;
  /** Ends the token's session; a token that is dead already changes nothing. */
  signOff(token: string, origin: Origin): Promise<void>;
  /** The account behind a valid token, or nobody behind any other. */
  currentAccount(token: string | undefined): Promise<{ account: Account; mustChangePassword: boolean } | undefined>;
}

export function createSignIn(deps: {
  database: Database;
  accounts: AccountStore;
  names: Names;
  proof: PasswordProof;
  opening: Opening;
  sessions: Sessions;
  audit: AuditTrail;
}): SignIn {
  const { database, accounts, names, proof, opening, sessions, audit } = deps;

  return {
    async withPassword({ name, password }, origin) {
      const { account, nameMac } = await names.resolve(name);
      const subject = account ? accountSubject(account.id) : unknownSubject(nameMac);
      const action = signInActions.password;
      const wrong = signInErrors.invalidCredentials;
      return proof.prove<SignedInAccount>({ account, subject, password, origin, action, wrong }, (tx, proven) =>
        opening.open(tx, { accountId: proven.account.id, password: proven, method: 'pwd', origin, action, wrong }),
      );
    },

    async refresh(token, origin) {
      const action = sessionActions.refreshed;
      // Before anything is recorded: garbled and forged tokens are nobody's, and strangers must not fill the trail.
      const verified = sessions.verify(token);
      try {
        return await database.transaction((tx) =>
          sessions.refresh(tx, verified, async (id) => {
            const account = await accounts.findIn(tx.sql, id);
            if (!account?.isActive) return undefined;
            await audit.record(tx, { action, outcome: 'success', user: { id, name: account.userName }, origin });
            return toSubject(account);
          }),
        );
      } catch (error) {
        if (isDeadToken(error)) {
          const user = { id: verified.accountId, name: null };
          const refusal = { action, outcome: 'refused', reason: error.reason, user, origin } as const;
          await audit.recordRepeatable(verified.sessionId, refusal);
        }
        throw error;
      }
    },

    async signOff(token, origin) {
      try {
        const verified = sessions.verify(token);
        await database.transaction(async (tx) => {
          const id = await sessions.signOff(tx, verified);
          if (id === undefined) return;
          const account = await accounts.findIn(tx.sql, id);
          const user = { id, name: account?.userName ?? null };
          await audit.record(tx, { action: sessionActions.signedOff, outcome: 'success', user, origin });
        });
      } catch (error) {
        if (!isDeadToken(error)) throw error;
      }
    },

    async currentAccount(token) {
      if (token === undefined) return undefined;
      try {
        const caller = await sessions.check(token);
        const account = await accounts.find(caller.accountId);
        return account?.isActive ? { account, mustChangePassword: caller.mustChangePassword } : undefined;
      } catch (error) {
        if (isDeadToken(error)) return undefined;
        throw error;
      }
    },
  };
}

/** A token that is known to be bad, as opposed to one that could not be checked. */
function isDeadToken(error: unknown): error is AuthError {
  return error instanceof AuthError && error.status === 401;
}
