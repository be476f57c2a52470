// The doctor's check of service keys: a key that no service uses is a risk without a use.
import { type Instant, systemClock } from '../foundation/clock.ts';
import type { Inspection } from '../storage/inspect.ts';
import type { Finding } from './output.ts';

/** A key counts as unused after this many days. */
const UNUSED_DAYS = 90;

const DAY_MS = 86_400_000;

export async function* checkServiceKeys({ sql }: Pick<Inspection, 'sql'>): AsyncGenerator<Finding> {
  const about = 'service keys';
  const keys = await sql.selectFrom('service_key').select(['name', 'created_at', 'last_used_at']).execute();
  const unused = keys.filter((key) => daysSince(key.last_used_at ?? key.created_at) >= UNUSED_DAYS);
  if (unused.length > 0) {
    const names = unused.map(({ name }) => name).join(', ');
    const message = `not used for ${UNUSED_DAYS} days: ${names}. Withdraw those that no service needs: latchkey service-keys withdraw NAME`;
    yield { verdict: 'warn', about, message };
  } else if (keys.length > 0) yield { verdict: 'ok', about, message: `${keys.length} in use` };
}

const daysSince = (at: Instant) => Math.floor((systemClock.now() - at) / DAY_MS);
