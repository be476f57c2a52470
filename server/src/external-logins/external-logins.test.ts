// External logins that go all at once, with the provider that they are of.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createManualClock } from '../../test/support/clock.ts';
import type { Tx } from '../storage/database.ts';
import type { Sessions } from '../tokens/index.ts';
import { createExternalLogins } from './external-logins.ts';
import type { ExternalLoginStore } from './store.sql.ts';

const PEOPLE = 3500;

it('are removed in parts, between which others are served', async () => {
  const told: string[] = [];
  const ids = Array.from({ length: PEOPLE }, (_, index) => index + 1);
  // Only what this asks is there.
  const store = { removeAll: async () => ids } as Partial<ExternalLoginStore> as ExternalLoginStore;
  // As above.
  const sessions = {
    async endOfAccounts(_, { length }) {
      told.push(`part ${length}`);
      setImmediate(() => told.push('others'));
    },
  } as Partial<Sessions> as Sessions;
  // As above.
  const tx = { sql: {} } as Tx;
  const externalLogins = createExternalLogins({
    store,
    accounts: { findAllForUpdate: async () => [], recordOwners: async () => {} },
    sessions,
    notifyOwner: () => assert.fail(),
    clock: createManualClock(),
  });
  await externalLogins.unlinkAll(tx, 'Acme', async () => {});
  assert.deepEqual(
    told,
    [1000, 1000, 1000, 500].flatMap((size) => [`part ${size}`, 'others']),
  );
});
