// Renewals: a signed-in caller exchanges a token for a new one, by a refresh or by authenticating again.
import { type AccountStore, toTokenSubject } from '../accounts/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { SecondFactors } from '../authentication/index.ts';
import { isRefusal } from '../foundation/errors.ts';
import type { Occurrence, Origin } from '../foundation/events.ts';
import type { Database, Tx } from '../storage/database.ts';
import {
  type IssuedToken,
  type Renewal,
  type SessionStart,
  type Sessions,
  sessionActions,
  tokenErrors,
  type VerifiedToken,
} from '../tokens/index.ts';

/** A verified token to renew. */
export type Renewing = {
  readonly token: VerifiedToken;
  /** What to record. */
  readonly occurrence: Pick<Occurrence, 'action' | 'origin' | 'details'>;
  /** The authentication to record in the session. */
  readonly proof?: Pick<SessionStart, 'amr' | 'passkeyId'>;
};

export interface Renewals {
  /**
   * Exchanges tokens in one transaction, each once, and records that in the audit trail.
   * @returns the new tokens in the same order, or null or `undefined` for a token that could not be exchanged: see `Sessions.swap`.
   * @throws AuthError `token.revoked` if the account of one of them is deleted or deactivated.
   */
  renew(tx: Tx, renewing: readonly Renewing[]): Promise<(IssuedToken | null | undefined)[]>;
  /**
   * Exchanges a valid token for a new one, and revokes the old one. Each token can be exchanged once.
   * @throws AuthError `token.invalid`, `token.expired`, `token.revoked`.
   */
  refresh(token: string, origin: Origin): Promise<IssuedToken>;
}

export function createRenewals(deps: {
  database: Database;
  accounts: AccountStore;
  secondFactors: SecondFactors;
  sessions: Sessions;
  audit: AuditTrail;
}): Renewals {
  const { database, accounts, secondFactors, sessions, audit } = deps;
  const action = sessionActions.refreshed;

  async function renew(tx: Tx, renewing: readonly Renewing[]) {
    const swapped = await sessions.swap(
      tx,
      renewing.map(({ token }) => token),
    );
    const ids = swapped.flatMap((one) => one?.session.accountId ?? []);
    const found = await accounts.findAllIn(tx.sql, ids);
    const renewals: Renewal[] = [];
    const recorded: { sessionId: string; occurrence: Occurrence }[] = [];
    for (const [place, { occurrence, proof }] of renewing.entries()) {
      const one = swapped[place];
      if (!one) continue;
      const account = found.find(({ id }) => id === one.session.accountId);
      // The rollback undoes the swap.
      if (!account?.isActive) throw tokenErrors.revoked();
      const { frontEnd, mustEnroll: isRestricted } = one.session;
      const mustEnroll = await secondFactors.mustEnroll(tx, account, frontEnd, !isRestricted);
      const session = proof ? await sessions.recordAuthentication(tx, one.session, proof) : one.session;
      renewals.push({ session, jti: one.jti, subject: toTokenSubject(account), mustEnroll });
      const user = { id: account.id, name: account.userName };
      recorded.push({ sessionId: session.id, occurrence: { ...occurrence, outcome: 'success', user } });
    }
    await audit.recordAllRepeatable(tx, recorded);
    const issued = (await sessions.issue(tx, renewals)).values();
    return swapped.map((one) => one && issued.next().value);
  }

  const renewGrouped = database.grouped(renew);
  return {
    renew,
    async refresh(token, origin) {
      // Verify before recording: attackers must not fill the audit trail with forged tokens.
      const verified = await sessions.verify(token);
      try {
        const issued = await renewGrouped({ token: verified, occurrence: { action, origin } });
        if (!issued) throw tokenErrors.revoked();
        return issued;
      } catch (error) {
        if (isRefusal(error)) {
          const user = { id: verified.accountId, name: null };
          const refusal = { action, outcome: 'refused', reason: error.reason, user, origin } as const;
          await audit.recordRepeatable(verified.sessionId, refusal);
        }
        throw error;
      }
    },
  };
}
