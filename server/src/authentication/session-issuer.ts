// Issuing a session: the last step of every sign-in.
import { type Account, type AccountStore, fullName } from '../accounts/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { Clock } from '../foundation/clock.ts';
import type { ErrorKind } from '../foundation/errors.ts';
import type { Action, Occurrence, Origin } from '../foundation/events.ts';
import type { Tx } from '../storage/database.ts';
import type { IssuedToken, Sessions, TokenSubject } from '../tokens/index.ts';
import { Refusal } from './attempts.ts';
import { signInErrors } from './declarations.ts';
import type { VerifiedPassword } from './password-comparison.ts';

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

/** A sign-in whose factors were all right. */
export type CompleteSignIn = {
  accountId: number;
  /** The verified password, if any. The sign-in fails if the account has another password by now. */
  password: Partial<VerifiedPassword> | undefined;
  amr: readonly string[];
  mustEnroll: boolean;
  passkeyId: string | undefined;
  origin: Origin;
  action: Action;
  details: Occurrence['details'] | undefined;
  /** The error to return when the proof no longer holds. */
  wrong: ErrorKind;
};

export interface SessionIssuer {
  /** Opens a session and records the sign-in. Refuses with `signIn.notActive` or `wrong` when the account cannot sign in. */
  issue(tx: Tx, signIn: CompleteSignIn): Promise<SignedInAccount | Refusal>;
}

export function createSessionIssuer(deps: {
  accounts: AccountStore;
  sessions: Sessions;
  audit: AuditTrail;
  clock: Clock;
}): SessionIssuer {
  const { accounts, sessions, audit, clock } = deps;
  return {
    async issue(tx, { accountId: id, password = {}, amr, mustEnroll, passkeyId, origin, action, details, wrong }) {
      const account = await accounts.recordSignIn(tx.sql, id, password, clock.now());
      if (!account) {
        const found = await accounts.findIn(tx.sql, id);
        return new Refusal(found && !found.isActive ? signInErrors.notActive() : wrong());
      }
      const { userName, personId, mustChangePassword } = account;
      const start = { amr, mustChangePassword, mustEnroll, passkeyId, origin };
      const token = await sessions.open(tx, toTokenSubject(account), start);
      const user = { id, name: userName };
      await audit.record(tx, { action, outcome: 'success', user, origin, ...(details && { details }) });
      const enrollment = mustEnroll && ({ requiredFactorEnrollment: true } as const);
      return { ...token, userId: id, personId, requiredChangePassword: mustChangePassword, ...enrollment };
    },
  };
}

/** Returns the claims of a token about its account. */
export function toTokenSubject(account: Account): TokenSubject {
  const { id, userName, emailAddress, roleNames } = account;
  return { id, userName, fullName: fullName(account), email: emailAddress, roles: roleNames };
}
