// The export of a person: everything that is stored about the owner of an account, as one JSON text in pieces.

import type { Management } from '../account-changes/index.ts';
import { type Account, type AccountStore, accountErrors } from '../accounts/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { OwnerVerification } from '../authentication/index.ts';
import type { Authority, Manager, SignedIn } from '../foundation/authority.ts';
import { addSeconds, type Clock, type Instant, toIsoString } from '../foundation/clock.ts';
import type { Origin } from '../foundation/events.ts';
import { createRecent } from '../foundation/recent.ts';
import type { Database } from '../storage/database.ts';
import { personActions, personErrors } from './declarations.ts';
import { toExported, toPerson } from './person.ts';
import { type PersonalTable, personalTables } from './personal-data.ts';
import type { PersonStore, Place } from './store.sql.ts';

/** Entries of the trail that are in memory at once. */
const BATCH = 500;

/**
 * An export of an account under way holds up another one on this node until it ends, or has read nothing for so long: its reader
 * is slow, or has left before it began.
 */
const HELD_SECONDS = 10;

/** The most exports that hold up others. */
const MOST_HELD = 10_000;

/** They end the trail of an account. Older entries are about a person whose number an import has given again. */
const ENDS: readonly unknown[] = ['account.deleted', 'account.erased'];

/**
 * Both refuse a second export of the account on this node, with `account.exportUnderWay`. They record the export, and return the pieces of the text. Before each piece of the trail they read the caller's session and
 * permissions again.
 */
export interface PersonExport {
  /** @throws AuthError of {@link Authority.authorize}, also while the pieces are read. */
  exportOwn(owner: SignedIn, origin: Origin): Promise<AsyncIterable<string>>;
  /** @throws AuthError `account.notFound`, `permission.denied`, and those of {@link Manager.authorize}. */
  exportOther(id: number, by: Manager): Promise<AsyncIterable<string>>;
}

export function createPersonExport(deps: {
  database: Database;
  store: PersonStore;
  accounts: AccountStore;
  ownerVerification: OwnerVerification;
  management: Management;
  audit: AuditTrail;
  clock: Clock;
}): PersonExport {
  const { database, store, accounts, ownerVerification, management, audit, clock } = deps;

  const underWay = createRecent<Instant>(MOST_HELD);

  function hold(id: number) {
    const until = addSeconds(clock.now(), HELD_SECONDS);
    underWay.keep(String(id), until, until, clock.now());
  }

  function requireFirst(id: number) {
    const until = underWay.get(String(id));
    // A clock that was set back must not extend it.
    const isHeld = until !== undefined && clock.now() < until && until <= addSeconds(clock.now(), HELD_SECONDS);
    if (isHeld) throw personErrors.exportUnderWay();
    hold(id);
  }

  async function* readEntries(id: number, { columns }: PersonalTable, caller: Authority) {
    let last: Place | undefined;
    for (let isMore = true, separator = ''; isMore; ) {
      hold(id);
      await database.transaction((tx) => caller.authorize(tx));
      const found = await store.readEntries(id, last, BATCH);
      const end = found.findIndex(({ action }) => ENDS.includes(action));
      const entries = end < 0 ? found : found.slice(0, end);
      isMore = entries.length === BATCH;
      last = found.at(-1);
      const texts = entries.map((entry) => JSON.stringify(withoutOthers(id, toExported(columns, entry))));
      if (texts.length > 0) yield separator + texts.join(',');
      separator = ',';
    }
  }

  /** Returns the text from the account to the trail, which it leaves open. */
  async function readRows(account: Account): Promise<string> {
    const person = toPerson(account);
    const members: Record<string, unknown> = { exportedAt: toIsoString(clock.now()) };
    for (const table of personalTables) {
      if (table.name === 'audit') continue;
      const rows = (await store.read(table, person)).map((row) => toExported(table.columns, row));
      members[table.exported] = table.name === 'account' ? rows[0] : rows;
    }
    return JSON.stringify(members).slice(0, -1);
  }

  async function* write(account: Account, rows: string, caller: Authority) {
    const trail = personalTables.find(({ name }) => name === 'audit');
    if (!trail) throw new Error('The list of personal data has no trail.');
    try {
      yield `${rows},"${trail.exported}":[`;
      yield* readEntries(account.id, trail, caller);
      yield ']}';
    } finally {
      underWay.forget(String(account.id));
    }
  }

  return {
    async exportOwn(owner, origin) {
      const account = await database.transaction(async (tx) => {
        const own = await ownerVerification.requireOwner(tx, owner);
        requireFirst(own.id);
        const user = { id: own.id, name: own.userName };
        const exported = { action: personActions.dataExported, outcome: 'success', user, origin } as const;
        await audit.recordRepeatable(owner.sessionId, exported, tx);
        return own;
      });
      return write(account, await readRows(account), owner);
    },

    async exportOther(id, by) {
      await management.manage(id, by, (tx, account) => {
        requireFirst(id);
        return management.record(tx, personActions.dataExported, account, by);
      });
      const account = await accounts.find(id);
      if (!account) throw accountErrors.notFound();
      return write(account, await readRows(account), by);
    },
  };
}

/** Leaves out the name and the place of an administrator who acted: they are the administrator's. */
function withoutOthers(id: number, entry: Record<string, unknown>) {
  const { details } = entry;
  if (typeof details !== 'object' || details === null || !('byId' in details)) return entry;
  const { byId, ...own } = details;
  if (typeof byId !== 'number' || byId === id) return entry;
  return { ...entry, ipAddress: null, userAgent: null, details: { ...own, by: 'administrator' } };
}
