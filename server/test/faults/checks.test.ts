// The checks of a ledger: each finds the violation planted for it, and reports nothing for a sound ledger.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { describe, it, type TestContext } from 'node:test';
import { type Aftermath, findViolations, type Rule } from './checks.ts';
import { createLedger, type Deed, type Entry, type Result } from './ledger.ts';
import { createPerson } from './person.ts';

let number = 0;

/** An operation that ran from `startedAt` to `endedAt`. */
function entry(startedAt: number, endedAt: number, facts: Partial<Deed & Result> = {}): Entry {
  number += 1;
  const { text = '', ...known } = facts;
  const canaries = text.match(/canary-\w+/g) ?? [];
  return { call: 'call', caller: 'canary-me', outcome: 'done', number, startedAt, endedAt, canaries, ...known };
}

const rulesOf = (entries: Entry[], aftermath?: Aftermath): Rule[] =>
  findViolations(entries, aftermath).map(({ rule }) => rule);

const refresh = (from: string, to: string, startedAt: number, endedAt: number, more: Partial<Deed & Result> = {}) =>
  entry(startedAt, endedAt, {
    call: 'refresh',
    shows: [`token:${from}`, 'session:s'],
    uses: [`refresh:${from}`],
    ends: [`token:${from}`],
    gives: [`token:${to}`],
    ...more,
  });
const signIn = (token: string, startedAt: number, endedAt: number) =>
  entry(startedAt, endedAt, { call: 'signIn', gives: [`token:${token}`, 'session:s'] });
const use = (token: string, startedAt: number, endedAt: number, more: Partial<Deed & Result> = {}) =>
  entry(startedAt, endedAt, { call: 'use', shows: [`token:${token}`, 'session:s'], ...more });
const dead = { outcome: 'refused', status: 401 } as const;
const signOff = (startedAt: number, endedAt: number, more: Partial<Deed & Result> = {}) =>
  entry(startedAt, endedAt, { call: 'signOff', shows: ['session:s'], ends: ['session:s'], ...more });

describe('single use', () => {
  it('is broken by two successful refreshes of one token, also when they overlap', () => {
    assert.deepEqual(rulesOf([refresh('a', 'b', 0, 5), refresh('a', 'c', 1, 6)]), ['used once']);
  });

  it('is broken by a pin, a reset token or a proof that was used twice', () => {
    const redeem = (startedAt: number) => entry(startedAt, startedAt + 1, { uses: ['pin:1'] });
    assert.deepEqual(rulesOf([redeem(0), redeem(2)]), ['used once']);
  });

  it('is kept when one use succeeded and the others were refused or have no known outcome', () => {
    const others = [refresh('a', 'c', 0, 5, dead), refresh('a', 'd', 1, 6, { outcome: 'unknown' })];
    assert.deepEqual(rulesOf([refresh('a', 'b', 0, 5), ...others]), []);
  });
});

describe('revocation', () => {
  it('is broken by a token that works after its refresh was acknowledged', () => {
    assert.deepEqual(rulesOf([refresh('a', 'b', 0, 5), use('a', 6, 7)]), ['dead is dead']);
  });

  it('is broken by a token that works after its session ended: sign-off, password change, deactivation', () => {
    assert.deepEqual(rulesOf([signOff(0, 5), use('a', 6, 7)]), ['dead is dead']);
    assert.deepEqual(rulesOf([signOff(0, 5), refresh('a', 'b', 6, 7)]), ['dead is dead']);
  });

  it('is kept by a use that overlaps the end, and by an end that was not acknowledged', () => {
    assert.deepEqual(rulesOf([use('a', 4, 7), signOff(0, 5)]), []);
    assert.deepEqual(rulesOf([signOff(0, 5, { outcome: 'unknown' }), use('a', 6, 7)]), []);
  });

  it('is kept by a second sign-off of the session', () => {
    assert.deepEqual(rulesOf([signIn('a', 0, 1), signOff(2, 3), signOff(4, 5)]), []);
  });
});

describe('an acknowledged operation', () => {
  it('is broken by a token that was issued and is refused, although no operation ended it', () => {
    assert.deepEqual(rulesOf([signIn('a', 0, 1), use('a', 2, 3, dead)]), ['acknowledged holds']);
    assert.deepEqual(rulesOf([signIn('a', 0, 1), refresh('a', 'b', 2, 3), use('b', 4, 5, dead)]), [
      'acknowledged holds',
    ]);
  });

  it('is broken by a refused sign-off of a session that no operation ended', () => {
    assert.deepEqual(rulesOf([signIn('a', 0, 1), signOff(2, 3, dead)]), ['acknowledged holds']);
    assert.deepEqual(rulesOf([signIn('a', 0, 1), signOff(2, 3), signOff(4, 5, dead)]), []);
    assert.deepEqual(rulesOf([signIn('a', 0, 1), signOff(2, 3, { outcome: 'unknown' }), signOff(4, 5, dead)]), []);
  });

  it('is kept when an operation without an answer may have ended the token, or a refusal says "not now"', () => {
    const doubtful = refresh('a', 'b', 2, 3, { outcome: 'unknown' });
    assert.deepEqual(rulesOf([signIn('a', 0, 1), doubtful, use('a', 4, 5, dead)]), []);
    assert.deepEqual(rulesOf([signIn('a', 0, 1), signOff(2, 9), use('a', 3, 4, dead)]), []);
    assert.deepEqual(rulesOf([signIn('a', 0, 1), use('a', 2, 3, { outcome: 'refused', status: 429 })]), []);
    assert.deepEqual(rulesOf([signIn('a', 0, 5), use('a', 2, 6, dead)]), []);
  });
});

describe('attempts', () => {
  const guess = (at: number, reason?: string) =>
    entry(at, at + 1, { guesses: 'lock:1', outcome: reason ? 'refused' : 'done', status: reason ? 401 : 200, reason });
  const wrong = 'signIn.invalidCredentials';

  it('are broken by one more than the lock allows', () => {
    const guesses = Array.from({ length: 6 }, (_, index) => guess(index, wrong));
    assert.deepEqual(rulesOf(guesses), ['guesses are counted']);
    assert.deepEqual(rulesOf(guesses, { allowedGuesses: 6 }), []);
  });

  it('are broken by a right one that was verified after the lock had closed', () => {
    assert.deepEqual(rulesOf([guess(0, 'signIn.lockedOut'), guess(2)]), ['guesses are counted']);
    assert.deepEqual(rulesOf([guess(0), guess(2, 'signIn.lockedOut')]), []);
  });
});

describe('answers', () => {
  it('are broken by the canary of another caller', () => {
    assert.deepEqual(rulesOf([entry(0, 1, { text: 'for canary-me and canary-you' })]), ['answers are their caller’s']);
    assert.deepEqual(rulesOf([entry(0, 1, { text: 'for canary-me' })]), []);
  });
});

describe('faults of the service itself', () => {
  it('break a promise', () => {
    assert.deepEqual(rulesOf([entry(0, 1, { outcome: 'unknown', status: 500 })]), ['never a 500']);
    assert.deepEqual(rulesOf([entry(0, 1, { outcome: 'unknown', status: 503 })]), []);
  });
});

describe('people', () => {
  it('are broken by a second account', () => {
    assert.deepEqual(rulesOf([], { accounts: ['a@x', 'b@x', 'a@x'] }), ['one account each']);
    assert.deepEqual(rulesOf([], { accounts: ['a@x', 'b@x'] }), []);
  });
});

describe('messages', () => {
  const ask = (outcome: Result['outcome']) => entry(0, 1, { promises: 'a@x', outcome });

  it('are broken by one that was promised and did not arrive', () => {
    assert.deepEqual(rulesOf([ask('done')], { deliveries: [] }), ['promised messages arrive']);
    assert.deepEqual(rulesOf([ask('done')], { deliveries: ['a@x'] }), []);
    assert.deepEqual(rulesOf([ask('unknown')], { deliveries: [] }), []);
  });

  it('are broken by a second duplicate, and kept with one duplicate', () => {
    assert.deepEqual(rulesOf([ask('done')], { deliveries: ['a@x', 'a@x', 'a@x'] }), ['one duplicate at most']);
    assert.deepEqual(rulesOf([ask('unknown')], { deliveries: ['a@x', 'a@x'] }), []);
  });
});

describe('a person', () => {
  /** A person of a service that answers every call but the sign-in in the same way, and who has signed in. */
  async function signedIn(t: TestContext, status: number, text: string) {
    const payload = Buffer.from('{"jti":"a","sid":"s"}').toString('base64url');
    const opened = JSON.stringify({ result: { accessToken: `x.${payload}.x` } });
    const server = createServer((request, response) => {
      request.resume();
      const isSignIn = request.url?.endsWith('/Authenticate');
      response.writeHead(isSignIn ? 200 : status).end(isSignIn ? opened : text);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.after(() => server.close());
    const address = server.address();
    const url = () => `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
    const ledger = createLedger();
    const person = createPerson({ ledger, url, userName: 'canary-me', mobileNumber: '+1', password: 'right' });
    const held = await person.signIn();
    assert.ok(held);
    return { person, held, rules: () => rulesOf([...ledger.entries]), entries: ledger.entries };
  }

  it('records a refused sign-off as one of a session that is open', async (t) => {
    const { person, held, rules } = await signedIn(t, 401, '{"error":{"reason":"token.revoked"}}');
    await person.signOff(held);
    assert.deepEqual(rules(), ['acknowledged holds', 'one order explains a session']);
  });

  it('records the status and the text of a 500 that is not JSON', async (t) => {
    const { person, held, rules } = await signedIn(t, 500, 'Internal Server Error: canary-you');
    await person.refresh(held);
    await person.askPin();
    assert.deepEqual(rules(), [
      'answers are their caller’s',
      'answers are their caller’s',
      'never a 500',
      'never a 500',
    ]);
  });

  it('does not know the outcome of an answer that is not JSON, and reads its text', async (t) => {
    const { person, held, rules, entries } = await signedIn(t, 200, '<p>canary-you</p>');
    assert.equal((await person.refresh(held)).held, undefined);
    assert.deepEqual([entries[1]?.outcome, entries[1]?.status], ['unknown', 200]);
    assert.deepEqual(rules(), ['answers are their caller’s']);
  });
});

describe('the ledger', () => {
  it('records start, end and answer in the order of the ends, and the canaries found in each answer', async () => {
    let now = 0;
    const ledger = createLedger(() => now++);
    const slow = Promise.withResolvers<{ status: number; text: string }>();
    const first = ledger.record({ call: 'slow', caller: 'canary-a' }, () => slow.promise);
    await ledger.record({ call: 'fast', caller: 'canary-b' }, async () => ({ status: 401, reason: 'no', text: '' }));
    slow.resolve({ status: 200, text: 'canary-a canary-b canary-a' });
    await first;
    const [fast, last] = ledger.entries;
    assert.deepEqual([fast?.call, fast?.outcome, fast?.reason], ['fast', 'refused', 'no']);
    assert.deepEqual([last?.call, last?.outcome, last?.startedAt, last?.endedAt], ['slow', 'done', 0, 3]);
    assert.deepEqual(last?.canaries, ['canary-a', 'canary-b']);
  });

  it('records no effect for an operation that got no answer, or a failure', async () => {
    const ledger = createLedger();
    const cut = await ledger.record({ call: 'cut', caller: 'me' }, () => Promise.reject(new Error('cut')));
    await ledger.record({ call: 'busy', caller: 'me' }, async () => ({ status: 503, text: '' }));
    await ledger.record(
      { call: 'judged', caller: 'me' },
      async () => ({ status: 200, text: '' }),
      () => ({ outcome: 'refused' }),
    );
    assert.equal(cut, undefined);
    assert.deepEqual(
      ledger.entries.map(({ outcome }) => outcome),
      ['unknown', 'unknown', 'refused'],
    );
    assert.deepEqual(ledger.summary().cut, { done: 0, refused: 0, unknown: 1 });
  });
});
