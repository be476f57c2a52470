// Named values in a storage. All tabs of a browser share the values in `localStorage`: the time of the last activity, the
// policy of automatic log-off, and the token or its id.
import { hasPage } from './page-events.ts';

/** A token, with times of this browser's clock in milliseconds. Its lifetime does not depend on the service's clock. */
export type HeldToken = {
  /** A random id, which does not reveal the token. */
  readonly id: string;
  readonly text: string;
  readonly receivedAt: number;
  readonly expiresAt: number;
};

/** The service's policy of automatic log-off. `timeout` is in seconds. */
export type IdlePolicy = { readonly isOn: boolean; readonly timeout: number };

/** Why the sign-in ended. */
export type SessionEnd = 'signedOff' | 'idle' | 'ended';

/** The value of each key. */
type Values = {
  token: HeldToken;
  /** The token of which each tab keeps its own `copy`. */
  mark: { readonly id: string; readonly expiresAt: number };
  copy: HeldToken;
  activeAt: number;
  /** When a tab last asked whether the session is still open. */
  checkedAt: number;
  policy: IdlePolicy;
  end: SessionEnd;
};

export type KeyValueStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/**
 * Returns the storage, or `undefined` if the browser allows none, as in some private windows. None without a page, too: what a
 * server stores is not for one user alone.
 */
export function openStorage(find: () => Storage): KeyValueStore | undefined {
  const probe = 'latchkey:probe';
  try {
    if (!hasPage()) return undefined;
    const storage = find();
    storage.setItem(probe, '');
    storage.removeItem(probe);
    return storage;
  } catch {
    return undefined;
  }
}

/** Returns a storage in memory, for this client alone. */
export function createMemory(): KeyValueStore {
  const memory = new Map<string, string>();
  return {
    getItem: (key) => memory.get(key) ?? null,
    setItem: (key, value) => void memory.set(key, value),
    removeItem: (key) => void memory.delete(key),
  };
}

export interface SharedState {
  read<Key extends keyof Values>(key: Key): Values[Key] | null;
  write<Key extends keyof Values>(key: Key, value: Values[Key] | null): void;
  /** Calls the listener when another tab has written. @returns a function that removes the listener. */
  onChange(listener: () => void): () => void;
}

/** @param scope separates clients of different services on one origin. */
export function createSharedState(storage: KeyValueStore, scope: string): SharedState {
  const prefix = `latchkey:${scope}:`;
  return {
    read(key) {
      try {
        return JSON.parse(storage.getItem(prefix + key) ?? 'null');
      } catch {
        return null;
      }
    },
    write(key, value) {
      if (value === null) storage.removeItem(prefix + key);
      else storage.setItem(prefix + key, JSON.stringify(value));
    },
    onChange(listener) {
      if (!hasPage()) return () => {};
      const onStorage = ({ key }: StorageEvent) => {
        // No key means that the whole storage was cleared.
        if (key === null || key.startsWith(prefix)) listener();
      };
      addEventListener('storage', onStorage);
      return () => removeEventListener('storage', onStorage);
    },
  };
}
