// The order in which transactions announce topics. Each holds the lock of its topics until it ends.
import assert from 'node:assert/strict';
import type { Database, Tx } from '../../src/storage/database.ts';

/** Topics that one transaction may announce together. `roles` is not among them: it comes last, or after the lock of all accounts. */
const ORDER = [
  'front-ends',
  'settings',
  'applications',
  'webhooks',
  'service-keys',
  'external-providers',
  'id-token-keys',
  'keys',
];

/** Lets transactions fail that announce topics in an order in which two of them could deadlock. */
export function inOrder(database: Database): Database {
  function watch(tx: Tx): Tx {
    const held: string[] = [];
    return {
      ...tx,
      async announce(topic) {
        const later = ORDER.slice(ORDER.indexOf(topic) + 1).filter((one) => held.includes(one));
        if (ORDER.includes(topic) && !held.includes(topic)) assert.deepEqual(later, [], `${topic} comes before these`);
        held.push(topic);
        await tx.announce(topic);
      },
    };
  }
  return {
    ...database,
    transaction: (work, options) => database.transaction((tx) => work(options?.joins ? tx : watch(tx)), options),
  };
}
