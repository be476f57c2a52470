// The store of pins in SQL.
import type { ExpressionBuilder, Selectable } from 'kysely';
import type { Instant } from '../foundation/clock.ts';
import type { Database, PinTable, Statements, Tables } from '../storage/database.ts';
import type { Pin, Purpose } from './pin.ts';

/** The pins that a call may use: the pin of an operation, or the latest pin of a subject. */
export type PinFilter = ({ operationId: string } | { subject: string }) & {
  purposes: readonly Purpose[];
  /** The account that the pin must be bound to. Null: no account. Absent: any. */
  accountId?: number | null;
};

/** The beginning or end of subjects. */
export type SubjectPart = { beginning: string } | { ending: string };

const toPin = (row: Selectable<PinTable>): Pin => ({
  operationId: row.operation_id,
  purpose: row.purpose,
  subject: row.subject,
  accountId: row.account_id,
  address: row.address,
  mac: row.mac,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
});

const matches =
  ({ purposes, accountId, ...key }: PinFilter) =>
  (eb: ExpressionBuilder<Tables, 'pin'>) => {
    const hasKey = 'operationId' in key ? eb('operation_id', '=', key.operationId) : eb('subject', '=', key.subject);
    const hasPurpose = hasKey.and('purpose', 'in', purposes);
    if (accountId === undefined) return hasPurpose;
    return accountId === null ? hasPurpose.and('account_id', 'is', null) : hasPurpose.and('account_id', '=', accountId);
  };

const isLive = (maxTries: number, now: Instant) => (eb: ExpressionBuilder<Tables, 'pin'>) =>
  eb('redeemed_at', 'is', null).and('tries', '<', maxTries).and('expires_at', '>', now);

export type PinStore = ReturnType<typeof createPinStore>;

export function createPinStore(database: Database) {
  return {
    /** Finds a pin in any state. */
    async find(filter: PinFilter): Promise<Pin | undefined> {
      const row = await database.sql.selectFrom('pin').selectAll().where(matches(filter)).executeTakeFirst();
      return row && toPin(row);
    },

    /** Stores a pin, which replaces any older one of the same purpose and subject. The caller must hold that subject's budget. */
    async replace(on: Statements, pin: Pin): Promise<void> {
      await on
        .deleteFrom('pin')
        .where('purpose', '=', pin.purpose)
        .where('subject', '=', pin.subject)
        // A redeemed pin stays: otherwise anyone could undo the verification by requesting another pin.
        .where((eb) => eb.or([eb('redeemed_at', 'is', null), eb('operation_id', '=', pin.operationId)]))
        .execute();
      await on
        .insertInto('pin')
        .values({
          operation_id: pin.operationId,
          purpose: pin.purpose,
          subject: pin.subject,
          mac: pin.mac,
          account_id: pin.accountId,
          address: pin.address,
          tries: 0,
          created_at: pin.createdAt,
          expires_at: pin.expiresAt,
          redeemed_at: null,
        })
        .execute();
    },

    /** Whether `takeTry` would find a pin. Locks nothing. */
    async hasTry(filter: PinFilter, maxTries: number, now: Instant): Promise<boolean> {
      const query = database.sql.selectFrom('pin').select('tries').where(matches(filter)).where(isLive(maxTries, now));
      return (await query.executeTakeFirst()) !== undefined;
    },

    /**
     * Uses one of the pin's tries and locks the pin until the transaction ends.
     * @returns `undefined` if the pin is redeemed, expired or out of tries.
     */
    async takeTry(on: Statements, filter: PinFilter, maxTries: number, now: Instant): Promise<Pin | undefined> {
      const row = await on
        .updateTable('pin')
        .set((eb) => ({ tries: eb('tries', '+', 1) }))
        .where(matches(filter))
        .where(isLive(maxTries, now))
        .returningAll()
        .executeTakeFirst();
      return row && toPin(row);
    },

    /** Marks a pin as redeemed. `takeTry` must have locked it. */
    async markRedeemed(on: Statements, operationId: string, now: Instant): Promise<void> {
      await on.updateTable('pin').set({ redeemed_at: now }).where('operation_id', '=', operationId).execute();
    },

    /** Changes the operation id of a pin. `takeTry` must have locked it. */
    async move(on: Statements, operationId: string, to: string): Promise<void> {
      await on.updateTable('pin').set({ operation_id: to }).where('operation_id', '=', operationId).execute();
    },

    /** Finds a pin that was redeemed after `since`. */
    async findProof(filter: PinFilter, since: Instant): Promise<Pin | undefined> {
      const row = await database.sql
        .selectFrom('pin')
        .selectAll()
        .where(matches(filter))
        .where('redeemed_at', '>', since)
        .executeTakeFirst();
      return row && toPin(row);
    },

    /** Deletes and returns a pin that was redeemed after `since`. Of concurrent calls one gets it. */
    async takeProof(on: Statements, filter: PinFilter, since: Instant): Promise<Pin | undefined> {
      const row = await on
        .deleteFrom('pin')
        .where(matches(filter))
        .where('redeemed_at', '>', since)
        .returningAll()
        .executeTakeFirst();
      return row && toPin(row);
    },

    /** Deletes the pins of a purpose by the beginning or end of their subjects, which must not contain `%` or `_`. */
    async deleteOfSubjects(on: Statements, purpose: Purpose, subjects: SubjectPart): Promise<void> {
      const pattern = 'beginning' in subjects ? `${subjects.beginning}%` : `%${subjects.ending}`;
      await on.deleteFrom('pin').where('purpose', '=', purpose).where('subject', 'like', pattern).execute();
    },

    /** Deletes all pins and proofs of these accounts. */
    async deleteOfAccounts(on: Statements, accountIds: readonly number[]): Promise<void> {
      await on.deleteFrom('pin').where('account_id', 'in', accountIds).execute();
    },

    /** Deletes up to `limit` pins that expired before `before`. */
    async deleteExpired(before: Instant, limit: number): Promise<void> {
      const old = database.sql
        .selectFrom('pin')
        .select('operation_id')
        .where('expires_at', '<', before)
        .limit(limit)
        .$call(database.skipLocked);
      await database.sql.deleteFrom('pin').where('operation_id', 'in', old).execute();
    },
  };
}
