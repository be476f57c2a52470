// Front ends: the registered applications. Each may have its own values of security settings.
import { Equal } from 'typebox/value';
import type { Manager } from '../foundation/authority.ts';
import type { Clock } from '../foundation/clock.ts';
import { UniqueViolation } from '../foundation/errors.ts';
import type { Occurrence } from '../foundation/events.ts';
import type { Random } from '../foundation/random.ts';
import type { Database, Tx } from '../storage/database.ts';
import { frontEndActions, frontEndErrors } from './declarations.ts';
import type { FrontEnd, FrontEndStore } from './store.sql.ts';

/** The key of the front end that always exists. It applies to callers that name no registered front end. */
export const DEFAULT_FRONT_END = 'default-app';

const TOPIC = 'front-ends';

export interface FrontEnds {
  /** Reads all front ends, now and after each change on any node. Adds the default front end if it is missing. */
  load(): Promise<void>;
  list(): readonly FrontEnd[];
  /** Returns all front ends as stored now, the oldest first. No other transaction changes them until this one ends. */
  readAll(tx: Tx): Promise<readonly FrontEnd[]>;
  /**
   * Returns the keys that front ends had before they were renamed, and that no other one has since, with their present keys.
   * Sessions and sign-ins keep the key of their beginning.
   */
  readFormerKeys(): Promise<readonly { formerKey: string; appKey: string }[]>;
  /** Returns the key if such a front end is registered, else `default-app`. */
  resolve(appKey: string | undefined): string;
  /** Returns the key of a registered front end. @throws AuthError `frontEnd.notFound`. */
  require(appKey: string): string;
  /** Requires that a front end of this key is stored now. @throws AuthError `frontEnd.notFound`. */
  requireIn(tx: Tx, appKey: string): Promise<void>;
  /** Registers a front end. @throws AuthError `frontEnd.duplicate`. */
  create(input: Omit<FrontEnd, 'id'>, by: Manager): Promise<FrontEnd>;
  /** Changes a front end. Absent members stay as they are. @throws AuthError `frontEnd.notFound`, `frontEnd.protected`, `frontEnd.duplicate`. */
  update(changes: Pick<FrontEnd, 'id'> & Partial<FrontEnd>, by: Manager): Promise<FrontEnd>;
  /** Deletes a front end and its settings. @throws AuthError `frontEnd.notFound`, `frontEnd.protected`. */
  remove(id: string, by: Manager): Promise<void>;
  /** Calls the listener in the transaction in which a front end gets another key, or with null is deleted. */
  whenKeyChanges(listener: WhenKeyChanges): void;
}

type WhenKeyChanges = (tx: Tx, from: string, to: string | null) => Promise<void>;

export function createFrontEnds(deps: {
  database: Database;
  store: FrontEndStore;
  record: (tx: Tx, occurrence: Occurrence) => Promise<void>;
  /** Moves the data of a front end in other slices to its new key, or with null deletes it. `held`: the caller's permissions. */
  onKeyChange: (tx: Tx, from: string, to: string | null, held: readonly string[]) => Promise<void>;
  /** Called in the transaction that adds a front end. Its key may be the former key of another one. */
  onAdded: (tx: Tx) => Promise<void>;
  clock: Clock;
  random: Random;
}): FrontEnds {
  const { database, store, record, onKeyChange, onAdded, clock, random } = deps;
  let all: readonly FrontEnd[] = [];
  let keys = new Set<string>();
  const listeners: WhenKeyChanges[] = [];

  async function reload() {
    all = await store.readAll();
    keys = new Set(all.map(({ appKey }) => appKey));
  }

  async function tell(tx: Tx, from: string, to: string | null) {
    for (const listener of listeners) await listener(tx, from, to);
  }

  async function changeKey(tx: Tx, from: string, to: string | null, held: readonly string[]) {
    await onKeyChange(tx, from, to, held);
    // Something of a front end that had the new key before may be left, such as a device trusted by a sign-in that had begun then.
    if (to !== null) await tell(tx, to, null);
    await tell(tx, from, to);
  }

  async function requireKnown(tx: Tx, id: string): Promise<FrontEnd> {
    const known = await store.find(tx.sql, id);
    if (!known) throw frontEndErrors.notFound();
    return known;
  }

  return {
    async load() {
      const seed = { id: random.uuid(), appKey: DEFAULT_FRONT_END, name: 'Default UI', description: '' };
      await store.add(database.sql, seed, clock.now());
      await database.watch(TOPIC, reload);
    },
    list: () => all,
    resolve: (appKey) => (appKey !== undefined && keys.has(appKey) ? appKey : DEFAULT_FRONT_END),
    require(appKey) {
      if (!keys.has(appKey)) throw frontEndErrors.notFound();
      return appKey;
    },

    async readAll(tx) {
      await tx.announce(TOPIC);
      return store.readAll(tx.sql);
    },
    readFormerKeys: () => store.readFormerKeys(),
    async requireIn(tx, appKey) {
      if (!(await store.findByKey(tx.sql, appKey))) throw frontEndErrors.notFound();
    },

    async create(input, by) {
      const { actor, origin, authorize } = by;
      const frontEnd = { id: random.uuid(), ...input };
      await database.transaction(async (tx) => {
        await authorize(tx);
        await tx.announce(TOPIC);
        if (!(await store.add(tx.sql, frontEnd, clock.now()))) throw frontEndErrors.duplicate();
        await onAdded(tx);
        await tell(tx, input.appKey, null);
        const details = { appKey: input.appKey };
        await record(tx, { action: frontEndActions.created, outcome: 'success', user: actor, origin, details });
      }, by);
      return frontEnd;
    },

    async update(changes, by) {
      const { actor, origin, authorize } = by;
      const change = database.transaction(async (tx) => {
        const held = await authorize(tx);
        await tx.announce(TOPIC);
        const known = await requireKnown(tx, changes.id);
        const frontEnd = { ...known, ...changes };
        if (Equal(known, frontEnd)) return frontEnd;
        const { appKey } = known;
        if (appKey !== frontEnd.appKey) {
          if (appKey === DEFAULT_FRONT_END) throw frontEndErrors.protected();
          await changeKey(tx, appKey, frontEnd.appKey, held);
          await store.keepFormerKey(tx.sql, known);
        }
        await store.replace(tx.sql, frontEnd);
        const details = { oldAppKey: appKey, appKey: frontEnd.appKey };
        await record(tx, { action: frontEndActions.updated, outcome: 'success', user: actor, origin, details });
        return frontEnd;
      }, by);
      return change.catch((error) => {
        throw error instanceof UniqueViolation ? frontEndErrors.duplicate() : error;
      });
    },

    async remove(id, by) {
      const { actor, origin, authorize } = by;
      await database.transaction(async (tx) => {
        const held = await authorize(tx);
        await tx.announce(TOPIC);
        const known = await requireKnown(tx, id);
        const { appKey } = known;
        if (appKey === DEFAULT_FRONT_END) throw frontEndErrors.protected();
        await store.remove(tx.sql, known);
        await changeKey(tx, appKey, null, held);
        const details = { appKey };
        await record(tx, { action: frontEndActions.deleted, outcome: 'success', user: actor, origin, details });
      }, by);
    },

    whenKeyChanges: (listener) => void listeners.push(listener),
  };
}
