// The doctor's check of service keys: a key that no service uses is a risk without a use.
import { systemClock } from '../foundation/clock.ts';
import { findUnused, UNUSED_DAYS } from '../service-keys/index.ts';
import type { Inspection } from '../storage/inspect.ts';
import type { Finding } from './output.ts';

export async function* checkServiceKeys({ sql }: Pick<Inspection, 'sql'>): AsyncGenerator<Finding> {
  const about = 'service keys';
  const rows = await sql.selectFrom('service_key').select(['name', 'created_at', 'last_used_at']).execute();
  const keys = rows.map((row) => ({ name: row.name, createdAt: row.created_at, lastUsedAt: row.last_used_at }));
  const unused = findUnused(keys, systemClock.now());
  if (unused.length > 0) {
    const names = unused.map(({ name }) => name).join(', ');
    const message = `not used for ${UNUSED_DAYS} days: ${names}. Withdraw each key that no service needs: latchkey service-keys withdraw NAME`;
    yield { verdict: 'warn', about, message };
  } else if (keys.length > 0) yield { verdict: 'ok', about, message: `${keys.length} in use` };
}
