// Settings: values that administrators change while the service runs. A change applies to the next request.
import type { Static, TSchema } from 'typebox';
import { Equal } from 'typebox/value';
import type { Manager } from '../foundation/authority.ts';
import type { Clock, Instant } from '../foundation/clock.ts';
import { invalidMembers } from '../foundation/errors.ts';
import type { Occurrence } from '../foundation/events.ts';
import type { OfferedMedia } from '../foundation/medium.ts';
import { nameMembers } from '../foundation/member-names.ts';
import type { SettingDefinition, SettingReader } from '../foundation/setting.ts';
import type { Database, Tx } from '../storage/database.ts';
import { settingActions, settingErrors } from './declarations.ts';
import { createMeansFilter } from './means.ts';
import { completeValue, findBrokenBounds, mendValue, proposeValue } from './setting.ts';
import type { SettingChange, SettingStore } from './store.sql.ts';

/** The topic under which a node announces changed settings to all nodes. */
const TOPIC = 'settings';
const MAX_HISTORY = 200;

/** The administrator who changes a setting, and the origin of the request. */
export type ChangedBy = Manager & {
  /** The whole value that the administrator changed. If another value applies now, the change is refused. */
  expected?: unknown;
};

/** A value that replaces the default. `appKey` is '' for a general setting. */
export type Override = { name: string; appKey: string; value: unknown; at: Instant; by: string | null };

export interface Settings extends SettingReader {
  readonly definitions: readonly SettingDefinition[];
  /** Returns the definition of this name. @throws AuthError `setting.notFound`. */
  find(name: string): SettingDefinition;
  /** Reads all values, now and after each change on any node. */
  load(): Promise<void>;
  /** Returns the value that `update` would set, and sets nothing. @throws AuthError `request.invalid`. */
  propose(definition: SettingDefinition, value: unknown, frontEnd?: string): unknown;
  /**
   * Sets a value. A compound keeps the members that are left out. `frontEnd` applies only to settings of that scope.
   * @throws AuthError `setting.notFound`, `frontEnd.notFound`, `request.invalid`, `setting.conflict`, and `permission.denied`
   * for a guarded setting. Then nothing is changed.
   */
  update(name: string, frontEnd: string, value: unknown, by: ChangedBy): Promise<void>;
  /** Resets a setting to its default. @throws AuthError like `update`. */
  reset(name: string, frontEnd: string, by: ChangedBy): Promise<void>;
  /** Returns the latest changes, newest first. @throws AuthError `setting.notFound`. */
  history(name: string, frontEnd: string | undefined): Promise<SettingChange[]>;
  /**
   * Returns all values that replace defaults, as they are stored: also the changes that this node has not read yet.
   * @param tx a transaction, until whose end no other one changes them.
   */
  overrides(tx?: Tx): Promise<Override[]>;
  /** Reads the value as the transaction sees it. */
  readIn<Schema extends TSchema>(
    tx: Tx,
    definition: SettingDefinition<Schema>,
    frontEnd?: string,
  ): Promise<Static<Schema>>;
  /** Returns how many stored values were out of bounds when they were last read. */
  badValues(): number;
  /** Runs `effect` in the transaction of each change of this setting, with the new value. */
  whenChanged<Schema extends TSchema>(
    definition: SettingDefinition<Schema>,
    effect: (tx: Tx, value: Static<Schema>) => Promise<void>,
  ): void;
  /**
   * Moves the values of a front end and their history to its new key, or with null deletes them.
   * @param held the permissions of the caller.
   * @throws AuthError `permission.denied` if a guarded setting is among them.
   */
  moveFrontEnd(tx: Tx, from: string, to: string | null, held: readonly string[]): Promise<void>;
  /** Lets every node read all values again when the transaction has ended. */
  announce(tx: Tx): Promise<void>;
}

export function createSettings(deps: {
  definitions: readonly SettingDefinition[];
  database: Database;
  store: SettingStore;
  record: (tx: Tx, occurrence: Occurrence) => Promise<void>;
  /** Requires that these are all permissions of this service. @throws AuthError `permission.denied`. */
  requireAll: (held: readonly string[]) => void;
  /** Requires that a front end of this key is stored now. @throws AuthError `frontEnd.notFound`. */
  requireFrontEnd: (tx: Tx, appKey: string) => Promise<void>;
  /** Returns the former keys of front ends, under which their values are read too. */
  readFormerKeys: () => Promise<readonly { formerKey: string; appKey: string }[]>;
  offeredMedia: OfferedMedia;
  clock: Clock;
  /** Called for a stored value that is out of bounds. The last good value stays in force, at the start what is good of it. */
  onBadValue: (name: string, appKey: string) => void;
}): Settings {
  const { definitions, database, store, record, requireAll, requireFrontEnd, offeredMedia, clock, onBadValue } = deps;
  const byName = new Map(definitions.map((definition) => [definition.name.toLowerCase(), definition]));
  const effects = new Map<string, ((tx: Tx, stored: unknown) => Promise<void>)[]>();
  const applyMeans = createMeansFilter(definitions, offeredMedia);
  let values = new Map<string, unknown>();
  let badValues = 0;

  const find = (name: string) => {
    const definition = byName.get(name.toLowerCase());
    if (!definition) throw settingErrors.notFound();
    return definition;
  };
  const appKeyOf = (definition: SettingDefinition, frontEnd: string) =>
    definition.scope === 'general' ? '' : frontEnd;
  const keyOf = (name: string, appKey: string) => `${name}\n${appKey}`;

  function readStored<Schema extends TSchema>(definition: SettingDefinition<Schema>, frontEnd = ''): Static<Schema> {
    return valueInForce(definition, values.get(keyOf(definition.name, appKeyOf(definition, frontEnd))));
  }

  async function reload() {
    const loaded = new Map<string, unknown>();
    let bad = 0;
    for (const { name, appKey, value } of await store.readAll()) {
      const definition = byName.get(name.toLowerCase());
      if (!definition) continue;
      const key = keyOf(name, appKey);
      const parsed = completeValue(definition, parseJson(value));
      if (findBrokenBounds(definition, parsed).length === 0) {
        loaded.set(key, parsed);
        continue;
      }
      bad += 1;
      onBadValue(name, appKey);
      loaded.set(key, values.has(key) ? values.get(key) : mendValue(definition, parsed));
    }
    // Read after the values: of a change of the key in between, the values are still those under the former one.
    for (const { formerKey, appKey } of await deps.readFormerKeys()) {
      for (const { name } of definitions.filter(({ scope }) => scope === 'frontEnd')) {
        const value = loaded.get(keyOf(name, appKey));
        const former = keyOf(name, formerKey);
        if (value !== undefined && !loaded.has(former)) loaded.set(former, value);
      }
    }
    values = loaded;
    badValues = bad;
  }

  /** Returns a stored value, or the one in force if the stored one is out of bounds. */
  function usable(definition: SettingDefinition, appKey: string, parsed: unknown): unknown {
    const isUsable = parsed !== undefined && findBrokenBounds(definition, parsed).length === 0;
    return isUsable ? parsed : readStored(definition, appKey);
  }

  async function change(
    definition: SettingDefinition,
    appKey: string,
    by: ChangedBy,
    decide: (current: unknown) => unknown,
  ) {
    const { name } = definition;
    await database.transaction(async (tx) => {
      const held = await by.authorize(tx);
      if (definition.isGuarded) requireAll(held);
      await tx.announce(TOPIC);
      // Behind the lock, which `moveFrontEnd` takes too: no value may remain of a front end that is gone, for a later one of its key.
      if (appKey !== '') await requireFrontEnd(tx, appKey);
      const stored = await store.readForChange(tx.sql, name, appKey);
      const parsed = stored === null ? undefined : completeValue(definition, parseJson(stored));
      // Another node may have reset it just now: this one has the former value in memory for a while.
      const current = stored === null ? definition.default : usable(definition, appKey, parsed);
      const expected = nameMembers(definition.schema, by.expected);
      const isCurrent = [current, applyMeans(definition, current)].some((one) => Equal(expected, one));
      if (expected !== undefined && !isCurrent) throw settingErrors.conflict();
      const value = decide(current);
      const newValue = value === undefined ? null : JSON.stringify(value);
      if (newValue === stored) return;
      await store.change(tx.sql, { name, appKey, oldValue: stored, newValue, at: clock.now(), by: by.actor });
      for (const effect of effects.get(name) ?? []) await effect(tx, value);
      await record(tx, {
        action: settingActions.changed,
        outcome: 'success',
        user: by.actor,
        origin: by.origin,
        details: { name, appKey: appKey || null, oldValue: parsed ?? null, newValue: value ?? null },
      });
    }, by);
  }

  async function hasGuarded(tx: Tx, appKey: string) {
    for (const { name, isGuarded } of definitions) {
      if (isGuarded && (await store.readForChange(tx.sql, name, appKey)) !== null) return true;
    }
    return false;
  }

  /** Returns the value that results from a proposed one. @throws AuthError `request.invalid`. */
  function requireValue(definition: SettingDefinition, current: unknown, proposed: unknown): unknown {
    const proposal = proposeValue(definition, current, proposed);
    if ('value' in proposal) return proposal.value;
    throw invalidMembers(proposal.broken);
  }

  return {
    definitions,
    find,
    propose: (definition, value, frontEnd) => requireValue(definition, readStored(definition, frontEnd), value),
    load: () => database.watch(TOPIC, reload),
    read: (definition, frontEnd) => applyMeans(definition, readStored(definition, frontEnd)),
    async update(name, frontEnd, value, by) {
      const definition = find(name);
      await change(definition, appKeyOf(definition, frontEnd), by, (current) =>
        requireValue(definition, current, value),
      );
    },
    async reset(name, frontEnd, by) {
      const definition = find(name);
      await change(definition, appKeyOf(definition, frontEnd), by, () => undefined);
    },
    async history(name, frontEnd) {
      const definition = find(name);
      return store.history(
        definition.name,
        frontEnd === undefined ? undefined : appKeyOf(definition, frontEnd),
        MAX_HISTORY,
      );
    },
    async overrides(tx) {
      await tx?.announce(TOPIC);
      const stored = await store.readAll(tx?.sql);
      return stored.flatMap(({ name, appKey, value, at, by }) => {
        const definition = byName.get(name.toLowerCase());
        if (!definition) return [];
        const parsed = completeValue(definition, parseJson(value));
        return [{ name: definition.name, appKey, value: usable(definition, appKey, parsed), at, by }];
      });
    },
    async readIn(tx, definition, frontEnd = '') {
      const appKey = appKeyOf(definition, frontEnd);
      const stored = await store.readForChange(tx.sql, definition.name, appKey);
      const parsed = stored === null ? undefined : completeValue(definition, parseJson(stored));
      return valueInForce(definition, stored === null ? undefined : usable(definition, appKey, parsed));
    },
    badValues: () => badValues,
    whenChanged(definition, effect) {
      const { name } = definition;
      const run = (tx: Tx, stored: unknown) => effect(tx, valueInForce(definition, stored));
      effects.set(name, [...(effects.get(name) ?? []), run]);
    },
    async moveFrontEnd(tx, from, to, held) {
      await tx.announce(TOPIC);
      if (await hasGuarded(tx, from)) requireAll(held);
      await store.moveFrontEnd(tx.sql, from, to);
    },
    announce: (tx) => tx.announce(TOPIC),
  };
}

/** Returns the checked value of a setting, or the default if there is none. */
function valueInForce<Schema extends TSchema>(definition: SettingDefinition<Schema>, checked: unknown): Static<Schema> {
  // Each value has passed `findBrokenBounds`, which checks it against the schema.
  return (checked ?? definition.default) as Static<Schema>;
}

/** Returns the value of a JSON text, or `undefined` if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
