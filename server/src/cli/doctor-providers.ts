// The doctor's checks of external providers: their secrets have not expired, and they let in only who is meant.
import { systemClock } from '../foundation/clock.ts';
import { findExpiringSecrets, findWarnings, WARNED_DAYS } from '../providers/index.ts';
import type { Inspection } from '../storage/inspect.ts';
import { type Finding, toMoment } from './output.ts';

export async function* checkProviders({ sql }: Pick<Inspection, 'sql'>): AsyncGenerator<Finding> {
  const about = 'providers';
  const rows = await sql.selectFrom('external_provider').selectAll().execute();
  const providers = rows.map((row) => ({
    name: row.name,
    isEnabled: row.is_enabled === 1,
    secretExpiresAt: row.secret_expires_at,
  }));
  const expiring = findExpiringSecrets(providers, systemClock.now());
  if (expiring.length > 0) {
    const names = expiring.map(({ name, expiresAt }) => `${name} (${toMoment(expiresAt)})`).join(', ');
    const message = `secrets that have expired or do so within ${WARNED_DAYS} days: ${names}. Make a new one at the provider, and enter it: latchkey providers change NAME --client-secret-stdin --secret-expires-at TIME`;
    yield { verdict: 'warn', about, message };
  }
  const warnings = rows
    .filter((row) => row.is_enabled === 1)
    .flatMap(({ name, type, settings }) =>
      findWarnings({ ...JSON.parse(settings), type }).map((text) => `${name}: ${text}`),
    );
  for (const message of warnings) yield { verdict: 'warn', about, message };
  if (expiring.length + warnings.length > 0) return;
  if (rows.length > 0) yield { verdict: 'ok', about, message: `${rows.length} registered` };
}
