// Service keys: other services authenticate with them to introspect tokens, and to follow revocations and the audit trail.
import type { Manager, Permitted } from '../foundation/authority.ts';
import type { Clock } from '../foundation/clock.ts';
import { invalidMember, permissionErrors, UniqueViolation } from '../foundation/errors.ts';
import type { Actor, Occurrence } from '../foundation/events.ts';
import { coversAll, type Permission } from '../foundation/permissions.ts';
import type { Random } from '../foundation/random.ts';
import type { Secrets } from '../foundation/secrets.ts';
import type { Database, Tx } from '../storage/database.ts';
import { serviceKeyActions, serviceKeyErrors } from './declarations.ts';
import {
  formatServiceKey,
  isServiceKey,
  isUseDue,
  managing,
  requireUsable,
  SERVICE_KEY_BYTES,
  type ServiceKey,
  type ServiceKeyInput,
  type ServiceKeyPermission,
} from './service-key.ts';
import type { ServiceKeyStore, StoredServiceKey } from './store.sql.ts';

const TOPIC = 'service-keys';

const KEY_FORM =
  'A service key is lks_ and 43 characters of base64url: 32 random bytes. "openssl rand -base64 32" makes them; write - for +, _ for /, and leave out the =.';

/** The label of the keyed hashes. */
const MAC_LABEL = 'service-key';

/** The key that a request was authenticated with. */
export type AuthenticatedKey = ServiceKey & {
  /**
   * Calls `end` once when the key is withdrawn on any node, within two seconds. For answers that last, such as streams.
   * @returns a function that stops watching.
   */
  whenWithdrawn(end: () => void): Promise<() => void>;
};

export interface ServiceKeys {
  /** Reads the keys in use, now and after each change on any node, so that withdrawals are noticed. */
  load(): Promise<void>;
  /**
   * Makes a key.
   * @returns the key. It is shown once: the service stores only its keyed hash.
   * @throws AuthError `serviceKey.duplicate` if another key in use has this name, `permission.denied` if the key would manage with
   *   more permissions than `by` holds, `request.invalid`.
   */
  create(input: ServiceKeyInput, by: Manager): Promise<string>;
  /**
   * Waits for the transactions in which keys act. Until this one ends, others wait to do so. A transaction that withdraws keys
   * after other changes calls it before them, and after `lockAccounts`.
   */
  lock(tx: Tx): Promise<void>;
  /** Returns the keys in use, the oldest first. @param tx a transaction, until whose end no other one changes them. */
  list(tx?: Tx): Promise<ServiceKey[]>;
  /** Returns a text for each that changes with its key and reveals nothing of it, by name. */
  readSecretMarks(tx: Tx): Promise<ReadonlyMap<string, string>>;
  /** Whether this is the key in use with this name, as stored now. */
  isKey(tx: Tx, name: string, key: string): Promise<boolean>;
  /** Makes a key invalid at once, on every node. @throws AuthError `serviceKey.notFound`. */
  withdraw(name: string, by: Manager): Promise<void>;
  /**
   * Returns the key that a request was authenticated with, and records its use.
   * @throws AuthError `serviceKey.invalid`, `serviceKey.forbidden` if it lacks the permission.
   */
  authenticate(key: string | undefined, permission: ServiceKeyPermission): Promise<AuthenticatedKey>;
  /**
   * Returns the key as a caller that manages, and records its use. Undefined if the text is no key in use that manages.
   * @throws AuthError `permission.denied` if it lacks the permission.
   */
  findManager(key: string, permission: Permission): Promise<Permitted | undefined>;
}

export function createServiceKeys(deps: {
  database: Database;
  store: ServiceKeyStore;
  record: (tx: Tx, occurrence: Occurrence) => Promise<void>;
  secrets: Secrets;
  clock: Clock;
  random: Random;
  /** Receives why the use of a key could not be recorded. The call with the key goes on. */
  onError: (error: unknown) => void;
}): ServiceKeys {
  const { database, store, record, secrets, clock, random, onError } = deps;
  const macOf = (key: string) => secrets.mac(MAC_LABEL, key);
  const watchers = new Map<object, { mac: string; end: () => void }>();
  /** When this node last recorded, or tried to record, a use of each key. */
  const uses = new Map<string, number>();

  async function reload() {
    const inUse = new Set((await store.readAll()).map(({ mac }) => mac));
    for (const { mac, end } of watchers.values()) if (!inUse.has(mac)) end();
    // Mutation: `!inUse.has(mac)` becomes `true`, `!inUse.has(mac)` becomes `false`, `!inUse.has(mac)` becomes `inUse.has(mac)`, `uses.delete(mac);` becomes `;`. This frees memory: the stored time says as well whether a use is due.
    for (const mac of uses.keys()) if (!inUse.has(mac)) uses.delete(mac);
  }

  async function noteUse({ mac, lastUsedAt }: StoredServiceKey) {
    const now = clock.now();
    if (!isUseDue(lastUsedAt, now) || !isUseDue(uses.get(mac), now)) return;
    uses.set(mac, now);
    await store.recordUse(mac, { last: lastUsedAt, at: now }).catch(onError);
  }

  /** Reads the key again after it has begun to watch: a withdrawal in between must not be missed. */
  async function watch(mac: string, end: () => void) {
    const watcher = {};
    const stop = () => void watchers.delete(watcher);
    const endOnce = () => {
      stop();
      end();
    };
    watchers.set(watcher, { mac, end: endOnce });
    try {
      if (!(await store.find(mac))) endOnce();
    } catch (error) {
      stop();
      throw error;
    }
    return stop;
  }

  return {
    load: () => database.watch(TOPIC, reload),

    async create({ name, permissions, key: given }, by) {
      const { actor, origin, authorize } = by;
      if (given !== undefined && !isServiceKey(given)) throw invalidMember('key', KEY_FORM);
      requireUsable({ permissions });
      const key = given ?? formatServiceKey(random.bytes(SERVICE_KEY_BYTES));
      const stored = { mac: macOf(key), name, permissions, createdAt: clock.now(), lastUsedAt: null };
      const creation = database.transaction(async (tx) => {
        if (!coversAll(await authorize(tx), managing({ permissions }))) throw permissionErrors.denied();
        await tx.announce(TOPIC);
        if (given !== undefined && (await store.readAll(tx.sql)).some(({ mac }) => mac === stored.mac))
          throw invalidMember('key', 'Another service key is the same. Make another one.');
        await store.add(tx.sql, stored);
        const details = { name, permissions: permissions.join(' ') };
        await record(tx, { action: serviceKeyActions.created, outcome: 'success', user: actor, origin, details });
      }, by);
      await creation.catch((error) => {
        throw error instanceof UniqueViolation ? serviceKeyErrors.duplicate() : error;
      });
      return key;
    },

    lock: (tx) => store.lockAll(tx.sql),

    async list(tx) {
      await tx?.announce(TOPIC);
      const keys = await store.readAll(tx?.sql);
      return keys.map(({ mac: _, ...key }) => key);
    },

    readSecretMarks: async (tx) => new Map((await store.readAll(tx.sql)).map(({ name, mac }) => [name, mac])),

    async isKey(tx, name, key) {
      const keys = await store.readAll(tx.sql);
      return keys.some((one) => one.name === name && one.mac === macOf(key));
    },

    async withdraw(name, by) {
      const { actor, origin, authorize } = by;
      await database.transaction(async (tx) => {
        // First: a key that acts is held before accounts and their sessions everywhere.
        await store.lockAll(tx.sql);
        await authorize(tx);
        await tx.announce(TOPIC);
        if (!(await store.remove(tx.sql, name))) throw serviceKeyErrors.notFound();
        const details = { name };
        await record(tx, { action: serviceKeyActions.withdrawn, outcome: 'success', user: actor, origin, details });
      }, by);
    },

    async authenticate(key, permission) {
      const found = isServiceKey(key) ? await store.find(macOf(key)) : undefined;
      if (!found) throw serviceKeyErrors.invalid();
      if (!found.permissions.includes(permission)) throw serviceKeyErrors.forbidden({ by: actorOf(found) });
      await noteUse(found);
      const { mac, ...shown } = found;
      return { ...shown, whenWithdrawn: (end) => watch(mac, end) };
    },

    async findManager(key, permission) {
      const found = isServiceKey(key) ? await store.find(macOf(key)) : undefined;
      if (!found || managing(found).length === 0) return undefined;
      const actor = actorOf(found);
      const requirePermission = (held: readonly Permission[]) => {
        if (!held.includes(permission)) throw permissionErrors.denied({ by: actor });
        return held;
      };
      const held = requirePermission(managing(found));
      await noteUse(found);
      return {
        actor,
        held,
        async authorize(tx: Tx) {
          const now = await store.hold(tx.sql, found.mac);
          if (!now) throw serviceKeyErrors.invalid();
          return requirePermission(managing(now));
        },
      };
    },
  };
}

/** Returns a key as the audit trail names it. */
const actorOf = ({ name }: ServiceKey): Actor => ({ id: null, name: `service key ${name}` });
