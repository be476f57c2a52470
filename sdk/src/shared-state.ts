// Named values in a storage. All tabs of a browser share those in `localStorage`: when somebody last did something, the
// policy of automatic log-off, and the token or which one it is.

/** A token by this browser's own clock: how long it lives is known, whatever the service's clock says. Milliseconds. */
export type HeldToken = {
  /** Random: names the token without telling it. */
  readonly id: string;
  readonly text: string;
  readonly receivedAt: number;
  readonly expiresAt: number;
};

/** Automatic log-off as the service has it now; `timeout` in seconds. */
export type IdlePolicy = { readonly isOn: boolean; readonly timeout: number };

/** Why nobody is signed in any more. */
export type SessionEnd = 'signedOff' | 'idle' | 'ended';

/** One value under each key; null is none. */
type Values = {
  token: HeldToken;
  /** Which token the tabs have a `copy` of, where it is kept by each tab for itself. */
  mark: { readonly id: string; readonly expiresAt: number };
  copy: HeldToken;
  activeAt: number;
  policy: IdlePolicy;
  end: SessionEnd;
};

export type KeyValueStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** The storage that is found, or the memory of this page where the browser allows none, as in some private windows. */
export function openStorage(find: () => Storage): KeyValueStore {
  const probe = 'latchkey:probe';
  try {
    const storage = find();
    storage.setItem(probe, '');
    storage.removeItem(probe);
    return storage;
  } catch {
    const memory = new Map<string, string>();
    return {
      getItem: (key) => memory.get(key) ?? null,
      setItem: (key, value) => void memory.set(key, value),
      removeItem: (key) => void memory.delete(key),
    };
  }
}

export interface SharedState {
  read<Key extends keyof Values>(key: Key): Values[Key] | null;
  write<Key extends keyof Values>(key: Key, value: Values[Key] | null): void;
  /** Tells of what other tabs have written. @returns a function that stops it. */
  onChange(listener: (key: keyof Values) => void): () => void;
}

/** @param scope holds clients of different services on one origin apart. */
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
      const hear = (event: StorageEvent) => {
        // Without a key: somebody has cleared all.
        if (event.key === null) listener('token');
        else if (event.key.startsWith(prefix)) listener(event.key.slice(prefix.length) as keyof Values);
      };
      addEventListener('storage', hear);
      return () => removeEventListener('storage', hear);
    },
  };
}
