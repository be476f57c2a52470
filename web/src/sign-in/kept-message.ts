// A pin or code that was sent: this tab keeps what belongs to it, so that it can still be typed after a reload.
import { isLatchkeyError } from 'latchkey-sdk';
import { keepRequest } from './kept-request.ts';

/** What belongs to a pin or code. None of it is secret without the message. */
export type Kept = {
  /** The name or address as typed. */
  readonly name: string;
  readonly operationId: string;
  /** The address as the service wrote it, or the method of a password reset. */
  readonly detail: string;
  /** In milliseconds of this browser's clock. */
  readonly sentAt: number;
};

type Journey = 'pin' | 'reset' | 'register';

const keyOf = (journey: Journey) => `latchkey::sent-${journey}`;

/** No pin or code is valid for longer by default. */
const MAX_AGE_MS = 1_800_000;

export function keepMessage(journey: Journey, kept: Omit<Kept, 'sentAt'>): Kept {
  if (journey === 'reset') keepRequest();
  const stored = { ...kept, sentAt: Date.now() };
  try {
    sessionStorage.setItem(keyOf(journey), JSON.stringify(stored));
  } catch {
    // Without storage, a reload begins again.
  }
  return stored;
}

/** Returns what was sent last. @param name only if it was sent to this name. */
function readMessage(journey: Journey, name?: string): Kept | undefined {
  try {
    const kept: Kept | null = JSON.parse(sessionStorage.getItem(keyOf(journey)) ?? 'null');
    const isUsable = kept !== null && Date.now() - kept.sentAt < MAX_AGE_MS;
    return isUsable && (name === undefined || name === kept.name) ? kept : undefined;
  } catch {
    return undefined;
  }
}

/** Returns what was sent before this page was reloaded, or left and opened again by "Back". */
export function readBeforeReload(journey: Journey): Kept | undefined {
  const [entry] = performance.getEntriesByType('navigation');
  const type = entry && 'type' in entry ? entry.type : undefined;
  return type === 'reload' || type === 'back_forward' ? readMessage(journey) : undefined;
}

export function dropMessage(journey: Journey): void {
  try {
    sessionStorage.removeItem(keyOf(journey));
  } catch {
    // Without storage, there is nothing to remove.
  }
}

/**
 * Returns a handler for `catch`: if the service refuses to send another message so soon, the one that was sent to this
 * name can still be typed.
 * @param detail only if it was sent with this detail.
 */
export function orKeptMessage(journey: Journey, name: string, detail?: string) {
  return (error: unknown): Kept => {
    const kept = isLatchkeyError(error, 'pin.cooldown') ? readMessage(journey, name) : undefined;
    if (kept && (detail === undefined || detail === kept.detail)) return kept;
    throw error;
  };
}
