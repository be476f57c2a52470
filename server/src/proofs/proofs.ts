// Everything that proves an address, created from a database and from what sends messages.
import type { Budgets } from '../budgets/index.ts';
import type { Messages } from '../delivery/index.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Occurrence } from '../foundation/events.ts';
import type { Random } from '../foundation/random.ts';
import type { Secrets } from '../foundation/secrets.ts';
import type { SettingReader } from '../foundation/setting.ts';
import type { Database, Tx } from '../storage/database.ts';
import { createOneTimeSecrets } from './one-time-secrets.ts';
import type { DrawPin } from './pin.ts';
import { createPins } from './pins.ts';
import { createSendProof } from './sender.ts';
import { createSecretStore } from './store.secrets.sql.ts';
import { createPinStore } from './store.sql.ts';

export function createProofs(deps: {
  database: Database;
  budgets: Budgets;
  messages: Pick<Messages, 'queue'>;
  settings: SettingReader;
  record: (tx: Tx, occurrence: Occurrence) => Promise<void>;
  secrets: Secrets;
  clock: Clock;
  random: Random;
  drawPin?: DrawPin | undefined;
}) {
  const pins = createPins({ ...deps, store: createPinStore(deps.database) });
  const oneTimeSecrets = createOneTimeSecrets({ ...deps, store: createSecretStore(deps.database) });
  return { pins, oneTimeSecrets, sendProof: createSendProof({ ...deps, pins, oneTimeSecrets }) };
}
