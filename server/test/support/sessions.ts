// Sessions on a database, without the service around them.
import { systemRandom } from '../../src/foundation/random.ts';
import { createSecrets } from '../../src/foundation/secrets.ts';
import type { SettingReader } from '../../src/foundation/setting.ts';
import type { Database } from '../../src/storage/database.ts';
import { createKeyRing } from '../../src/tokens/keys.ts';
import { createRevocations } from '../../src/tokens/revocations.ts';
import { createSessions } from '../../src/tokens/sessions.ts';
import { createKeyStore } from '../../src/tokens/store.keys.sql.ts';
import { createSessionStore } from '../../src/tokens/store.sql.ts';
import { createManualClock } from './clock.ts';

export const SESSION_ISSUER = 'https://login.example.com';

/** The settings of tokens, in seconds. */
export type Lifetimes = { accessTokenLifetime: number; sessionLifetime: number; audience: string };

/** Returns what sessions need. `start` makes them anew, as a restart of the service does. */
export async function prepareSessions(database: Database, lifetimes: Lifetimes) {
  const settings = { read: () => lifetimes } as unknown as SettingReader;
  // Starts at a whole second, so that sessions and their tokens expire at the same instant.
  const clock = createManualClock();
  clock.advance(1 - (clock.now() % 1000) / 1000);
  const random = systemRandom;
  const secrets = createSecrets('a secret of at least thirty-two characters', random);
  const revocations = createRevocations();
  const shared = { revocations, clock, random };
  const keys = createKeyRing({ ...shared, database, store: createKeyStore(), record: async () => {}, secrets });
  await keys.load();
  const store = createSessionStore(database);
  const start = () => createSessions({ ...shared, store, keys, settings, issuer: SESSION_ISSUER });
  return { ...shared, secrets, keys, start };
}
