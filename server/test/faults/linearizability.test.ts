// Linearizability of sessions and grants: the checker finds what is planted, agrees with all orders, and finds nothing in sound histories.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { findViolations } from './checks.ts';
import type { Entry, Outcome } from './ledger.ts';
import { findUnexplained } from './linearizability.ts';

type Facts = Partial<Pick<Entry, 'outcome' | 'reason' | 'shows' | 'ends' | 'gives' | 'grant'>>;

let number = 0;
function entry(startedAt: number, endedAt: number, facts: Facts): Entry {
  number += 1;
  return { call: 'call', caller: 'me', outcome: 'done', number, startedAt, endedAt, canaries: [], ...facts };
}

const shows = (token: string) => [`token:${token}`, 'session:s'];
const revoked = { outcome: 'refused', reason: 'token.revoked' } as const;
const unknown = { outcome: 'unknown' } as const;
const signIn = (token: string, start: number, end: number) => entry(start, end, { gives: shows(token) });
const use = (token: string, start: number, end: number, more: Facts = {}) =>
  entry(start, end, { shows: shows(token), ...more });
const refresh = (from: string, to: string, start: number, end: number, { outcome = 'done', ...more }: Facts = {}) =>
  entry(start, end, {
    shows: shows(from),
    ends: [`token:${from}`],
    ...(outcome === 'done' && { gives: shows(to) }),
    outcome,
    ...more,
  });
const signOff = (start: number, end: number, more: Facts = {}) =>
  entry(start, end, { shows: ['session:s'], ends: ['session:s'], ...more });

const isSound = (...entries: Entry[]) => findUnexplained(entries).length === 0;

describe('a session', () => {
  it('is no register when a check accepts a token after a check that saw its successor: a stale read', () => {
    // Each operation overlaps the refresh, so that no single pair of them breaks a promise.
    const history = [signIn('a', 0, 1), refresh('a', 'b', 2, 90), use('a', 10, 11, revoked), use('a', 20, 21)];
    assert.equal(isSound(...history), false);
    assert.deepEqual(
      findViolations(history).map(({ rule }) => rule),
      ['one order explains a session'],
    );
    assert.equal(
      isSound(signIn('a', 0, 1), refresh('a', 'b', 2, 90), use('a', 10, 20, revoked), use('a', 11, 21)),
      true,
    );
  });

  it('is no register when two refreshes of one token succeed', () => {
    assert.equal(isSound(signIn('a', 0, 1), refresh('a', 'b', 2, 9), refresh('a', 'c', 3, 8)), false);
    assert.equal(isSound(signIn('a', 0, 1), refresh('a', 'b', 2, 9), refresh('a', 'c', 3, 8, revoked)), true);
    assert.equal(isSound(signIn('a', 0, 1), refresh('a', 'b', 2, 9), refresh('a', 'c', 3, 8, unknown)), true);
  });

  it('is no register when a token comes back after a refresh without an answer had replaced it', () => {
    const lost = refresh('a', 'b', 2, 3, unknown);
    assert.equal(isSound(signIn('a', 0, 1), lost, use('a', 4, 5, revoked), use('a', 6, 7)), false);
    assert.equal(isSound(signIn('a', 0, 1), lost, use('a', 4, 5), use('a', 6, 7, revoked)), true);
    assert.equal(isSound(signIn('a', 0, 1), lost, use('a', 4, 5)), true);
    assert.equal(isSound(signIn('a', 0, 1), lost, use('a', 4, 5, revoked), refresh('a', 'c', 6, 7)), false);
  });

  it('is no register when it goes on after its end', () => {
    assert.equal(isSound(signIn('a', 0, 1), signOff(2, 3), use('a', 4, 5)), false);
    assert.equal(isSound(signIn('a', 0, 1), signOff(2, 9), refresh('a', 'b', 3, 10), use('b', 11, 12)), false);
    assert.equal(isSound(signIn('a', 0, 1), signOff(2, 9), refresh('a', 'b', 3, 8), use('b', 8.5, 12)), true);
    const perhaps = signOff(2, 3, unknown);
    assert.equal(isSound(signIn('a', 0, 1), perhaps, use('a', 4, 5), refresh('a', 'b', 6, 7)), true);
    assert.equal(isSound(signIn('a', 0, 1), perhaps, use('a', 4, 5, revoked), refresh('a', 'b', 6, 7)), false);
  });

  it('is no register when it refuses its current token', () => {
    assert.equal(isSound(signIn('a', 0, 1), use('a', 2, 3, revoked)), false);
    assert.equal(isSound(signIn('a', 0, 1), refresh('a', 'b', 2, 3), use('b', 4, 5, revoked)), false);
    assert.equal(isSound(signIn('a', 0, 1), use('a', 2, 3, { outcome: 'refused', reason: 'token.expired' })), true);
  });

  it('is no register when it refuses a sign-off before its end', () => {
    assert.equal(isSound(signIn('a', 0, 1), signOff(2, 3, revoked)), false);
    assert.equal(isSound(signIn('a', 0, 1), signOff(2, 9, revoked), signOff(3, 10)), true);
    assert.equal(isSound(signIn('a', 0, 1), signOff(2, 3, unknown), signOff(4, 5, revoked), use('a', 6, 7)), false);
  });

  it('is judged apart from other sessions, and only if its sign-in is known', () => {
    const other = entry(5, 6, { gives: ['token:x', 'session:t'] });
    assert.equal(isSound(signIn('a', 0, 1), signOff(2, 3), other), true);
    assert.equal(isSound(use('a', 2, 3), use('b', 4, 5)), true);
    const [found] = findUnexplained([other, signIn('a', 0, 1), signOff(2, 3), use('a', 4, 5)]);
    assert.deepEqual([found?.kind, found?.name, found?.entries.length], ['session', 'session:s', 3]);
  });
});

const ofGrant = (does: 'use' | 'refresh' | 'end', generation: number) => {
  return (start: number, end: number, more: Facts = {}) =>
    entry(start, end, { grant: { id: 'g', does, generation }, ...more });
};
const access = ofGrant('use', 0);
const exchange = (generation: number) => ofGrant('refresh', generation);
const revoke = ofGrant('end', 0);
const invalid = { outcome: 'refused', reason: 'invalid_grant' } as const;

describe('the grant of an application', () => {
  it('gives the same again for the former refresh token, and ends for an older one', () => {
    assert.equal(isSound(exchange(0)(1, 2), exchange(0)(3, 4), exchange(1)(5, 6), access(7, 8)), true);
    assert.equal(isSound(exchange(0)(1, 2), exchange(0)(3, 4, invalid)), false);
    assert.equal(isSound(exchange(0)(1, 2), exchange(1)(3, 4), exchange(0)(5, 6)), false);
    const replayed = [exchange(0)(1, 2), exchange(1)(3, 4), exchange(0)(5, 6, invalid)];
    assert.equal(isSound(...replayed, access(7, 8, invalid), exchange(2)(7, 8, invalid)), true);
    assert.equal(isSound(...replayed, access(7, 8)), false);
    assert.equal(isSound(...replayed, exchange(2)(7, 8)), false);
    assert.equal(isSound(exchange(1)(1, 2)), false, 'nobody has got that token');
  });

  it('ends once, and for no other reason', () => {
    assert.equal(isSound(revoke(1, 2), access(3, 4)), false);
    assert.equal(isSound(revoke(1, 9), access(3, 4), exchange(0)(5, 6), access(7, 8, invalid)), true);
    assert.equal(isSound(revoke(1, 9), access(3, 4, invalid), access(5, 6)), false);
    assert.equal(isSound(access(1, 2, invalid)), false);
    assert.deepEqual(
      findViolations([access(1, 2, invalid)]).map(({ rule }) => rule),
      ['one order explains a grant'],
    );
  });

  it('is refreshed once at most by a call without an answer, which may also end it', () => {
    const lost = exchange(0)(1, 2, unknown);
    assert.equal(isSound(lost, exchange(0)(3, 4), exchange(1)(5, 6), access(7, 8)), true);
    assert.equal(isSound(lost, exchange(1)(3, 4)), true);
    assert.equal(isSound(lost, exchange(0)(3, 4), exchange(1)(5, 6), exchange(2)(7, 8, invalid)), true);
    // It has been the reason of the first generation, so it is not that of the end.
    assert.equal(isSound(lost, exchange(1)(3, 4), exchange(2)(5, 6, invalid)), false);
    assert.equal(isSound(exchange(0)(1, 2, { outcome: 'refused', reason: 'slow_down' }), access(3, 4)), true);
  });
});

/** One operation of a generated history. Its answer says what it saw. */
type Drawn = { kind: 'use' | 'refresh' | 'end'; token: number; start: number; length: number; outcome: Outcome };

const drawn: fc.Arbitrary<Drawn> = fc.record({
  kind: fc.constantFrom('use', 'use', 'refresh', 'end'),
  token: fc.nat(2),
  start: fc.integer({ min: 2, max: 12 }),
  length: fc.nat(8),
  outcome: fc.constantFrom<Outcome>('done', 'done', 'refused', 'unknown'),
});

/** Token 0 is the first one; the refresh at `index` gives token `index` + 1. */
function toEntry({ kind, token, start, length, outcome }: Drawn, index: number): Entry {
  const facts = { outcome, ...(outcome === 'refused' && { reason: 'token.revoked' }) };
  if (kind === 'end') return signOff(start, start + length, facts);
  if (kind === 'use') return use(String(token), start, start + length, facts);
  return refresh(String(token), String(index + 1), start, start + length, facts);
}

/** Tries every order of the calls, with each choice of the unanswered ones that took effect. */
function hasOrder(rest: readonly Entry[], state: string, stateAfter: StateAfter): boolean {
  const answered = rest.filter(({ outcome }) => outcome !== 'unknown');
  const earliestEnd = Math.min(...answered.map(({ endedAt }) => endedAt));
  const first = rest.filter(({ startedAt }) => startedAt <= earliestEnd);
  return (
    answered.length === 0 ||
    first.some((one) => {
      const others = rest.filter((other) => other !== one);
      const next = stateAfter(one, state);
      return next !== undefined && hasOrder(others, next, stateAfter);
    })
  );
}

/** Returns the state after an operation, or `undefined` if it cannot have had its outcome. */
type StateAfter = (entry: Entry, state: string) => string | undefined;

function stateOfSession({ shows: [token] = [], ends, gives, outcome }: Entry, state: string): string | undefined {
  if (token === 'session:s') return outcome === 'refused' && state !== 'ended' ? undefined : 'ended';
  if (outcome === 'refused') return state === token ? undefined : state;
  if (state !== token) return undefined;
  return ends ? (gives?.[0] ?? 'not known') : state;
}

function stateOfGrant({ grant, outcome }: Entry, state: string): string | undefined {
  const isRefused = outcome === 'refused';
  const behind = Number(state) - (grant?.generation ?? 0);
  if (grant?.does === 'end') return isRefused ? state : 'ended';
  if (grant?.does === 'use') return isRefused === (state === 'ended') ? state : undefined;
  if (behind === 0 || behind === 1) return isRefused ? undefined : String((grant?.generation ?? 0) + 1);
  return outcome === 'done' ? undefined : 'ended';
}

describe('the checker', () => {
  it('follows a hundred lost answers: what they may have done does not double with each', () => {
    const lost = Array.from({ length: 100 }, (_, index) => exchange(index % 25)(index, index + 1, unknown));
    assert.equal(isSound(...lost, exchange(24)(200, 201), access(202, 203)), true);
    assert.equal(isSound(...lost, exchange(24)(200, 201, invalid), access(202, 203, invalid)), true);
    assert.equal(isSound(...lost, exchange(24)(200, 201), access(202, 203), exchange(23)(204, 205)), false);
  });

  it('agrees with a search through all orders', () => {
    const counts = { sound: 0, broken: 0 };
    const property = fc.property(fc.array(drawn, { minLength: 1, maxLength: 6 }), (some) => {
      const entries = some.map(toEntry);
      const expected = hasOrder(entries, 'token:0', stateOfSession);
      counts[expected ? 'sound' : 'broken'] += 1;
      assert.equal(isSound(signIn('0', 0, 1), ...entries), expected);
      const ofGrants = some.map(({ kind, token, start, length, outcome }) =>
        ofGrant(kind, token)(start, start + length, outcome === 'refused' ? invalid : { outcome }),
      );
      assert.equal(isSound(...ofGrants), hasOrder(ofGrants, '0', stateOfGrant));
    });
    fc.assert(property, { numRuns: 3000 });
    assert.ok(counts.sound > 300 && counts.broken > 300, JSON.stringify(counts));
  });

  it('explains every history of a register, however long its calls take and whichever answers are lost', () => {
    const call = fc.record({
      ...{ before: fc.nat(20), after: fc.nat(20) },
      kind: fc.nat(9),
      token: fc.nat(3),
      lost: fc.nat(5),
    });
    const property = fc.property(fc.array(call, { maxLength: 60 }), (calls) => {
      const tokens = ['t0'];
      let current: string | undefined = 't0';
      const entries = calls.map(({ before, after, kind, token, lost }, index) => {
        const at = 30 + 3 * index;
        const known = tokens.at(-1 - token) ?? 't0';
        const isRight = known === current;
        const outcome = lost === 0 ? 'unknown' : isRight ? 'done' : 'refused';
        const facts = { outcome, ...(outcome === 'refused' && revoked) } as const;
        if (kind === 9 && index % 7 === 0) {
          current = undefined;
          return signOff(at - before, at + after, lost === 0 ? unknown : {});
        }
        if (kind < 5) return use(known, at - before, at + after, facts);
        const to = `t${index + 1}`;
        // Without an answer the clients do not know the new token, if there is one.
        if (isRight && lost === 0) current = index % 2 ? 'unknown' : current;
        else if (isRight) {
          current = to;
          tokens.push(to);
        }
        return refresh(known, to, at - before, at + after, facts);
      });
      assert.deepEqual(findUnexplained([signIn('t0', 0, 1), ...entries]), []);
    });
    fc.assert(property, { numRuns: 300 });
  });
});
