// The store of logos in SQL. Both engines keep the bytes as base64 text.
import type { Database } from '../storage/database.ts';
import type { LogoStore } from './store.ts';

export function createLogoStore(database: Database): LogoStore {
  return {
    async add(on, { fileName, bytes, usedAt }) {
      await on
        .insertInto('logo')
        .values({ file_name: fileName, content: bytes.toString('base64'), used_at: usedAt })
        .onConflict((conflict) => conflict.column('file_name').doUpdateSet({ used_at: usedAt }))
        .execute();
    },
    async use(on, fileName, usedAt) {
      const { numUpdatedRows } = await on
        .updateTable('logo')
        .set({ used_at: usedAt })
        .where('file_name', '=', fileName)
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },
    async read(fileName) {
      const query = database.sql.selectFrom('logo').select('content').where('file_name', '=', fileName);
      const row = await query.executeTakeFirst();
      return row && Buffer.from(row.content, 'base64');
    },
    async deleteUnused(on, kept, most) {
      const oldest = await on
        .selectFrom('logo')
        .select('used_at')
        .orderBy('used_at', 'desc')
        .offset(most - 1)
        .limit(1)
        .executeTakeFirst();
      if (!oldest) return;
      // By time, not by name: a logo that another node has just used is then spared.
      await on.deleteFrom('logo').where('used_at', '<', oldest.used_at).where('file_name', 'not in', kept).execute();
    },
  };
}
