// Migration 6: all spellings of an e-mail address get one key, so that one mailbox belongs to one account.
import { type Kysely, type SqlBool, sql } from 'kysely';
import { systemClock } from '../../foundation/clock.ts';
import { emailKey, withAsciiDomain } from '../../foundation/email-address.ts';
import { readName } from '../../foundation/typed-text.ts';
import type { Migration } from './migration.ts';

/** Accounts read in one query. */
const BATCH = 1000;

/** The notice names at most this many accounts. The audit trail has all of them. */
const MAX_NAMED = 10;

/** The action `account.emailAddressShared` of the events. */
const ACTION = 'account.emailAddressShared';

type AccountRow = {
  id: number;
  user_name: string;
  user_name_key: string;
  email: string | null;
  email_key: string | null;
  is_email_confirmed: number;
};
type AuditRow = {
  at: number;
  action: string;
  outcome: string;
  reason: string;
  user_id: number;
  user_name: string;
  details: string;
};
type Tables = { account: AccountRow; audit: AuditRow };
type Keys = Pick<AccountRow, 'user_name_key' | 'email_key'>;

/**
 * Gives each account its new keys, unless another account holds one of them. So no account loses a name by which it is
 * found today. If several accounts compete for a key, those with a verified address come first, then the older ones.
 * The others keep their old keys and all other data.
 */
export const emailAddresses: Migration = {
  name: 'email-addresses',
  async up(database, _engine, notify) {
    const db = database.withTables<Tables>();
    // An account that changes its key may free the old one for another account. So repeat until no key changes.
    while ((await moveKeys(db)) > 0);
    const notice = await recordShared(db);
    if (notice !== undefined) notify(notice);
  },
};

async function moveKeys(db: Kysely<Tables>): Promise<number> {
  let moved = 0;
  for (const confirmed of [1, 0]) {
    for await (const { row, keys } of readOutdated(db, confirmed)) {
      if (await findHolder(db, row, keys)) continue;
      const email = keys.email_key === row.email_key ? row.email : withAsciiDomain(readName(row.email ?? ''));
      await db
        .updateTable('account')
        .set({ ...keys, email })
        .where('id', '=', row.id)
        .execute();
      moved += 1;
    }
  }
  return moved;
}

/**
 * Writes an audit entry for each account whose address another account has too.
 * @returns a notice in one line, or `undefined` if there are none.
 */
async function recordShared(db: Kysely<Tables>): Promise<string | undefined> {
  const named: string[] = [];
  let count = 0;
  for (const confirmed of [1, 0]) {
    for await (const { row, keys } of readOutdated(db, confirmed)) {
      if (await isRecorded(db, row)) continue;
      const heldBy = await findHolder(db, row, keys);
      await db
        .insertInto('audit')
        .values({
          at: systemClock.now(),
          action: ACTION,
          outcome: 'refused',
          reason: 'account.duplicate',
          user_id: row.id,
          user_name: row.user_name,
          details: JSON.stringify({ heldBy }),
        })
        .execute();
      count += 1;
      if (named.length < MAX_NAMED) named.push(`${row.id} (found: ${heldBy})`);
    }
  }
  if (count === 0) return undefined;
  const ids = named.join(', ') + (count > MAX_NAMED ? ', …' : '');
  return (
    `${count} accounts are no longer found by their e-mail address, because another account has it in another spelling: ${ids}. ` +
    `Change or remove their addresses. The audit trail has an entry ${ACTION} for each.`
  );
}

/** A later step runs this one again. */
async function isRecorded(db: Kysely<Tables>, { id }: AccountRow): Promise<boolean> {
  const entries = db.selectFrom('audit').select('user_id').where('user_id', '=', id).where('action', '=', ACTION);
  return (await entries.limit(1).executeTakeFirst()) !== undefined;
}

/** Selects names whose key may differ. The key of an ASCII name without root dot and punycode never changes. */
function mayMove(column: 'user_name' | 'email') {
  const [name, key] = [sql.ref(column), sql.ref(`${column}_key`)];
  return sql<SqlBool>`(octet_length(${name}) > length(${name}) or ${key} like '%.' or ${key} like '%xn--%')`;
}

/** Yields the accounts whose stored keys differ from the keys of their names, by id. */
async function* readOutdated(db: Kysely<Tables>, confirmed: number): AsyncGenerator<{ row: AccountRow; keys: Keys }> {
  for (let last = 0; ; ) {
    const rows = await db
      .selectFrom('account')
      .select(['id', 'user_name', 'user_name_key', 'email', 'email_key', 'is_email_confirmed'])
      .where('id', '>', last)
      .where('is_email_confirmed', '=', confirmed)
      .where((eb) => eb.or([mayMove('user_name'), mayMove('email')]))
      .orderBy('id')
      .limit(BATCH)
      .execute();
    for (const row of rows) {
      const keys = {
        user_name_key: emailKey(row.user_name),
        email_key: row.email === null ? null : emailKey(row.email),
      };
      const isCurrent = keys.user_name_key === row.user_name_key && keys.email_key === row.email_key;
      if (!isCurrent) yield { row, keys };
    }
    if (rows.length < BATCH) return;
    last = rows.at(-1)?.id ?? last;
  }
}

/** Returns the id of another account that has one of these keys, as its user name or e-mail address. */
async function findHolder(db: Kysely<Tables>, { id }: AccountRow, keys: Keys): Promise<number | undefined> {
  const wanted = [keys.user_name_key, ...(keys.email_key === null ? [] : [keys.email_key])];
  const holder = await db
    .selectFrom('account')
    .select('id')
    .where('id', '<>', id)
    .where((eb) => eb.or([eb('user_name_key', 'in', wanted), eb('email_key', 'in', wanted)]))
    .limit(1)
    .executeTakeFirst();
  return holder?.id;
}
