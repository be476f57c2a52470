// Transactions as code sees them that runs no statement itself.

/** A running transaction. Only the storage makes them, with the statements: its `Tx`. */
export interface Transaction {
  /** Runs `effect` after the transaction is durable, or committed if `durable` is false. Never runs it after a rollback. */
  afterCommit(effect: () => void): void;
  /** Runs `effect` after the transaction is rolled back, or its commit has failed. Never runs it after a commit. */
  afterRollback(effect: () => void): void;
  /**
   * Announces a change of the data that nodes keep in memory under `topic`. This node reloads it before the
   * transaction's promise resolves, every other node within 2 s. Transactions that announce the same topic follow each other. One that
   * announces several takes them in this order, as another one could deadlock: front-ends, settings, applications, webhooks,
   * service-keys, external-providers, id-token-keys, keys. It takes roles last, or after the lock of all accounts.
   */
  announce(topic: string): Promise<void>;
}
