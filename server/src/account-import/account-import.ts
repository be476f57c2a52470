// Account import: adds many accounts at once, as the system that they come from has them, and changes them later.

import { administrationActions } from '../account-changes/index.ts';
import type { Manager } from '../foundation/authority.ts';
import { accountSubject, subjectsOf } from '../lockout/index.ts';
import { roleKey } from '../roles/index.ts';
import type { Statements, Tx } from '../storage/database.ts';
import { findBrought, findDissent, noteBrought } from './consent.ts';
import {
  addedOutcome,
  createRememberedKeys,
  type DeletedAccount,
  findBelongings,
  findCollisions,
  type ImportedAccount,
  type ImportOutcome,
  keysOfImported,
  prepareImported,
  splitByKeys,
  takenOutcome,
  toNewAccount,
  withoutTakenIds,
} from './imported-account.ts';
import { createImportUpdate, type ImportDeps, type ImportOptions } from './update.ts';

export interface AccountImport {
  /** Unlike other accounts, a prepared one may share its mobile number. See {@link prepareImported}. */
  prepare(account: ImportedAccount): ImportedAccount;
  /** Keeps the ids up to this one for the accounts of the import: new accounts get ids above it. */
  reserveIds(highest: number): Promise<void>;
  /**
   * Imports prepared accounts. Adds the new ones in one transaction, each with an audit entry.
   * @returns the outcome of each.
   */
  import(batch: readonly ImportedAccount[], by: Manager): Promise<ImportOutcome[]>;
  /**
   * With `update`, deactivates accounts that were imported before and are deleted in the other system.
   * @returns the outcome of each that was imported and is active.
   */
  deactivate(deleted: readonly DeletedAccount[], by: Manager): Promise<Map<DeletedAccount, ImportOutcome>>;
}

const NO_PUBLIC_KEY =
  'passkeys: A public key is no COSE key of ES256, EdDSA or RS256. Leave it out, and let the owner register a new passkey.';

export function createAccountImport(deps: ImportDeps, options: ImportOptions): AccountImport {
  const { database, accounts, imports, phoneNumbers, roles, lockouts, pins, audit, clock } = deps;
  const { externalLoginStore, authenticators, passkeys } = deps;
  const updates = createImportUpdate(deps, options);
  /** The keys of this run's accounts, for a dry run, which stores none of them. */
  const rehearsed = createRememberedKeys();
  let reserved = 0;

  async function reserveIds(highest: number) {
    if (options.isDry || highest <= reserved) return;
    await imports.reserveIds(highest);
    reserved = highest;
  }

  /** Returns the refusal of a new account that brings what the importer has not agreed to. */
  function refuseByConsent({ given }: ImportedAccount): ImportOutcome | undefined {
    const brought = findBrought(roles, given.roleNames);
    noteBrought(options.notes, given.userName, brought);
    const dissent = findDissent(brought, options);
    return dissent && { done: 'refused', reasons: [dissent.details] };
  }

  /** Returns the refusal of a new account with a passkey that no browser could use. */
  async function refuseByPasskeys({ factors }: ImportedAccount): Promise<ImportOutcome | undefined> {
    for (const { publicKey } of factors.passkeys)
      if (!(await passkeys.isPublicKey(publicKey))) return { done: 'refused', reasons: [NO_PUBLIC_KEY] };
    return undefined;
  }

  /** Returns a function that says what an account brings that others have, or had until they were deleted, in words. */
  async function findTaken(on: Statements, batch: readonly ImportedAccount[]) {
    const logins = batch.flatMap(({ externalLogins }) => externalLogins);
    const ids = batch.flatMap(({ factors }) => factors.passkeys.map(({ credentialId }) => credentialId));
    return findBelongings({
      logins: await externalLoginStore.findAll(on, logins),
      credentialIds: ids.length === 0 ? [] : await passkeys.findRegistered(on, ids),
      retiredIds: await imports.findRetiredIds(
        on,
        batch.flatMap(({ identity }) => identity.id ?? []),
      ),
    });
  }

  async function completeAdded(tx: Tx, added: readonly { account: ImportedAccount; id: number }[], by: Manager) {
    const now = clock.now();
    await externalLoginStore.addAll(
      tx.sql,
      added.flatMap(({ account: { externalLogins }, id: accountId }) =>
        externalLogins.map((identity) => ({ ...identity, accountId, linkedAt: now })),
      ),
    );
    const apps = added.flatMap(({ account: { factors }, id: accountId }) =>
      factors.authenticator === null ? [] : [{ ...factors.authenticator, accountId }],
    );
    if (apps.length > 0) await authenticators.adopt(tx, apps);
    const keys = added.flatMap(({ account: { factors }, id: accountId }) =>
      factors.passkeys.map((passkey) => ({ ...passkey, accountId })),
    );
    if (keys.length > 0) await passkeys.adopt(tx, keys);
    for (const { account, id } of added) if (account.lock) await lockouts.adopt(tx, accountSubject(id), account.lock);
    await audit.recordAll(
      tx,
      added.map(({ account, id }) => ({
        action: administrationActions.created,
        outcome: 'success',
        user: { id, name: account.given.userName },
        origin: by.origin,
        details: { by: by.actor.name, byId: by.actor.id },
      })),
    );
  }

  /** An id may have belonged to an account that a former version deleted. Removes what is left of that one. */
  async function clearIds(tx: Tx, ids: readonly number[]) {
    if (ids.length === 0) return;
    await pins.revokeOfAccounts(tx, ids);
    await lockouts.forget(tx, ids.flatMap(subjectsOf));
  }

  /** Lines that were prepared together may name one new role in several spellings. */
  async function spellRoles(tx: Tx, batch: readonly ImportedAccount[]): Promise<ImportedAccount[]> {
    const stored = await roles.findIn(tx, [...new Set(batch.flatMap(({ given }) => given.roleNames ?? []))]);
    const spelling = new Map(stored.map(({ name }) => [roleKey(name), name]));
    return batch.map((account) => {
      const roleNames = account.given.roleNames?.map((name) => spelling.get(roleKey(name)) ?? name);
      return roleNames ? { ...account, given: { ...account.given, roleNames } } : account;
    });
  }

  async function addAll(tx: Tx, batch: readonly ImportedAccount[], by: Manager) {
    const outcomes = new Map<number, ImportOutcome>();
    await accounts.lockAccounts(tx.sql);
    await roles.register(tx, [...new Set(batch.flatMap(({ given }) => given.roleNames ?? []))]);
    const spelled = await spellRoles(tx, batch);
    let waiting = spelled.map((account, index) => ({ account, index }));
    while (waiting.length > 0) {
      const { round, later } = splitByKeys(waiting);
      const takenOf = await findTaken(
        tx.sql,
        round.map(({ account }) => account),
      );
      const free = round.filter(({ account }) => takenOf(account).length === 0);
      const ids = await accounts.addAll(
        tx.sql,
        free.map(({ account }) => toNewAccount(account)),
        clock.now(),
      );
      const idOf = new Map(free.map((entry, place) => [entry, ids[place]]));
      const kept = free.flatMap(({ account: { identity } }, place) =>
        identity.id !== undefined && ids[place] === identity.id ? [identity.id] : [],
      );
      await clearIds(tx, kept);
      const added = free.flatMap((entry) => {
        const id = idOf.get(entry);
        return id === undefined ? [] : [{ ...entry, id }];
      });
      await completeAdded(tx, added, by);
      const rejected = round.filter((entry) => idOf.get(entry) === undefined);
      const holders = await imports.findHolders(
        tx.sql,
        rejected.map(({ account }) => keysOfImported(account)),
      );
      const retried: typeof waiting = [];
      for (const entry of round) {
        const { account, index } = entry;
        const id = idOf.get(entry);
        if (id !== undefined) {
          outcomes.set(index, addedOutcome(batch[index] ?? account, account, id));
          continue;
        }
        const taken = [...findCollisions(account, holders), ...takenOf(account)];
        const other = options.renumber ? withoutTakenIds(account, taken) : undefined;
        if (other) retried.push({ account: other, index });
        else outcomes.set(index, takenOutcome(taken));
      }
      waiting = [...retried, ...later];
    }
    return batch.map((_, index) => outcomes.get(index) ?? takenOutcome([]));
  }

  async function rehearseAll(batch: readonly ImportedAccount[]): Promise<ImportOutcome[]> {
    const takenOf = await findTaken(database.sql, batch);
    const holders = await imports.findHolders(database.sql, batch.map(keysOfImported));
    return batch.map((account) => {
      const taken = [
        ...new Set([...findCollisions(account, holders), ...takenOf(account), ...rehearsed.find(account)]),
      ];
      const added = taken.length === 0 ? account : options.renumber ? withoutTakenIds(account, taken) : undefined;
      if (!added) return takenOutcome(taken);
      rehearsed.add(added);
      return addedOutcome(account, added, added.identity.id ?? null);
    });
  }

  return {
    prepare: (account) => prepareImported(account, { phoneNumbers, roles }),
    reserveIds,
    deactivate: updates.deactivate,

    async import(batch, by) {
      const outcomes = options.update ? await updates.update(batch, by) : new Map<ImportedAccount, ImportOutcome>();
      for (const account of batch.filter((one) => !outcomes.has(one))) {
        const refusal = refuseByConsent(account) ?? (await refuseByPasskeys(account));
        if (refusal) outcomes.set(account, refusal);
      }
      const fresh = batch.filter((account) => !outcomes.has(account));
      await reserveIds(Math.max(0, ...fresh.map(({ identity }) => identity.id ?? 0)));
      const added = options.isDry
        ? await rehearseAll(fresh)
        : await database.transaction((tx) => addAll(tx, fresh, by));
      for (const [index, account] of fresh.entries()) {
        const outcome = added[index] ?? takenOutcome([]);
        if (outcome.done === 'added') updates.remember(outcome.id);
        outcomes.set(account, outcome);
      }
      return batch.map((account) => outcomes.get(account) ?? takenOutcome([]));
    },
  };
}
