// The roles of this service and its applications: what each grants is data that administrators change at run time.
import type { Manager } from '../foundation/authority.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Occurrence } from '../foundation/events.ts';
import type { Database, Tx } from '../storage/database.ts';
import { roleErrors } from './errors.ts';
import { roleActions } from './events.ts';
import { builtInPermissions, builtInRoles, permissionsOf, type Role, roleKey } from './role.ts';
import type { RoleInput, RoleStore } from './store.ts';

const TOPIC = 'roles';

export interface Roles {
  /** Reads all roles, now and after each change on any node. */
  load(): Promise<void>;
  /** All roles, the built-in ones first. At most two seconds old. */
  list(): readonly Role[];
  /** What these roles grant together. At most two seconds old: good for telling, not for deciding. */
  permissionsOf(names: readonly string[]): string[];
  /** What these roles grant together, as the transaction sees it. */
  permissionsIn(tx: Tx, names: readonly string[]): Promise<string[]>;
  /** Whether the name, in any spelling, is one of these. */
  isIn(name: string, names: readonly string[]): boolean;
  /** The names, each once, in the spelling of the role. */
  spell(names: readonly string[]): string[];
  /** Adds the roles that do not exist yet: they grant nothing. */
  register(tx: Tx, names: readonly string[]): Promise<void>;
  /** @throws AuthError `role.duplicate` and the errors of {@link Manager.authorize}. */
  create(role: RoleInput, by: Manager): Promise<Role>;
  /** Accounts keep the role's name, so that it cannot change. @throws AuthError `role.notFound`. */
  update(role: Omit<Role, 'name'>, by: Manager): Promise<Role>;
  /** @throws AuthError `role.notFound`, `role.protected`. */
  delete(id: number, by: Manager): Promise<void>;
}

export function createRoles(deps: {
  database: Database;
  store: RoleStore;
  record: (tx: Tx, occurrence: Occurrence) => Promise<void>;
  clock: Clock;
}): Roles {
  const { database, store, record, clock } = deps;
  let all: readonly Role[] = [];
  let byKey = new Map<string, Role>();

  async function reload() {
    all = await store.readAll(database.sql);
    byKey = new Map(all.map((role) => [roleKey(role.name), role]));
  }

  /** Changes roles, so that other nodes read them again, and records what was done. */
  async function change(by: Manager, action: keyof typeof roleActions, work: (tx: Tx) => Promise<Role>): Promise<Role> {
    return database.transaction(async (tx) => {
      await by.authorize(tx);
      await tx.announce(TOPIC);
      const role = await work(tx);
      const details = { role: role.name, permissions: permissionsOf(role) };
      const { actor: user, origin } = by;
      await record(tx, { action: roleActions[action], outcome: 'success', user, origin, details });
      return role;
    });
  }

  async function requireRole(tx: Tx, id: number): Promise<Role> {
    const role = await store.find(tx.sql, id);
    if (!role) throw roleErrors.notFound();
    return role;
  }

  return {
    load: () => database.watch(TOPIC, reload),
    list: () => all,

    permissionsOf(names) {
      const granted = names.flatMap((name) => permissionsOf(byKey.get(roleKey(name)) ?? { name, permissions: [] }));
      return [...new Set(granted)];
    },

    async permissionsIn(tx, names) {
      const stored = await store.findByNames(tx.sql, names);
      return [...new Set([...names.flatMap(builtInPermissions), ...stored.flatMap(permissionsOf)])];
    },

    isIn: (name, names) => names.some((one) => roleKey(one) === roleKey(name)),

    spell: (names) => [...new Set(names.map((name) => byKey.get(roleKey(name))?.name ?? name))],

    async register(tx, names) {
      const missing = names.filter((name) => !byKey.has(roleKey(name)));
      if (missing.length === 0) return;
      await tx.announce(TOPIC);
      for (const name of missing) {
        await store.add(tx.sql, { name, displayName: name, description: '', permissions: [] }, clock.now());
      }
    },

    create: (role, by) =>
      change(by, 'created', async (tx) => {
        const id = await store.add(tx.sql, role, clock.now());
        if (id === undefined) throw roleErrors.duplicate();
        return { id, ...role };
      }),

    update: (role, by) =>
      change(by, 'updated', async (tx) => {
        const { name } = await requireRole(tx, role.id);
        await store.replace(tx.sql, role);
        return { ...role, name };
      }),

    async delete(id, by) {
      await change(by, 'deleted', async (tx) => {
        const role = await requireRole(tx, id);
        if (builtInRoles.includes(role.name)) throw roleErrors.protected();
        await store.delete(tx.sql, id);
        return { ...role, permissions: [] };
      });
    },
  };
}
