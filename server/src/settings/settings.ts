// Settings: values that are changed while the service runs, and apply to the next request.
import type { Static, TSchema } from 'typebox';
import { Equal } from 'typebox/value';
import type { Manager } from '../foundation/authority.ts';
import type { Clock } from '../foundation/clock.ts';
import { requestErrors } from '../foundation/errors.ts';
import type { Occurrence } from '../foundation/events.ts';
import type { SettingDefinition, SettingReader } from '../foundation/setting.ts';
import type { Database, Tx } from '../storage/database.ts';
import { settingErrors } from './errors.ts';
import { settingActions } from './events.ts';
import { findBrokenBounds, proposeValue } from './setting.ts';
import type { SettingChange, SettingStore } from './store.ts';

/** Under which changes of settings are announced to all nodes. */
const TOPIC = 'settings';
const MAX_HISTORY = 200;

/** Who changes a setting, and from where. */
export type ChangedBy = Manager & {
  /** The whole value that the change was made from: when another applies by now, it ends in `setting.conflict`. */
  expected?: unknown;
};

export interface Settings extends SettingReader {
  readonly definitions: readonly SettingDefinition[];
  /** The definition of this name. Ends in `setting.notFound`. */
  find(name: string): SettingDefinition;
  /** Reads all values, now and after each change on any node. */
  load(): Promise<void>;
  /**
   * Sets a value; a compound keeps the members that are left out. `frontEnd` matters for settings of that scope only.
   * Ends in `request.invalid`, with nothing changed.
   */
  update(name: string, frontEnd: string, value: unknown, by: ChangedBy): Promise<void>;
  /** Returns to the default. */
  reset(name: string, frontEnd: string, by: ChangedBy): Promise<void>;
  /** The latest changes, newest first. */
  history(name: string, frontEnd: string | undefined): Promise<SettingChange[]>;
  /** How many stored values were out of bounds when they were last read. */
  badValues(): number;
  /** Runs `effect` in the transaction of each change of this setting, with the value that applies from then on. */
  whenChanged<Schema extends TSchema>(
    definition: SettingDefinition<Schema>,
    effect: (tx: Tx, value: Static<Schema>) => Promise<void>,
  ): void;
  /** Carries the values of a front end and their history over to its new key, or with null forgets them. */
  moveFrontEnd(tx: Tx, from: string, to: string | null): Promise<void>;
}

export function createSettings(deps: {
  definitions: readonly SettingDefinition[];
  database: Database;
  store: SettingStore;
  record: (tx: Tx, occurrence: Occurrence) => Promise<void>;
  clock: Clock;
  /** Told of a stored value that is out of bounds: the last good one stays in force. */
  onBadValue: (name: string, appKey: string) => void;
}): Settings {
  const { definitions, database, store, record, clock, onBadValue } = deps;
  const byName = new Map(definitions.map((definition) => [definition.name, definition]));
  const effects = new Map<string, ((tx: Tx, value: never) => Promise<void>)[]>();
  let values = new Map<string, unknown>();
  let badValues = 0;

  const find = (name: string) => {
    const definition = byName.get(name);
    if (!definition) throw settingErrors.notFound();
    return definition;
  };
  const appKeyOf = (definition: SettingDefinition, frontEnd: string) =>
    definition.scope === 'general' ? '' : frontEnd;
  const keyOf = (name: string, appKey: string) => `${name}\n${appKey}`;

  function read<Schema extends TSchema>(definition: SettingDefinition<Schema>, frontEnd = ''): Static<Schema> {
    const value = values.get(keyOf(definition.name, appKeyOf(definition, frontEnd)));
    return (value ?? definition.default) as Static<Schema>;
  }

  async function reload() {
    const loaded = new Map<string, unknown>();
    let bad = 0;
    for (const { name, appKey, value } of await store.readAll()) {
      const definition = byName.get(name);
      if (!definition) continue;
      const key = keyOf(name, appKey);
      const parsed = parseJson(value);
      if (findBrokenBounds(definition, parsed).length === 0) {
        loaded.set(key, parsed);
        continue;
      }
      bad += 1;
      onBadValue(name, appKey);
      if (values.has(key)) loaded.set(key, values.get(key));
    }
    values = loaded;
    badValues = bad;
  }

  async function change(
    definition: SettingDefinition,
    appKey: string,
    by: ChangedBy,
    decide: (current: unknown) => unknown,
  ) {
    const { name } = definition;
    await database.transaction(async (tx) => {
      await by.authorize(tx);
      await tx.announce(TOPIC);
      const stored = await store.readForChange(tx.sql, name, appKey);
      const parsed = stored === null ? undefined : parseJson(stored);
      const isUsable = parsed !== undefined && findBrokenBounds(definition, parsed).length === 0;
      const current = isUsable ? parsed : read(definition, appKey);
      if (by.expected !== undefined && !Equal(by.expected, current)) throw settingErrors.conflict();
      const value = decide(current);
      const newValue = value === undefined ? null : JSON.stringify(value);
      if (newValue === stored) return;
      await store.change(tx.sql, { name, appKey, oldValue: stored, newValue, at: clock.now(), by: by.actor.name });
      for (const effect of effects.get(name) ?? []) await effect(tx, (value ?? definition.default) as never);
      await record(tx, {
        action: settingActions.changed,
        outcome: 'success',
        user: by.actor,
        origin: by.origin,
        details: { name, appKey: appKey || null, oldValue: parsed ?? null, newValue: value ?? null },
      });
    });
  }

  return {
    definitions,
    find,
    load: () => database.watch(TOPIC, reload),
    read,
    async update(name, frontEnd, value, by) {
      const definition = find(name);
      await change(definition, appKeyOf(definition, frontEnd), by, (current) => {
        const proposal = proposeValue(definition, current, value);
        if ('value' in proposal) return proposal.value;
        throw requestErrors.invalid({
          details: proposal.broken.map(({ message }) => message).join(' '),
          validationErrors: proposal.broken,
        });
      });
    },
    async reset(name, frontEnd, by) {
      const definition = find(name);
      await change(definition, appKeyOf(definition, frontEnd), by, () => undefined);
    },
    async history(name, frontEnd) {
      const definition = find(name);
      return store.history(name, frontEnd === undefined ? undefined : appKeyOf(definition, frontEnd), MAX_HISTORY);
    },
    badValues: () => badValues,
    whenChanged({ name }, effect) {
      effects.set(name, [...(effects.get(name) ?? []), effect]);
    },
    async moveFrontEnd(tx, from, to) {
      await tx.announce(TOPIC);
      await store.moveFrontEnd(tx.sql, from, to);
    },
  };
}

/** The value of a JSON text; `undefined` when it is none. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
