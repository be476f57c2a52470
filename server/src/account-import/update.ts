// Updates by an import: changes accounts that were imported before, and no others.
import { formatNames } from 'latchkey-user-files/names';
import {
  administrationActions,
  type ChangedBy,
  changedByAdministratorMessage,
  checkInput,
  createApplyChanges,
  createManagement,
  describeChanges,
  findChanged,
  mergeChanges,
} from '../account-changes/index.ts';
import {
  type Account,
  type AccountImportStore,
  type AccountKeys,
  type AccountStore,
  accountErrors,
  compareImportedPassword,
  type PhoneNumbers,
  type StoredKeys,
} from '../accounts/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { SecondFactors } from '../authentication/index.ts';
import type { ExternalIdentity, ExternalLoginStore } from '../external-logins/index.ts';
import type { Authenticators, Passkeys } from '../factors/index.ts';
import type { Manager } from '../foundation/authority.ts';
import type { Clock } from '../foundation/clock.ts';
import { isRefusal } from '../foundation/errors.ts';
import type { Lockouts } from '../lockout/index.ts';
import type { NotifyOwner } from '../owner-notices/index.ts';
import type { OneTimeSecrets, Pins } from '../proofs/index.ts';
import type { Roles } from '../roles/index.ts';
import type { SecurityAnswers } from '../security-questions/index.ts';
import type { CanSignIn } from '../sign-in-ways/index.ts';
import type { Database, Statements, Tx } from '../storage/database.ts';
import type { Sessions } from '../tokens/index.ts';
import { reasonsOf } from './columns.ts';
import { type BroughtNotes, type Consent, findBrought, findDissent, noteBrought } from './consent.ts';
import {
  type DeletedAccount,
  findCollisions,
  type ImportedAccount,
  type ImportOutcome,
  keysOfImported,
  takenOutcome,
  wordsOf,
} from './imported-account.ts';

export type ImportOptions = Consent & {
  /** Gets what the accounts bring that needs consent. */
  readonly notes: BroughtNotes;
  /** Changes accounts that were imported before. Without it they are taken. */
  readonly update: boolean;
  /** Gives an account another id if its own is taken. */
  readonly renumber: boolean;
  /** Lets an update replace a password that was changed here since the import. */
  readonly overwritePasswords: boolean;
  /** Changes nothing, and tells what would happen. Keeps up to 500 bytes for each account. */
  readonly isDry: boolean;
};

export type ImportDeps = {
  database: Database;
  accounts: AccountStore;
  imports: AccountImportStore;
  externalLoginStore: ExternalLoginStore;
  authenticators: Authenticators;
  passkeys: Passkeys;
  phoneNumbers: PhoneNumbers;
  roles: Roles;
  lockouts: Lockouts;
  pins: Pins;
  sessions: Sessions;
  canSignIn: CanSignIn;
  notifyOwner: NotifyOwner;
  oneTimeSecrets: OneTimeSecrets;
  secondFactors: SecondFactors;
  answers: SecurityAnswers;
  audit: AuditTrail;
  clock: Clock;
};

/** Rolls the transaction of a dry run back. */
class Rehearsed extends Error {
  readonly outcome: ImportOutcome;
  constructor(outcome: ImportOutcome) {
    super('A dry run changes nothing.');
    this.outcome = outcome;
  }
}

const NAME_OF_ANOTHER =
  'The id belongs to one imported account, and the user name to another one. If the file is of another system, add --renumber.';

/** Systems count their users from 1, so that the same id in another system is another person. */
const ONLY_ID =
  'Only the id is that of an imported account: user name, e-mail address, person id and external logins differ. If the file is of another system, add --renumber.';

/** Ids of other systems are kept as external logins with the names of these. */
const systems: ReadonlySet<string> = new Set(formatNames);

const NAME_OF_ANOTHER_PERSON =
  'The user name belongs to an imported account that has another id in the other system. If that person has a new name there, import again. If the file is of another system, add --renumber.';

const RENAME = 'If it is the same person, give the account the new user name here, and import again.';
const DEACTIVATE = 'If it is the same person, deactivate the account here.';

/** Whether this is an id that no account can have. One that is a number says no more than the account's own. */
const isFormerId = ({ provider, providerKey }: ExternalIdentity) => systems.has(provider) && !/^\d+$/.test(providerKey);

const isImported = ({ mark }: StoredKeys) => mark !== null;

/** The keys by which the store finds one account by its id. */
const onlyId = (id: number): AccountKeys => ({ id, userName: '', emailAddress: null });

const refuse = (...sentences: string[]): ImportOutcome => ({ done: 'refused', reasons: [sentences.join(' ')] });

export function createImportUpdate(deps: ImportDeps, options: ImportOptions) {
  const { database, accounts, imports, externalLoginStore, phoneNumbers, roles, sessions, notifyOwner, clock } = deps;
  const { authenticators, passkeys, answers } = deps;
  const { manage, record } = createManagement(deps);
  const applyChanges = createApplyChanges(deps);
  /** Accounts that this run has added or changed: a second line for one of them is refused. */
  const seen = new Set<number>();

  function rollBackIfDry(outcome: ImportOutcome) {
    if (options.isDry) throw new Rehearsed(outcome);
  }

  /** Finds the account by its id, else by user name. @returns the refusal if these are of two persons. */
  async function findMatch(
    account: ImportedAccount,
    holders: readonly StoredKeys[],
  ): Promise<StoredKeys | ImportOutcome | undefined> {
    const keys = keysOfImported(account);
    const { externalLogins } = account;
    const imported = holders.filter(isImported);
    const byId = options.renumber ? undefined : imported.find((holder) => holder.id === keys.id);
    const byName = imported.find((holder) => holder.userName === keys.userName);
    if (!byId) return (await findByFormerId(externalLogins)) ?? (byName && matchByName(byName, account));
    if (byId === byName) return byName;
    if (byName) return refuse(NAME_OF_ANOTHER);
    const isSame = await isSamePerson(database.sql, byId, { keys, externalLogins });
    return isSame ? byId : refuse(ONLY_ID, RENAME);
  }

  /** Returns the imported account that one of these is the former id of. */
  async function findByFormerId(logins: readonly ExternalIdentity[]): Promise<StoredKeys | undefined> {
    for (const login of logins.filter(isFormerId)) {
      const id = await externalLoginStore.find(database.sql, login);
      const holders = id === undefined ? [] : await imports.findHolders(database.sql, [onlyId(id)]);
      const holder = holders.find(isImported);
      if (holder) return holder;
    }
    return undefined;
  }

  /** Returns the account that has the user name, or a refusal if its id in the other system is not the one of the line. */
  async function matchByName(byName: StoredKeys, { identity, externalLogins }: ImportedAccount) {
    const hasOtherNumber = !options.renumber && identity.id !== undefined && identity.id !== byName.id;
    if (hasOtherNumber) return refuse(NAME_OF_ANOTHER_PERSON);
    const given = new Set(externalLogins.filter(isFormerId).map(({ provider }) => provider));
    if (given.size === 0) return byName;
    const held = (await externalLoginStore.list(database.sql, byName.id)).filter(isFormerId);
    return held.some(({ provider }) => given.has(provider)) ? refuse(NAME_OF_ANOTHER_PERSON) : byName;
  }

  /** Whether the holder of an id has another of these keys, or one of the external logins. */
  async function isSamePerson(
    on: Statements,
    holder: StoredKeys,
    { keys, externalLogins }: { keys: AccountKeys; externalLogins: readonly ExternalIdentity[] },
  ): Promise<boolean> {
    const { personId, userName, emailAddress } = keys;
    if (holder.userName === userName || holder.personId === personId) return true;
    if (emailAddress !== null && holder.emailAddress === emailAddress) return true;
    for (const identity of externalLogins) {
      if ((await externalLoginStore.find(on, identity)) === holder.id) return true;
    }
    return false;
  }

  /** Changes what the account keeps of its former system. @returns the names of the changed members. */
  async function updateIdentity(tx: Tx, stored: Account, { identity }: ImportedAccount) {
    const { personId, createdAt, lastSignInAt } = identity;
    const changes = {
      ...(personId !== undefined && personId !== stored.personId && { personId }),
      ...(createdAt !== undefined && createdAt !== stored.createdAt && { createdAt }),
      ...(lastSignInAt !== undefined && lastSignInAt > (stored.lastSignInAt ?? 0) && { lastSignInAt }),
    };
    await imports.setIdentity(tx.sql, stored.id, changes);
    return Object.keys(changes);
  }

  async function linkLogins(tx: Tx, stored: Account, { externalLogins }: ImportedAccount) {
    const { id } = stored;
    const providers = new Set<string>();
    for (const identity of externalLogins) {
      const holder = await externalLoginStore.find(tx.sql, identity);
      if (holder === id) continue;
      const isLinked =
        holder === undefined &&
        (await externalLoginStore.add(tx.sql, { ...identity, accountId: id, linkedAt: clock.now() }));
      if (!isLinked) throw accountErrors.duplicate();
      providers.add(identity.provider);
    }
    if (providers.size === 0) return [];
    const change = `An administrator linked a sign-in with ${[...providers].join(', ')}.`;
    await notifyOwner(tx, stored, changedByAdministratorMessage, { values: { change } });
    return ['externalLogins'];
  }

  /** Sets the password of the import, unless the account has it or the owner has changed it since the last import. */
  async function updatePassword(tx: Tx, stored: Account, mustChange: boolean, hash: string | null) {
    const [holder] = await imports.findHolders(tx.sql, [onlyId(stored.id)]);
    const compared = compareImportedPassword(holder?.mark ?? null, hash);
    if (hash === null || compared === 'same') return 'same';
    if (compared === 'changed' && !options.overwritePasswords) return 'kept';
    await accounts.setPassword(tx.sql, stored.id, { hash, mustChange }, clock.now());
    await imports.markPassword(tx.sql, stored.id, hash);
    await sessions.endOfAccount(tx, stored.id);
    // An attacker who knew the old password may have set them.
    await answers.delete(tx, stored.id);
    await notifyOwner(tx, stored, changedByAdministratorMessage);
    return 'set';
  }

  /** Whether the import brings factors and the account has none: its owner may have removed them, so only new accounts get them. */
  async function leavesOutFactors(tx: Tx, id: number, { factors }: ImportedAccount) {
    if (factors.authenticator === null && factors.passkeys.length === 0) return false;
    const owners = [await authenticators.findOwners(tx.sql, [id]), await passkeys.findOwners(tx.sql, [id])];
    return owners.flat().length === 0;
  }

  async function updateOne(id: number, account: ImportedAccount, by: Manager): Promise<ImportOutcome> {
    const change = async (tx: Tx, stored: Account, held: ChangedBy['held']): Promise<ImportOutcome> => {
      let wanted = checkInput(mergeChanges(stored, account.given, phoneNumbers), { phoneNumbers, roles }, stored);
      const isActivated = wanted.isActive && !stored.isActive;
      const brought = findBrought(roles, wanted.roleNames, isActivated ? [] : stored.roleNames);
      noteBrought(options.notes, wanted.userName, brought);
      const dissent = findDissent(brought, options);
      if (dissent) throw dissent;
      if (account.given.roleNames) wanted = { ...wanted, roleNames: await roles.register(tx, wanted.roleNames) };
      if (findChanged(stored, wanted).length > 0) wanted = await applyChanges(tx, stored, wanted, { by, held });
      const password = await updatePassword(tx, stored, wanted.mustChangePassword, account.passwordHash);
      const changed = [
        ...findChanged(stored, wanted),
        ...(await updateIdentity(tx, stored, account)),
        ...(await linkLogins(tx, { ...stored, userName: wanted.userName }, account)),
        ...(password === 'set' ? ['password'] : []),
      ];
      const keepsPassword = password === 'kept';
      if (changed.length > 0) {
        const details = { changed, changes: describeChanges(stored, wanted) };
        await record(tx, administrationActions.updated, { id, userName: wanted.userName }, by, details);
      }
      const leavesFactors = await leavesOutFactors(tx, id, account);
      return { done: changed.length === 0 ? 'unchanged' : 'updated', keepsPassword, leavesFactors };
    };
    return manage(id, by, change, rollBackIfDry);
  }

  async function deactivateOne(holder: StoredKeys, deleted: DeletedAccount, by: Manager): Promise<ImportOutcome> {
    const { id } = holder;
    const change = async (tx: Tx, stored: Account, held: ChangedBy['held']): Promise<ImportOutcome> => {
      if (!stored.isActive) return { done: 'unchanged', keepsPassword: false };
      if (!(await isSamePerson(tx.sql, holder, deleted))) return refuse(ONLY_ID, DEACTIVATE);
      const wanted = await applyChanges(tx, stored, { ...stored, isActive: false }, { by, held });
      const details = { changed: ['isActive'], changes: describeChanges(stored, wanted) };
      await record(tx, administrationActions.updated, { id, userName: stored.userName }, by, details);
      return { done: 'updated', keepsPassword: false };
    };
    return manage(id, by, change, rollBackIfDry);
  }

  async function explain(error: unknown, id: number, account?: ImportedAccount): Promise<ImportOutcome> {
    if (error instanceof Rehearsed) return error.outcome;
    if (!isRefusal(error)) throw error;
    if (!account || error.reason !== accountErrors.duplicate.reason) {
      return { done: 'refused', reasons: reasonsOf(error) };
    }
    const holders = await imports.findHolders(database.sql, [keysOfImported(account)]);
    const taken = findCollisions(
      account,
      holders.filter((holder) => holder.id !== id),
    );
    for (const identity of account.externalLogins) {
      const holder = (await externalLoginStore.find(database.sql, identity)) ?? id;
      if (holder !== id) taken.push(wordsOf(identity));
    }
    return takenOutcome(taken);
  }

  return {
    /** Updates each account that was imported before. @returns the outcomes; new accounts have none. */
    async update(batch: readonly ImportedAccount[], by: Manager): Promise<Map<ImportedAccount, ImportOutcome>> {
      const holders = await imports.findHolders(database.sql, batch.map(keysOfImported));
      const outcomes = new Map<ImportedAccount, ImportOutcome>();
      for (const account of batch) {
        const match = await findMatch(account, holders);
        if (match === undefined) continue;
        if ('done' in match) outcomes.set(account, match);
        else if (seen.has(match.id)) outcomes.set(account, takenOutcome(findCollisions(account, [match])));
        else {
          const { id } = match;
          const outcome = await updateOne(id, account, by).catch((error) => explain(error, id, account));
          if (outcome.done !== 'refused') seen.add(id);
          outcomes.set(account, outcome);
        }
      }
      return outcomes;
    },
    /**
     * Deactivates accounts that were imported before and are deleted in the other system. Finds them by their id there, because
     * another account may have the user name by now.
     * @returns the outcome of each that was imported and is active.
     */
    async deactivate(deleted: readonly DeletedAccount[], by: Manager): Promise<Map<DeletedAccount, ImportOutcome>> {
      const outcomes = new Map<DeletedAccount, ImportOutcome>();
      if (!options.update) return outcomes;
      const holders = await imports.findHolders(
        database.sql,
        deleted.map(({ keys }) => keys),
      );
      for (const one of deleted) {
        const isHolder = (holder: StoredKeys) => holder.id === one.keys.id && isImported(holder);
        // With new numbers, an id may stand for another account.
        const byId = options.renumber ? undefined : holders.find(isHolder);
        const holder = byId ?? (await findByFormerId(one.externalLogins));
        if (!holder || seen.has(holder.id)) continue;
        const outcome = await deactivateOne(holder, one, by).catch((error) => explain(error, holder.id));
        if (outcome.done !== 'refused') seen.add(holder.id);
        if (outcome.done !== 'unchanged') outcomes.set(one, outcome);
      }
      return outcomes;
    },
    /** Remembers an account that this run has added. */
    remember(id: number | null) {
      if (id !== null && options.update) seen.add(id);
    },
  };
}
