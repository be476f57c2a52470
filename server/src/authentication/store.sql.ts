// Sign-ins that wait for a second factor, in SQL.
import type { Selectable } from 'kysely';
import type { Database, LoginFlowTable } from '../storage/database.ts';
import type { LoginFlow, LoginFlowStore } from './store.ts';

const toLoginFlow = (row: Selectable<LoginFlowTable>): LoginFlow => ({
  mac: row.mac,
  accountId: row.account_id,
  frontEnd: row.front_end,
  completed: row.completed.split(' '),
  passwordVersion: row.password_version,
  lockoutSubject: row.lockout_subject,
  expiresAt: row.expires_at,
});

export function createLoginFlowStore(database: Database): LoginFlowStore {
  return {
    async add(on, { mac, accountId, frontEnd, completed, passwordVersion, lockoutSubject, expiresAt }) {
      await on
        .insertInto('login_flow')
        .values({
          mac,
          account_id: accountId,
          front_end: frontEnd,
          completed: completed.join(' '),
          password_version: passwordVersion,
          lockout_subject: lockoutSubject,
          expires_at: expiresAt,
        })
        .execute();
    },

    async find(on, mac, now) {
      const row = await on
        .selectFrom('login_flow')
        .selectAll()
        .where('mac', '=', mac)
        .where('expires_at', '>', now)
        .executeTakeFirst();
      return row && toLoginFlow(row);
    },

    async deleteOfAccount(on, accountId) {
      await on.deleteFrom('login_flow').where('account_id', '=', accountId).execute();
    },

    async deleteAll(on) {
      await on.deleteFrom('login_flow').execute();
    },

    async take(on, mac, now) {
      const row = await on
        .deleteFrom('login_flow')
        .where('mac', '=', mac)
        .where('expires_at', '>', now)
        .returning('mac')
        .executeTakeFirst();
      return row !== undefined;
    },

    async deleteExpired(before, limit) {
      const expired = database.sql.selectFrom('login_flow').select('mac').where('expires_at', '<', before).limit(limit);
      await database.sql.deleteFrom('login_flow').where('mac', 'in', expired).execute();
    },
  };
}
