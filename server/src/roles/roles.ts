// The roles of this service and its applications: what each grants is data that administrators change at run time.
import { Equal } from 'typebox/value';
import type { Manager } from '../foundation/authority.ts';
import type { Clock } from '../foundation/clock.ts';
import { permissionErrors } from '../foundation/errors.ts';
import type { Occurrence } from '../foundation/events.ts';
import { coversAll } from '../foundation/permissions.ts';
import type { Database, Statements, Tx } from '../storage/database.ts';
import { roleActions, roleErrors } from './declarations.ts';
import { builtInPermissions, builtInRoles, permissionsOf, type Role, roleKey } from './role.ts';
import type { RoleInput, RoleStore } from './store.sql.ts';

const TOPIC = 'roles';

/** Changes to a role. An empty display name stands for the name. */
export type RoleChanges = Partial<Pick<Role, 'displayName' | 'description' | 'permissions'>>;

type WhenDeleted = (tx: Tx, isRole: (name: string) => boolean) => Promise<void>;

type OfAccounts = (tx: Tx, accountIds: readonly number[]) => Promise<void>;

export interface Roles {
  /** Reads all roles, now and after each change on any node. */
  load(): Promise<void>;
  /** All roles, the built-in ones first. At most two seconds old. */
  list(): readonly Role[];
  /** Returns all roles as stored now, or as the transaction sees them, in the order in which they were added. */
  listStored(tx?: Tx): Promise<Role[]>;
  /** What these roles grant together. At most two seconds old: good for telling, not for deciding. */
  permissionsOf(names: readonly string[]): string[];
  /** Reads all roles as stored now. @returns a function that tells what some of them grant together. */
  readAll(): Promise<(names: readonly string[]) => string[]>;
  /** What these roles grant together, as stored now. */
  readPermissions(names: readonly string[]): Promise<string[]>;
  /** Likewise in a transaction. A change of these roles waits until it ends, unless `holds` is false. */
  permissionsIn(tx: Tx, names: readonly string[], holds?: boolean): Promise<string[]>;
  /**
   * Requires that the permissions `held` are everything that the roles `wanted` grant. Roles that are new here grant nothing.
   * @throws AuthError `permission.denied`.
   */
  requireCovered(tx: Tx, held: readonly string[], wanted: readonly string[]): Promise<void>;
  /** Whether these roles grant a permission of this service. At most two seconds old. */
  grantPermissions(names: readonly string[]): boolean;
  /** Whether the name, in any spelling, is one of these. */
  isIn(name: string, names: readonly string[]): boolean;
  /** The names, each once, in the spelling of the role. */
  spell(names: readonly string[]): string[];
  /** Returns the role of this name, in any spelling, as stored now. A change of it waits until the transaction ends. */
  hold(tx: Tx, name: string): Promise<Role | undefined>;
  /** Returns the roles of these names, in any spelling, as the transaction sees them. */
  findIn(tx: Tx, names: readonly string[]): Promise<readonly Role[]>;
  /** Returns how many accounts have each role that any account has, by {@link roleKey}. */
  countAccounts(): Promise<ReadonlyMap<string, number>>;
  /** The names, each once, that no role has. At most two seconds old. */
  findMissing(names: readonly string[]): string[];
  /**
   * Returns all roles as the transaction sees them. No other one adds or changes a role until it ends.
   * @param forChange whether this one changes some: then no other one uses a role either.
   */
  lockAll(tx: Tx, forChange?: boolean): Promise<Role[]>;
  /** Adds the roles that do not exist yet: they grant nothing. @returns the names, each once, in the spelling of the role. */
  register(tx: Tx, names: readonly string[]): Promise<string[]>;
  /**
   * Calls the listener in the transaction in which a role that granted nothing begins to grant permissions.
   * @param listener gets the accounts that have the role.
   */
  whenGranted(listener: OfAccounts): void;
  /** Calls the listener in each transaction in which the roles of accounts change, with those accounts. */
  whenReassigned(listener: OfAccounts): void;
  /** Calls the listener in the transaction that deletes a role. It gets what tells whether a name, in any spelling, is the role's. */
  whenDeleted(listener: WhenDeleted): void;
  /** Calls the listeners of `whenReassigned`. A transaction that gives an account other roles calls it after it has stored them. */
  tellReassigned: OfAccounts;
  /**
   * Adds a role. Like the other changes, it concerns only permissions that `by` holds.
   * @throws AuthError `role.duplicate`, `permission.denied` and the errors of {@link Manager.authorize}.
   */
  create(role: RoleInput, by: Manager): Promise<Role>;
  /**
   * Changes a role. Absent members stay as they are. So does the name, because accounts have it.
   * @throws AuthError `role.notFound`, `permission.denied` and the errors of {@link Manager.authorize}.
   */
  update(id: number, changes: RoleChanges, by: Manager): Promise<Role>;
  /**
   * Deletes a role and takes it from all accounts: a later role of its name must not be theirs.
   * @throws AuthError `role.notFound`, `role.protected`, `permission.denied` and the errors of {@link Manager.authorize}.
   */
  delete(id: number, by: Manager): Promise<void>;
}

export function createRoles(deps: {
  database: Database;
  store: RoleStore;
  accounts: {
    /**
     * Waits for other transactions that lock several accounts and roles. `authorize` holds the roles of its caller, so
     * that two callers who change each other's account or role would deadlock.
     */
    lockAccounts(on: Statements): Promise<void>;
    /** Takes a role from all accounts. */
    removeRole(on: Statements, isRole: (name: string) => boolean): Promise<void>;
    /** Returns the ids of the accounts that have a role. */
    findByRoles(on: Statements, match: (roleNames: readonly string[]) => boolean): Promise<number[]>;
    /** Returns the lists of roles that accounts have, and how many accounts have each. */
    countByRoles(): Promise<{ roleNames: readonly string[]; count: number }[]>;
  };
  record: (tx: Tx, occurrence: Occurrence) => Promise<void>;
  clock: Clock;
}): Roles {
  const { database, store, accounts, record, clock } = deps;
  let all: readonly Role[] = [];
  let byKey = new Map<string, Role>();
  const listeners: OfAccounts[] = [];
  const reassignedListeners: OfAccounts[] = [];
  const deletedListeners: WhenDeleted[] = [];

  async function reload() {
    all = await store.readAll(database.sql);
    byKey = toMap(all);
  }

  const toMap = (roles: readonly Role[]) => new Map(roles.map((role) => [roleKey(role.name), role]));
  const isIn = (name: string, names: readonly string[]) => names.some((one) => roleKey(one) === roleKey(name));

  const granted = (names: readonly string[], stored: readonly Role[]) => [
    ...new Set([...names.flatMap(builtInPermissions), ...stored.flatMap(permissionsOf)]),
  ];

  const findMissing = (names: readonly string[], known: ReadonlyMap<string, Role> = byKey) =>
    [...Map.groupBy(names, roleKey)].flatMap(([key, [name = '']]) => (known.has(key) ? [] : [name]));

  const spell = (names: readonly string[], known: ReadonlyMap<string, Role> = byKey) =>
    [...Map.groupBy(names, roleKey)].map(([key, [name = '']]) => known.get(key)?.name ?? name);

  const permissionsIn = async (tx: Tx, names: readonly string[], holds = true) =>
    granted(names, await (holds ? store.holdByNames(tx.sql, names) : store.findByNames(tx.sql, names)));

  /**
   * Changes one role after another, so that other nodes read them again, and records what was done.
   * @param work passes the role to `requireCovered` as it was and as it becomes. It returns whether anything changed.
   */
  async function change(
    by: Manager,
    action: keyof typeof roleActions,
    work: (tx: Tx, requireCovered: (role: RoleInput) => void) => Promise<{ role: Role; isChanged: boolean }>,
  ): Promise<Role> {
    return database.transaction(async (tx) => {
      await accounts.lockAccounts(tx.sql);
      const held = await by.authorize(tx);
      const { role, isChanged } = await work(tx, (touched) => {
        if (!coversAll(held, permissionsOf(touched))) throw permissionErrors.denied();
      });
      if (!isChanged) return role;
      // Last, like in `register`: transactions that lock a role and the topic lock them in this order.
      await tx.announce(TOPIC);
      const details = { role: role.name, permissions: permissionsOf(role) };
      const { actor: user, origin } = by;
      await record(tx, { action: roleActions[action], outcome: 'success', user, origin, details });
      return role;
    }, by);
  }

  const byName = (stored: ReadonlyMap<string, Role>) => (names: readonly string[]) =>
    granted(
      names,
      names.flatMap((name) => stored.get(roleKey(name)) ?? []),
    );
  const permissionsOfNames = (names: readonly string[]) => byName(byKey)(names);

  async function tellGranted(tx: Tx, { name }: RoleInput) {
    const holders = await accounts.findByRoles(tx.sql, (names) => isIn(name, names));
    for (const listener of listeners) await listener(tx, holders);
  }

  async function tellReassigned(tx: Tx, accountIds: readonly number[]) {
    for (const listener of reassignedListeners) await listener(tx, accountIds);
  }

  async function requireRole(tx: Tx, id: number): Promise<Role> {
    const role = await store.find(tx.sql, id);
    if (!role) throw roleErrors.notFound();
    return role;
  }

  return {
    load: () => database.watch(TOPIC, reload),
    list: () => all,
    listStored: (tx) => store.readAll((tx ?? database).sql),

    permissionsOf: permissionsOfNames,
    readAll: async () => byName(toMap(await store.readAll(database.sql))),
    readPermissions: async (names) => granted(names, await store.findByNames(database.sql, names)),
    permissionsIn,
    async requireCovered(tx, held, wanted) {
      if (!coversAll(held, await permissionsIn(tx, wanted))) throw permissionErrors.denied();
    },
    grantPermissions: (names) => !coversAll([], permissionsOfNames(names)),

    whenGranted: (listener) => void listeners.push(listener),
    hold: async (tx, name) => (await store.holdByNames(tx.sql, [name]))[0],
    whenDeleted: (listener) => void deletedListeners.push(listener),
    whenReassigned: (listener) => void reassignedListeners.push(listener),
    tellReassigned,

    isIn,

    spell,

    findMissing,

    async countAccounts() {
      const counts = new Map<string, number>();
      for (const { roleNames, count } of await accounts.countByRoles()) {
        for (const key of new Set(roleNames.map(roleKey))) counts.set(key, (counts.get(key) ?? 0) + count);
      }
      return counts;
    },

    findIn: (tx, names) => store.findByNames(tx.sql, names),

    async lockAll(tx, forChange = false) {
      await accounts.lockAccounts(tx.sql);
      return store.lockAll(tx.sql, forChange);
    },

    async register(tx, names) {
      // As stored: a role that was deleted a moment ago may still be in memory.
      const stored = toMap(await store.findByNames(tx.sql, names));
      const missing = findMissing(names, stored);
      if (missing.length === 0) return spell(names, stored);
      // Sorted: two transactions that add the same names in different orders would deadlock.
      for (const name of missing.toSorted((one, other) => (roleKey(one) < roleKey(other) ? -1 : 1))) {
        await store.add(tx.sql, { name, displayName: name, description: '', permissions: [] }, clock.now());
      }
      await tx.announce(TOPIC);
      // Another transaction may have added one in another spelling at the same moment.
      return spell(names, toMap(await store.findByNames(tx.sql, names)));
    },

    create: (role, by) =>
      change(by, 'created', async (tx, requireCovered) => {
        requireCovered(role);
        const id = await store.add(tx.sql, role, clock.now());
        if (id === undefined) throw roleErrors.duplicate();
        return { role: { id, ...role }, isChanged: true };
      }),

    update: (id, changes, by) =>
      change(by, 'updated', async (tx, requireCovered) => {
        const before = await requireRole(tx, id);
        const changed = { ...before, ...changes };
        const role = { ...changed, displayName: changed.displayName || before.name };
        requireCovered(before);
        requireCovered(role);
        const isFirstGrant = permissionsOf(before).length === 0 && permissionsOf(role).length > 0;
        // Sessions before roles, like a refresh: the other order would deadlock with it. And again for those opened meanwhile.
        if (isFirstGrant) await tellGranted(tx, role);
        await store.replace(tx.sql, role);
        if (isFirstGrant) await tellGranted(tx, role);
        return { role, isChanged: !Equal(role, before) };
      }),

    async delete(id, by) {
      await change(by, 'deleted', async (tx, requireCovered) => {
        const role = await requireRole(tx, id);
        if (builtInRoles.includes(role.name)) throw roleErrors.protected();
        requireCovered(role);
        // Accounts before roles, like `authorize`: the other order would deadlock with it.
        const isRole = (name: string) => isIn(name, [role.name]);
        const holders = await accounts.findByRoles(tx.sql, (names) => names.some(isRole));
        await accounts.removeRole(tx.sql, isRole);
        await tellReassigned(tx, holders);
        for (const listener of deletedListeners) await listener(tx, isRole);
        await store.delete(tx.sql, id);
        return { role: { ...role, permissions: [] }, isChanged: true };
      });
    },
  };
}
