// What a session and the grant of an application are to their clients: registers, whose operations have one order.
import type { Entry } from './ledger.ts';

/** A kind of register. */
export type Register<Operation> = {
  readonly kind: 'session' | 'grant';
  readonly initial: string;
  /** Returns the operations that an entry is, each with the name of its register. */
  operationsOf(entry: Entry): readonly (readonly [name: string, operation: Operation])[];
  /** Whether the ledger has all operations of a register, from the first one on. */
  isWhole(operations: readonly Operation[]): boolean;
  /** Returns the state after the operation, or `undefined` if the operation cannot have this outcome in the state. */
  apply(state: string, operation: Operation): string | undefined;
};

const UNOPENED = 'unopened';
const ENDED = 'ended';

const named = (kind: 'session' | 'token', names: readonly string[] = []) =>
  names.filter((name) => name.startsWith(`${kind}:`));

/**
 * An operation on a session. It holds the current token: a sign-in writes the first one, a check reads it, a refresh compares and
 * swaps it, and an end writes that there is none.
 */
type OnSession =
  | { readonly kind: 'open'; readonly token: string }
  /** The token was current. */
  | { readonly kind: 'accepted'; readonly token: string }
  /** The token was not current. */
  | { readonly kind: 'refused'; readonly token: string }
  /** A sign-off was refused: the session had ended. */
  | { readonly kind: 'had ended' }
  /** `to` is unknown without an answer. */
  | { readonly kind: 'refresh'; readonly from: string; readonly to: string }
  | { readonly kind: 'end' };

export const sessionRegister: Register<OnSession> = {
  kind: 'session',
  initial: UNOPENED,
  operationsOf({ outcome, reason, shows, ends, gives }) {
    const [session] = named('session', [...(gives ?? []), ...(shows ?? [])]);
    const [shown] = named('token', shows);
    if (outcome === 'refused') {
      // Other reasons say nothing about the register: the token has expired, or the password was wrong.
      if (reason !== 'token.revoked' || session === undefined) return [];
      return [[session, shown === undefined ? { kind: 'had ended' } : { kind: 'refused', token: shown }]];
    }
    const ended = named('session', ends).map((one) => [one, { kind: 'end' }] as const);
    if (session === undefined || ended.some(([one]) => one === session)) return ended;
    const [from] = named('token', ends);
    const [given] = named('token', gives);
    if (from !== undefined) return [...ended, [session, { kind: 'refresh', from, to: given ?? `after ${from}` }]];
    if (given !== undefined) return [...ended, [session, { kind: 'open', token: given }]];
    return shown === undefined || outcome === 'unknown'
      ? ended
      : [...ended, [session, { kind: 'accepted', token: shown }]];
  },
  isWhole: (operations) => operations.some(({ kind }) => kind === 'open'),
  apply(state, operation) {
    switch (operation.kind) {
      case 'open':
        return state === UNOPENED ? operation.token : undefined;
      case 'accepted':
        return state === operation.token ? state : undefined;
      case 'refused':
        return state === operation.token ? undefined : state;
      case 'had ended':
        return state === ENDED ? state : undefined;
      case 'refresh':
        return state === operation.from ? operation.to : undefined;
      case 'end':
        return ENDED;
    }
  },
};

/**
 * An operation on a grant. It holds how many refreshes there were. A refresh shows the token that one of them gave: the current
 * token counts one more, the former one gives the same again, and any older one ends the grant.
 */
type OnGrant =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'refresh'; readonly generation: number; readonly outcome: Entry['outcome'] }
  | { readonly kind: 'end' };

/** Grants, from their first refresh token on. A refresh must follow the one before within the time in which the former token works. */
export const grantRegister: Register<OnGrant> = {
  kind: 'grant',
  initial: '0',
  operationsOf({ grant, outcome, reason }) {
    if (!grant) return [];
    const { id, does, generation } = grant;
    if (does === 'refresh') {
      // Other reasons say nothing about the register.
      const isJudged = outcome !== 'refused' || reason === 'invalid_grant';
      return isJudged ? [[id, { kind: 'refresh', generation, outcome }]] : [];
    }
    if (does === 'end') return outcome === 'refused' ? [] : [[id, { kind: 'end' }]];
    return outcome === 'unknown' ? [] : [[id, { kind: outcome === 'done' ? 'accepted' : 'refused' }]];
  },
  isWhole: () => true,
  apply(state, operation) {
    switch (operation.kind) {
      case 'accepted':
        return state === ENDED ? undefined : state;
      case 'refused':
        return state === ENDED ? state : undefined;
      case 'end':
        return ENDED;
      case 'refresh': {
        const { generation, outcome } = operation;
        const isKnown = state === String(generation) || state === String(generation + 1);
        if (outcome === 'unknown') return isKnown ? String(generation + 1) : ENDED;
        if (outcome === 'done') return isKnown ? String(generation + 1) : undefined;
        return isKnown ? undefined : ENDED;
      }
    }
  },
};
