// Mutants that behave like the source, so that no test can kill them. The run fails if a test kills one, or if one is gone.
import type { Explanation } from './report.ts';

const bySource: Readonly<Record<string, readonly Omit<Explanation, 'source'>[]>> = {
  'server/src/tokens/token.ts': [
    {
      within: "const [header = '', payload = '', signatureText = '', ...more] = token.split('.', 4);",
      was: '4',
      becomes: '5',
      reason: 'One part too many is rejected like two.',
    },
    {
      within: 'for (let index = s.length - 1; index >= 0; index--) {',
      was: '-',
      becomes: '+',
      reason: 'A buffer has no bytes past its end, so nothing is read or written there.',
    },
    {
      within: 'const difference = (ORDER[index] ?? 0) - (s[index] ?? 0) - borrow;',
      was: 'ORDER[index] ?? 0',
      becomes: 'ORDER[index]',
      reason: 'The order has as many bytes as a signature half: the default is only for the compiler.',
    },
    {
      within: 'const difference = (ORDER[index] ?? 0) - (s[index] ?? 0) - borrow;',
      was: 's[index] ?? 0',
      becomes: 's[index]',
      reason: 'As above.',
    },
    {
      within: 'return Buffer.compare(s, HALF_ORDER) > 0;',
      was: '>',
      becomes: '>=',
      reason: 'Only a signature with exactly that number differs: one of about 10^76.',
    },
    {
      within: 'const difference = (ORDER[index] ?? 0) - (s[index] ?? 0) - borrow;',
      was: '0',
      becomes: '1',
      reason: 'The defaults are never used: they are only for the compiler.',
    },
    {
      within: 'return isObject(value) ? value : undefined;',
      was: 'isObject(value) ? value : undefined',
      becomes: 'value',
      reason: 'A value that is no object names no issuer, and is refused for that.',
    },
    {
      within: "return typeof value === 'object' && value !== null;",
      was: '&&',
      becomes: '||',
      reason: 'As above.',
    },
    {
      within: 'const MAX_TOKEN_LENGTH = 8192;',
      was: '8192',
      becomes: '8193',
      reason: 'Base64 cannot give a token of that length.',
    },
    {
      within: 's[index] = difference + 256 * borrow;',
      was: '+',
      becomes: '-',
      reason: 'A byte keeps the last eight bits, which are the same for both.',
    },
  ],
  'server/src/revocation-feed/cursor.ts': [
    {
      within: 'export const START: Position = { transactionId: 0, number: 0 };',
      was: '0',
      becomes: '1',
      reason: 'No transaction has an id below 1, and no revocation a number below 1.',
    },
  ],
  'server/src/revocation-feed/feed.ts': [
    {
      within: "const newEpoch = () => random.bytes(6).toString('hex');",
      was: '6',
      becomes: '7',
      reason: 'One more random byte: cursors get two characters longer.',
    },
  ],
  'server/src/revocation-feed/store.sql.ts': [
    {
      within: '.values({ id: 1, epoch })',
      was: '1',
      becomes: '2',
      reason: 'The one row of the table has the same id at each start.',
    },
    {
      within: 'const timeline = Number.parseInt(row.timeline, 16);',
      was: '16',
      becomes: '17',
      reason: 'The number only has to differ between timelines, as it does in either base.',
    },
    {
      within: 'if (session_id !== null) return { sessionId: session_id, generation: generation ?? 0 };',
      was: 'generation ?? 0',
      becomes: 'generation',
      reason: 'A row with a session has a generation: the default is only for the compiler.',
    },
    {
      within: 'if (session_id !== null) return { sessionId: session_id, generation: generation ?? 0 };',
      was: '0',
      becomes: '1',
      reason: 'As above.',
    },
    {
      within: 'return key_id === null ? { issuedBefore: toInstant(issued_before ?? 0) } : { keyId: key_id };',
      was: 'issued_before ?? 0',
      becomes: 'issued_before',
      reason: 'A row without a session and a key has an instant: the default is only for the compiler.',
    },
    {
      within: 'return key_id === null ? { issuedBefore: toInstant(issued_before ?? 0) } : { keyId: key_id };',
      was: '0',
      becomes: '1',
      reason: 'As above.',
    },
  ],
  'server/src/revocation-feed/tail.ts': [
    {
      within: 'let isDue = false;',
      was: 'false',
      becomes: 'true',
      reason: 'Each read begins by setting it to false.',
    },
  ],
  'server/src/lockout/lockouts.ts': [
    {
      within: 'let wasLocked = false;',
      was: 'false',
      becomes: 'true',
      reason: 'The next statement always sets it: the first value is only for the compiler.',
    },
    {
      within:
        'const reserved = await database.transaction((tx) => tryToReserve(tx, subject, policy), { durable: false });',
      was: 'false',
      becomes: 'true',
      reason: 'The transaction waits for the disk, with the same result.',
    },
  ],
  'server/src/lockout/store.sql.ts': [
    {
      within: "if (!row) throw new Error('An upsert gave no row.');",
      was: '!row',
      becomes: 'false',
      reason: 'An upsert always returns its row: the condition is only for the compiler.',
    },
    {
      within: "if (!row) throw new Error('An upsert gave no row.');",
      was: "throw new Error('An upsert gave no row.');",
      becomes: ';',
      reason: 'As above.',
    },
    {
      within: 'rows.flatMap(({ subject, locked_until }) => (locked_until === null ? [] : [[subject, locked_until]])),',
      was: 'locked_until === null ? [] : [[subject, locked_until]]',
      becomes: '[[subject, locked_until]]',
      reason: 'The query returns no row without a lock: the condition is only for the compiler.',
    },
  ],
  'server/src/rate-limits/window.ts': [
    {
      within: 'if (refusedAt === null) return windowEnd;',
      was: 'refusedAt === null',
      becomes: 'false',
      reason: 'Without the condition, the refusal counts as one of 1970, which every window outlasts.',
    },
    {
      within: 'const waits = [one, other].map(({ remaining, resetSeconds }) => (remaining === 0 ? resetSeconds : 0));',
      was: '0',
      becomes: '1',
      reason: 'One of the two is a refusal, whose wait is a second at least.',
    },
  ],
  'server/src/pins/pins.ts': [
    {
      within: 'keep: () => store.saveBudget(tx.sql, kind, subject, budget),',
      was: 'store.saveBudget(tx.sql, kind, subject, budget)',
      becomes: 'undefined',
      reason: 'It writes the stored value again, only so that a request without a message takes as long.',
    },
  ],
  'server/src/pins/store.sql.ts': [
    {
      within: 'const NEVER = toInstant(0);',
      was: '0',
      becomes: '1',
      reason: 'One millisecond later is as long ago.',
    },
    {
      within: '.where(isPast)',
      was: '.where(isPast)',
      becomes: '',
      reason: 'The condition is for a budget that is used while the statement waits for its row.',
    },
  ],
  'server/src/tokens/signatures.ts': [
    {
      within: 'const MOST_ON_POOL = 32;',
      was: '32',
      becomes: '33',
      reason: 'One more on the pool delays a commit by less than 0.1 ms.',
    },
  ],
  'server/src/tokens/verified-tokens.ts': [
    {
      within: 'const GENERATION = 10_000;',
      was: '10_000',
      becomes: '10001',
      reason: 'A limit of memory with one more token.',
    },
    {
      within: "const [header = ''] = token.split('.', 1);",
      was: '1',
      becomes: '2',
      reason: 'Only the first part is used.',
    },
    {
      within: 'remember(token, { ...found, exp: 0 });',
      was: '0',
      becomes: '1',
      reason: 'One second later it has expired as well.',
    },
  ],
  'server/src/tokens/store.sql.ts': [
    {
      within: ".when(eb.fn.coalesce('tokens_expire_at', 'expires_at'), '>', given('tokensExpireAt'))",
      was: "'>'",
      becomes: "'>='",
      reason: 'Of two equal times either is the later one.',
    },
  ],
  'server/src/tokens/sessions.ts': [
    {
      within: 'if (mustEnroll !== session.mustEnroll) await store.requireEnrollment(tx.sql, sessionId, mustEnroll);',
      was: 'mustEnroll !== session.mustEnroll',
      becomes: 'true',
      reason: 'Writes the value that the session has: one statement more.',
    },
    {
      within: 'const EXPIRED_BATCH = 500;',
      was: '500',
      becomes: '501',
      reason: 'The next batch deletes what this one leaves.',
    },
    {
      within: 'userAgent: origin.userAgent?.slice(0, 256) ?? null,',
      was: 'origin.userAgent?.slice(0, 256) ?? null',
      becomes: 'origin.userAgent?.slice(0, 256)',
      reason: 'A column that is left out is stored as null too: the default is only for the compiler.',
    },
  ],
  'server/src/rate-limits/store.memory.ts': [
    {
      within: 'const CAPACITY = 100_000;',
      was: '100_000',
      becomes: '100001',
      reason: 'A limit of memory with one more address.',
    },
  ],
  'server/src/rate-limits/store.sql.ts': [
    {
      within: 'if (refused) refusals.keep(key, window, endOf(window, limits), now);',
      was: 'refused',
      becomes: 'true',
      reason: 'A window without a refusal refuses nothing: it only takes a place in memory.',
    },
    {
      within: 'const REMEMBERED_REFUSALS = 10_000;',
      was: '10_000',
      becomes: '10001',
      reason: 'A limit of memory with one more refusal. A forgotten refusal costs one query.',
    },
    {
      within: 'refusals.sweep(now);',
      was: 'refusals.sweep(now);',
      becomes: ';',
      reason: 'It frees memory and affects no decision.',
    },
  ],
  'server/src/factors/passkeys.ts': [
    {
      within: 'const assertion = await webAuthn.verifyAssertion(credential, passkey ?? NO_PASSKEY, mustVerifyUser);',
      was: 'passkey ?? NO_PASSKEY',
      becomes: 'passkey',
      reason: 'An unknown passkey is refused as well, only without the work that a known one takes.',
    },
  ],
  'server/src/passwords/queue.ts': [
    {
      within: 'const holdsShare = requester.some((key) => (inFlight.get(key) ?? 0) >= share);',
      was: 'inFlight.get(key) ?? 0',
      becomes: 'inFlight.get(key)',
      reason: 'Nothing is never as much as a share: the default is only for the compiler.',
    },
    {
      within: 'const holdsShare = requester.some((key) => (inFlight.get(key) ?? 0) >= share);',
      was: '0',
      becomes: '1',
      reason: 'A share is at least ten.',
    },
    {
      within: 'if (left === 0) inFlight.delete(key);',
      was: 'left === 0',
      becomes: 'false',
      reason: 'Only memory differs: a count of nothing is kept.',
    },
    {
      within: "const lane = requester[0] ?? '';",
      was: "requester[0] ?? ''",
      becomes: 'requester[0]',
      reason: 'Callers without keys share a lane, whatever its name.',
    },
  ],
  'server/src/app/supervisor.ts': [
    {
      within: 'replace(number, worker, code ?? 128 + (signal ? constants.signals[signal] : 0)),',
      was: 'signal ? constants.signals[signal] : 0',
      becomes: 'constants.signals[signal]',
      reason: 'A process ends with a code or by a signal.',
    },
    {
      within: 'replace(number, worker, code ?? 128 + (signal ? constants.signals[signal] : 0)),',
      was: '0',
      becomes: '1',
      reason: 'As above.',
    },
  ],
  'server/src/app/worker-link.ts': [
    {
      within: 'export const GATHER_SECONDS = 3;',
      was: '3',
      becomes: '4',
      reason: 'A limit of time with one more second.',
    },
    {
      within: 'asked.delete(request);',
      was: 'asked.delete(request);',
      becomes: ';',
      reason: 'Only memory differs.',
    },
  ],
  'server/src/app/worker-metrics.ts': [
    {
      within: 'const REPORT_MS = 2500;',
      was: '2500',
      becomes: '2501',
      reason: 'A limit of time with one more millisecond.',
    },
    {
      within: 'open.delete(request);',
      was: 'open.delete(request);',
      becomes: ';',
      reason: 'Only memory differs.',
    },
  ],
};

export const explanations: readonly Explanation[] = Object.entries(bySource).flatMap(([source, ofSource]) =>
  ofSource.map((explanation) => ({ source, ...explanation })),
);
