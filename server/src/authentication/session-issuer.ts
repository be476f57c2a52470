// Opening a session for somebody who has proven who they are, by whatever means.
import { type Account, type AccountStore, fullName } from '../accounts/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { Clock } from '../foundation/clock.ts';
import type { AuthError, ErrorKind } from '../foundation/errors.ts';
import type { Action, Occurrence, Origin } from '../foundation/events.ts';
import type { Tx } from '../storage/database.ts';
import type { IssuedToken, Sessions, TokenSubject } from '../tokens/index.ts';
import { signInErrors } from './errors.ts';

/** A sign-in that succeeded. */
export type SignedInAccount = IssuedToken & { userId: number; personId: string; requiredChangePassword: boolean };

/** What was proven, and how. */
export type ProvenSignIn = {
  accountId: number;
  /** Where a password was proven: which one, and a stronger hash of it. */
  password?: { passwordVersion: number; upgradedHash: string | undefined };
  method: 'pwd' | 'otp' | 'ext';
  origin: Origin;
  action: Action;
  /** What the trail tells of it. */
  details?: Occurrence['details'];
  /** What it ends in when the proof does not hold any more, such as that of a password that was just changed. */
  wrong: ErrorKind;
};

export interface Opening {
  /** Opens a session and records the sign-in, or says what stands against it: `signIn.notActive`, or `wrong`. */
  open(tx: Tx, proven: ProvenSignIn): Promise<SignedInAccount | AuthError>;
}

export function createOpening(deps: {
  accounts: AccountStore;
  sessions: Sessions;
  audit: AuditTrail;
  clock: Clock;
}): Opening {
  const { accounts, sessions, audit, clock } = deps;
  return {
    async open(tx, { accountId: id, password = {}, method, origin, action, details, wrong }) {
      const noted = await accounts.noteSignIn(tx.sql, id, password, clock.now());
      if (!noted) {
        const found = await accounts.findIn(tx.sql, id);
        return found && !found.isActive ? signInErrors.notActive() : wrong();
      }
      const { mustChangePassword } = noted;
      const token = await sessions.open(tx, toSubject(noted), { method, mustChangePassword, origin });
      const user = { id, name: noted.userName };
      await audit.record(tx, { action, outcome: 'success', user, origin, ...(details && { details }) });
      return { ...token, userId: id, personId: noted.personId, requiredChangePassword: mustChangePassword };
    },
  };
}

/** What a token says of its owner. */
export function toSubject(account: Account): TokenSubject {
  const { id, userName, emailAddress, roleNames } = account;
  return { id, userName, fullName: fullName(account), email: emailAddress, roles: roleNames };
}
