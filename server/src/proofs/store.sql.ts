// The store of pins in SQL.
import type { ExpressionBuilder, Selectable } from 'kysely';
import type { Database, PinTable, Tables } from '../storage/database.ts';
import type { Pin } from './pin.ts';
import type { PinFilter, PinStore } from './store.ts';

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

export function createPinStore(database: Database): PinStore {
  return {
    async find(filter) {
      const row = await database.sql.selectFrom('pin').selectAll().where(matches(filter)).executeTakeFirst();
      return row && toPin(row);
    },

    async replace(on, pin) {
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

    async takeTry(on, filter, maxTries, now) {
      const row = await on
        .updateTable('pin')
        .set((eb) => ({ tries: eb('tries', '+', 1) }))
        .where(matches(filter))
        .where('redeemed_at', 'is', null)
        .where('tries', '<', maxTries)
        .where('expires_at', '>', now)
        .returningAll()
        .executeTakeFirst();
      return row && toPin(row);
    },

    async markRedeemed(on, operationId, now) {
      await on.updateTable('pin').set({ redeemed_at: now }).where('operation_id', '=', operationId).execute();
    },

    async findProof(filter, since) {
      const row = await database.sql
        .selectFrom('pin')
        .selectAll()
        .where(matches(filter))
        .where('redeemed_at', '>', since)
        .executeTakeFirst();
      return row && toPin(row);
    },

    async takeProof(on, filter, since) {
      const row = await on
        .deleteFrom('pin')
        .where(matches(filter))
        .where('redeemed_at', '>', since)
        .returningAll()
        .executeTakeFirst();
      return row && toPin(row);
    },

    async deleteOfSubjects(on, purpose, subjects) {
      const pattern = 'beginning' in subjects ? `${subjects.beginning}%` : `%${subjects.ending}`;
      await on.deleteFrom('pin').where('purpose', '=', purpose).where('subject', 'like', pattern).execute();
    },

    async deleteOfAccounts(on, accountIds) {
      await on.deleteFrom('pin').where('account_id', 'in', accountIds).execute();
    },

    async deleteExpired(before, limit) {
      const old = database.sql.selectFrom('pin').select('operation_id').where('expires_at', '<', before).limit(limit);
      await database.sql.deleteFrom('pin').where('operation_id', 'in', old).execute();
    },
  };
}
