// The settlement of a reset proof: every try is recorded, and a right proof of any method yields a reset token.
import type { AuditTrail } from '../audit/index.ts';
import type { Origin } from '../foundation/events.ts';
import type { OneTimeSecrets } from '../proofs/index.ts';
import type { Tx } from '../storage/database.ts';
import { resetActions, resetErrors } from './declarations.ts';
import type { ResetMethod } from './method.ts';
import type { ResolvedRecipient } from './recipient-resolver.ts';

/** A proof that was compared, and the account that it is for, if there is one. */
type Compared = Pick<ResolvedRecipient, 'account'> & { isRight: boolean; method: ResetMethod };

/** The reset token for a right proof, or `undefined` for any other. */
export type ProvenReset = { token: string; username: string } | undefined;

/** Records the proof, and issues a token if it is right. */
export type SettleProof = (tx: Tx, compared: Compared, origin: Origin) => Promise<ProvenReset>;

export function createSettleProof(deps: { oneTimeSecrets: OneTimeSecrets; audit: AuditTrail }): SettleProof {
  const { oneTimeSecrets, audit } = deps;

  return async (tx, { account, isRight, method }, origin) => {
    const proven = isRight ? account : undefined;
    await audit.record(tx, {
      action: resetActions.proven,
      ...(proven ? { outcome: 'success' } : { outcome: 'refused', reason: resetErrors.invalidToken.reason }),
      ...(account && { user: { id: account.id, name: account.userName } }),
      origin,
      details: { method },
    });
    if (!proven) return undefined;
    const holder = { accountId: proven.id, passwordVersion: proven.credential.version, method };
    return { token: await oneTimeSecrets.issueToken(tx, holder), username: proven.userName };
  };
}
