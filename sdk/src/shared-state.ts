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

const PROBE = 'latchkey:probe';

/**
 * Returns the storage, or `undefined` if the browser allows none, as in some private windows. None without a page, too: what a
 * server stores is not for one user alone. One that is full may have a token: this only reads.
 */
export function openStorage(find: () => Storage): KeyValueStore | undefined {
  try {
    if (!hasPage()) return undefined;
    const storage = find();
    storage.getItem(PROBE);
    return storage;
  } catch {
    return undefined;
  }
}

/** Whether there is a storage, and it takes a value now. */
export function hasRoom(storage: KeyValueStore | undefined): boolean {
  try {
    storage?.setItem(PROBE, '');
    storage?.removeItem(PROBE);
    return !!storage;
  } catch {
    return false;
  }
}

export interface SharedState {
  read<Key extends keyof Values>(key: Key): Values[Key] | null;
  /** Returns whether the storage has taken the value. If it has not, as when it is full, this page alone keeps it. */
  write<Key extends keyof Values>(key: Key, value: Values[Key] | null): boolean;
  /** Forgets what this page alone keeps under a name of the storage: another tab has written a later value. */
  forget(name: string): void;
}

/** @param storage without one, this client alone has the values. @param scope separates clients of different services on one origin. */
export function createSharedState(storage: KeyValueStore | undefined, scope: string): SharedState {
  const prefix = `latchkey:${scope}:`;
  /** What the storage has not taken. */
  const lost: Record<string, string> = {};
  return {
    read(key) {
      try {
        return JSON.parse(lost[prefix + key] ?? storage?.getItem(prefix + key) ?? 'null');
      } catch {
        return null;
      }
    },
    write(key, value) {
      const name = prefix + key;
      lost[name] = JSON.stringify(value);
      try {
        if (value === null) storage?.removeItem(name);
        else storage?.setItem(name, lost[name]);
        if (storage) delete lost[name];
      } catch {
        // No tab may go on with the former value.
        storage?.removeItem(name);
      }
      return !lost[name];
    },
    forget(name) {
      delete lost[name];
    },
  };
}
