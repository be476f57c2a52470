// The store of the chain over the trail in SQL.
import { type Selectable, sql } from 'kysely';
import { addSeconds, type Instant } from '../foundation/clock.ts';
import type { AuditChainTable, Database, Statements } from '../storage/database.ts';
import {
  type Chained,
  type Commitments,
  type Content,
  type Ends,
  type EntryKeys,
  ERASURE,
  findAccounts,
  type Head,
  type Link,
  toEntryKeys,
} from './chain.ts';
import type { Source, Waiting } from './verification.ts';

/** What retention needs of an entry. */
export type Kept = Link & { readonly id: number; readonly at: Instant };

/** The columns of an entry, under the names of its members: their rows need no copy. */
const contentColumns = [
  'id',
  'at',
  'action',
  'outcome',
  'reason',
  'user_id as userId',
  'user_name as userName',
  'ip_address as ipAddress',
  'front_end as frontEnd',
  'user_agent as userAgent',
  'details',
] as const;

/** Those of its link. Somebody may have removed them: a null fits nothing. */
const chainColumns = [
  'sequence',
  'hash',
  'commitment',
  'by_commitment as byCommitment',
  'erased_for as erasedFor',
  'erased_by_for as erasedByFor',
] as const;

/** An entry is chained within a second or two. The chain stands still if it waits for so long, and no other was chained. */
const STILL_SECONDS = 60;

/** Returns the time of the oldest entry that waits for its link, if the chain stands still. */
export async function findStandstill(on: Statements, now: Instant): Promise<Instant | undefined> {
  const before = addSeconds(now, -STILL_SECONDS);
  const stands = on.selectFrom('audit_chain').select('id').where('head_sequence', '>', 0).where('head_at', '<', before);
  const row = await on
    .selectFrom('audit')
    .select('at')
    .where('sequence', 'is', null)
    .where('at', '<', before)
    .where(({ exists }) => exists(stands))
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return row?.at;
}

export type ChainStore = ReturnType<typeof createChainStore>;

export function createChainStore(database: Database) {
  const isPostgres = database.engine === 'postgres';

  const addKeys = database.insertForRows(
    { account_id: 'bigint', key: 'text' },
    ({ account_id, key }, from) => sql`insert into "audit_key" (account_id, key)
      ${from([account_id, key])} on conflict (account_id) do nothing`,
  );

  /** Returns the keys of accounts that have one. The statement has the same text for any number of them. */
  async function readKeys(on: Statements, accountIds: readonly number[]): Promise<Map<number, string>> {
    if (accountIds.length === 0) return new Map();
    const json = JSON.stringify(accountIds);
    const ids = isPostgres
      ? sql<number>`(select value::bigint from jsonb_array_elements_text(${json}::jsonb) as given (value))`
      : sql<number>`(select value from json_each(${json}))`;
    const rows = await on.selectFrom('audit_key').selectAll().where('account_id', 'in', ids).execute();
    return new Map(rows.map(({ account_id, key }) => [account_id, key]));
  }

  return {
    /** Returns both ends. They are on disk. */
    async readEnds(): Promise<Ends> {
      const ends = toEnds(await database.sql.selectFrom('audit_chain').selectAll().executeTakeFirstOrThrow());
      // SQLite shows what is committed and not on disk yet. After a power cut, the head would have another hash.
      if (!isPostgres) await database.transaction(async () => {});
      return ends;
    },

    /** Whether entries wait for their links. */
    async hasUnchained(): Promise<boolean> {
      const row = await database.sql
        .selectFrom('audit')
        .select('id')
        .where('sequence', 'is', null)
        .orderBy('id')
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },

    findStandstill: (now: Instant) => findStandstill(database.sql, now),

    /** Returns what waits for its links. */
    async readWaiting(): Promise<Waiting> {
      const waiting = database.sql.selectFrom('audit').where('sequence', 'is', null);
      const { count, since } = await waiting
        .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.min('at').as('since')])
        .executeTakeFirstOrThrow();
      const erasures = await waiting.select('user_id').where('action', '=', ERASURE).execute();
      return { count: Number(count), since, erased: erasures.flatMap(({ user_id }) => user_id ?? []) };
    },

    /**
     * Takes the chain for this transaction.
     * @param isPatient whether to wait while another one has it. Otherwise it returns `undefined` then.
     */
    async take(on: Statements, isPatient = false): Promise<Ends | undefined> {
      const row = await on
        .selectFrom('audit_chain')
        .selectAll()
        .$if(isPostgres, (query) => (isPatient ? query.forUpdate() : query.forUpdate().skipLocked()))
        .executeTakeFirst();
      if (row) return toEnds(row);
      // Another transaction has it, unless somebody has deleted it.
      await on.selectFrom('audit_chain').select('id').executeTakeFirstOrThrow();
      return undefined;
    },

    /** Returns entries that are not chained, and that no other transaction has locked, in the order of their numbers. */
    async readUnchained(on: Statements, limit: number): Promise<Content[]> {
      const rows = await on
        .selectFrom('audit')
        .select(contentColumns)
        .where('sequence', 'is', null)
        .orderBy('id')
        .limit(limit)
        .$if(isPostgres, (query) => query.forUpdate().skipLocked())
        .execute();
      return rows;
    },

    readKeys,

    /** Adds keys of accounts that have none. */
    async addKeys(on: Statements, keys: ReadonlyMap<number, string>): Promise<void> {
      await addKeys(
        on,
        [...keys].map(([account_id, key]) => ({ account_id, key })),
      );
    },

    /** Gives entries their links. @returns how many. */
    async link(on: Statements, links: readonly (Link & Commitments & { readonly id: number })[]): Promise<number> {
      const rows = links.map(({ id, sequence, hash, commitment, byCommitment }) => [
        id,
        sequence,
        hash,
        commitment,
        byCommitment,
      ]);
      const json = JSON.stringify(rows);
      // One statement for all of them, also on SQLite, where one for each would cost twice as much.
      const { numAffectedRows = 0 } = await sql`
        update audit set sequence = given.sequence, hash = given.hash, commitment = given.commitment,
          by_commitment = given.by_commitment
        from (
          select cast(value->>0 as bigint) as id, cast(value->>1 as bigint) as sequence, value->>2 as hash,
            value->>3 as commitment, value->>4 as by_commitment
          from ${isPostgres ? sql`jsonb_array_elements(${json}::jsonb)` : sql`json_each(${json})`}
        ) as given
        where audit.id = given.id and audit.sequence is null`.execute(on);
      return Number(numAffectedRows);
    },

    /** Moves the head. */
    async setHead(on: Statements, { sequence, hash, at }: Head): Promise<void> {
      await on.updateTable('audit_chain').set({ head_sequence: sequence, head_hash: hash, head_at: at }).execute();
    },

    /**
     * Takes the head of the chain to tell it. Of several callers, one gets it.
     * @param before when it must have been told last, if at all.
     * @returns the id of its entry, or `undefined` if it was told since, or there is none.
     */
    async takeHead(on: Statements, now: Instant, before: Instant): Promise<number | undefined> {
      const taken = await on
        .updateTable('audit_chain')
        .set({ told_at: now })
        // A clock that was set back must not stop it.
        .where((eb) => eb.or([eb('told_at', '<=', before), eb('told_at', '>', now)]))
        .where('head_sequence', '>', 0)
        .returning('head_sequence')
        .executeTakeFirst();
      if (!taken) return undefined;
      const { head_sequence: sequence } = taken;
      return (await on.selectFrom('audit').select('id').where('sequence', '=', sequence).executeTakeFirst())?.id;
    },

    /** Returns the link of an entry, or `undefined` if it is not kept any more. */
    findLink: (id: number): Promise<Link | undefined> =>
      database.sql
        .selectFrom('audit')
        .select(['sequence', 'hash'])
        .where('id', '=', id)
        .where('sequence', 'is not', null)
        .$castTo<Link>()
        .executeTakeFirst(),

    /** Returns the first entries that the chain still has. */
    readFirst: (on: Statements, { base, head }: Ends, limit: number): Promise<Kept[]> =>
      on
        .selectFrom('audit')
        .select(['id', 'at', 'sequence', 'hash'])
        .where('sequence', '>', base.sequence)
        .where('sequence', '<', head.sequence)
        .orderBy('sequence')
        .limit(limit)
        .$castTo<Kept>()
        .execute(),

    /** Returns when the first entry that is not from the future was made. Undefined: the chain has none. */
    async findFirstAt(on: Statements, { base, head }: Ends, now: Instant): Promise<Instant | undefined> {
      const row = await on
        .selectFrom('audit')
        .select('at')
        .where('sequence', '>', base.sequence)
        .where('sequence', '<', head.sequence)
        .where('at', '<=', now)
        .orderBy('sequence')
        .limit(1)
        .executeTakeFirst();
      return row?.at;
    },

    /** Deletes entries from the start of the chain. The last of them is its base from now on. */
    async deleteFirst(on: Statements, entries: readonly Kept[]): Promise<void> {
      const last = entries.at(-1);
      if (!last) return;
      const ids = entries.map(({ id }) => id);
      await on.deleteFrom('audit').where('id', 'in', ids).execute();
      await on.updateTable('audit_chain').set({ base_sequence: last.sequence, base_hash: last.hash }).execute();
    },

    /**
     * Returns the chained entries after a place, in their order, with the keys of their commitments.
     * @param id the id at the place, for entries that somebody has inserted there. Default: none follows there.
     */
    async readAfter(sequence: number, limit: number, id = Number.MAX_SAFE_INTEGER): Promise<(Chained & EntryKeys)[]> {
      const entries = await database.sql
        .selectFrom('audit')
        .select([...contentColumns, ...chainColumns])
        .where((eb) => eb(eb.refTuple('sequence', 'id'), '>', eb.tuple(sequence, id)))
        .where('sequence', 'is not', null)
        .orderBy('sequence')
        .orderBy('id')
        .limit(limit)
        .$castTo<Chained>()
        .execute();
      const accounts = entries.map(findAccounts);
      const keys = await readKeys(database.sql, [...new Set(accounts.flat())]);
      return entries.map((entry, place) =>
        Object.assign(entry, toEntryKeys(accounts[place] ?? [], entry.sequence, keys)),
      );
    },
  };
}

function toEnds(row: Selectable<AuditChainTable>): Ends {
  return {
    base: { sequence: row.base_sequence, hash: row.base_hash },
    head: { sequence: row.head_sequence, hash: row.head_hash, at: row.head_at },
  };
}

/** Entries that a verification reads at once. */
const SOURCE_BATCH = 500;

/** Returns the chain of a database, to verify or export it. */
export function createChainSource(database: Database): Source {
  const { readEnds, readAfter, readWaiting } = createChainStore(database);
  return {
    isLive: true,
    readEnds,
    readWaiting,
    readAfter: ({ sequence, id }) => readAfter(sequence, SOURCE_BATCH, id),
  };
}
