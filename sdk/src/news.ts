// What the listeners of a client hear: sign-ins and their ends, and the last minute before automatic log-off. Each once.
import type { SessionEnd } from './shared-state.ts';

type SessionListener = (isSignedIn: boolean, end: SessionEnd | null) => void;
type IdleListener = (secondsLeft: number | null) => void;

export interface News {
  /** Whether the user is signed in, as the listeners know it. */
  readonly isSignedIn: boolean;
  /** Whether a listener counts down the last minute. */
  readonly isCountingDown: boolean;
  /** @param end why the user is not signed in. */
  tellSession(isSignedIn: boolean, end: SessionEnd): void;
  /** @param secondsLeft `null` outside the last minute. */
  tellIdle(secondsLeft: number | null): void;
  /** Adds a listener. @returns a function that removes it. */
  onSession(listener: SessionListener): () => void;
  /** Adds a listener. @returns a function that removes it. */
  onIdle(listener: IdleListener): () => void;
}

export function createNews(): News {
  const sessionListeners = new Set<SessionListener>();
  const idleListeners = new Set<IdleListener>();
  let wasSignedIn = false;
  let toldSeconds: number | null = null;

  function tellIdle(secondsLeft: number | null) {
    if (secondsLeft === toldSeconds) return;
    toldSeconds = secondsLeft;
    for (const listener of idleListeners) listener(secondsLeft);
  }

  function add<Listener>(listeners: Set<Listener>, listener: Listener) {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }

  return {
    get isSignedIn() {
      return wasSignedIn;
    },
    get isCountingDown() {
      return toldSeconds !== null && idleListeners.size > 0;
    },
    tellSession(isSignedIn, end) {
      if (isSignedIn === wasSignedIn) return;
      wasSignedIn = isSignedIn;
      for (const listener of sessionListeners) listener(isSignedIn, isSignedIn ? null : end);
      if (!isSignedIn) tellIdle(null);
    },
    tellIdle,
    onSession: (listener) => add(sessionListeners, listener),
    onIdle: (listener) => add(idleListeners, listener),
  };
}
