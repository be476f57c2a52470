// The doctor's checks of events: webhooks that get none, and audit entries that are not chained.
import { findStandstill } from '../audit/index.ts';
import { systemClock } from '../foundation/clock.ts';
import type { Inspection } from '../storage/inspect.ts';
import { type Finding, toMoment } from './output.ts';

/** The rest of an address may be a secret. */
const nameOf = ({ description, url }: { description: string; url: string }) => description.trim() || new URL(url).host;

export async function* checkEvents({ sql }: Pick<Inspection, 'sql'>): AsyncGenerator<Finding> {
  const webhooks = await sql.selectFrom('webhook').selectAll().orderBy('created_at').orderBy('id').execute();
  const about = 'webhooks';
  const disabled = webhooks.filter(({ disabled_because }) => disabled_because !== null);
  if (disabled.length > 0) {
    const names = disabled.map(nameOf).join(', ');
    const message = `disabled by the service, because the receiver answered 410 or failed for five days: ${names}. Correct it, then: latchkey webhooks enable ID`;
    yield { verdict: 'warn', about, message };
  }
  const full = webhooks.filter(({ full_since }) => full_since !== null);
  if (full.length > 0) {
    const names = full.map(nameOf).join(', ');
    const message = `get no new events, because 100,000 wait: ${names}. Correct the receiver, or delete the webhook.`;
    yield { verdict: 'warn', about, message };
  }
  if (webhooks.length > 0 && disabled.length + full.length === 0)
    yield { verdict: 'ok', about, message: `${webhooks.length} take events` };

  const since = await findStandstill(sql, systemClock.now());
  if (since !== undefined) {
    const message = `entries since ${toMoment(since)} are not chained: start the service, or look for errors in its log.`;
    yield { verdict: 'warn', about: 'audit trail', message };
  }
}
