// What every test holds at its end, whatever it did: each token that the service refuses is revoked in the feed too.
import type { Database } from '../../src/storage/database.ts';

const ALL_GENERATIONS = 2_147_483_647;

/** Returns the sessions with tokens that may live, that the service refuses, and that the feed does not revoke. */
export async function findUnrevoked({ sql }: Database, now: number): Promise<string[]> {
  const revocations = await sql.selectFrom('revocation').selectAll().execute();
  const generations = new Map(revocations.map(({ session_id, generation }) => [session_id, generation ?? 0]));
  const issuedBefore = Math.max(0, ...revocations.map(({ issued_before }) => issued_before ?? 0));
  const sessions = await sql.selectFrom('session').selectAll().execute();
  return sessions
    .filter((session) => {
      const isRestricted = session.must_change_password === 1 || session.must_enroll === 1;
      const due = session.ended_at === null ? session.generation + (isRestricted ? 1 : 0) : ALL_GENERATIONS;
      const issuedAt = Math.max(session.signed_in_at, session.last_refreshed_at ?? 0);
      const isCovered = session.ended_at !== null && issuedAt < issuedBefore;
      const mayLive = (session.tokens_expire_at ?? session.expires_at) > now;
      return mayLive && !isCovered && (generations.get(session.id) ?? 0) < due;
    })
    .map(({ id }) => id);
}
