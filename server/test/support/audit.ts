// A long audit trail, written by a few statements.
import { sql } from 'kysely';
import type { Instant } from '../../src/foundation/clock.ts';
import type { Database } from '../../src/storage/database.ts';

/** Rows of one statement: PostgreSQL gives each about a second. */
const BATCH = 5000;

/** Adds `count` entries of the same moment and kind. */
export async function fillTrail(
  { sql: on }: Database,
  count: number,
  { at, action, userId = null }: { at: Instant; action: string; userId?: number | null },
): Promise<void> {
  for (let added = 0; added < count; added += BATCH) {
    await sql`
      insert into audit (at, action, outcome, user_id, ip_address)
      with recursive n (i) as (select 1 union all select i + 1 from n where i < ${Math.min(BATCH, count - added)})
      select ${sql.lit(at)}, ${sql.lit(action)}, 'success', ${sql.lit(userId)}, '192.0.2.1' from n
    `.execute(on);
  }
}
