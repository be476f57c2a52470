// The store of logos in SQL. Both engines keep the bytes as base64 text.
import type { Instant } from '../foundation/clock.ts';
import type { Database, Statements } from '../storage/database.ts';

export type LogoStore = ReturnType<typeof createLogoStore>;

export function createLogoStore(database: Database) {
  return {
    /** Adds a logo, or notes that it is used again. */
    async add(
      on: Statements,
      { fileName, bytes, usedAt }: { fileName: string; bytes: Buffer; usedAt: Instant },
    ): Promise<void> {
      await on
        .insertInto('logo')
        .values({ file_name: fileName, content: bytes.toString('base64'), used_at: usedAt })
        .onConflict((conflict) => conflict.column('file_name').doUpdateSet({ used_at: usedAt }))
        .execute();
    },
    /** Notes that a logo is used now. @returns false if there is no such logo. */
    async use(on: Statements, fileName: string, usedAt: Instant): Promise<boolean> {
      const { numUpdatedRows } = await on
        .updateTable('logo')
        .set({ used_at: usedAt })
        .where('file_name', '=', fileName)
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },
    async has(on: Statements, fileName: string): Promise<boolean> {
      const query = on.selectFrom('logo').select('file_name').where('file_name', '=', fileName);
      return (await query.executeTakeFirst()) !== undefined;
    },
    async read(fileName: string): Promise<Buffer | undefined> {
      const query = database.sql.selectFrom('logo').select('content').where('file_name', '=', fileName);
      const row = await query.executeTakeFirst();
      return row && Buffer.from(row.content, 'base64');
    },
    /** Deletes all but the `most` logos that were used last, and those in `kept`. */
    async deleteUnused(on: Statements, kept: readonly string[], most: number): Promise<void> {
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
