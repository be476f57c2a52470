// The exchange of one token, as a refresh or reauthentication makes it.

import type { Tx } from '../../src/storage/database.ts';
import {
  type IssuedToken,
  type SessionStart,
  type Sessions,
  type TokenSubject,
  tokenErrors,
  type VerifiedToken,
} from '../../src/tokens/index.ts';

/**
 * Exchanges a verified token.
 * @param findSubject returns the account, which may have to enroll a second factor. `undefined`: it is deleted or deactivated.
 * @param proof records a further authentication.
 * @throws AuthError `token.revoked`.
 */
export async function exchange(
  tx: Tx,
  sessions: Sessions,
  token: VerifiedToken,
  findSubject: (id: number) => Promise<(TokenSubject & { mustEnroll?: boolean }) | undefined>,
  proof?: Pick<SessionStart, 'amr' | 'passkeyId'>,
): Promise<IssuedToken> {
  const [swapped] = await sessions.swap(tx, [token]);
  const subject = swapped && (await findSubject(swapped.session.accountId));
  if (!subject) throw tokenErrors.revoked();
  const session = proof ? await sessions.recordAuthentication(tx, swapped.session, proof) : swapped.session;
  const [issued] = await sessions.issue(tx, [
    { session, jti: swapped.jti, subject, mustEnroll: subject.mustEnroll ?? false },
  ]);
  if (!issued) throw new Error('The session got no token.');
  return issued;
}
