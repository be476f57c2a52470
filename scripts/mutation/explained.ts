// Mutants that no test can notice, because they behave as the source does: each with the reason. One that a test does
// kill, or that is none any more, fails the run.

/** Names a mutant by the file, the line's text, and what on it becomes what. */
export type Explanation = {
  readonly source: string;
  readonly within: string;
  readonly was: string;
  readonly becomes: string;
  readonly reason: string;
};

export const explanations: readonly Explanation[] = [
  {
    source: 'server/src/tokens/token.ts',
    within: "const [header = '', payload = '', signatureText = '', ...more] = token.split('.', 4);",
    was: '4',
    becomes: '5',
    reason: 'One part too many is as bad as two.',
  },
  {
    source: 'server/src/lockout/lockouts.ts',
    within:
      'const reserved = await database.transaction((tx) => tryToReserve(tx, subject, policy), { durable: false });',
    was: 'false',
    becomes: 'true',
    reason: 'It waits for the disk, and is as right.',
  },
  {
    source: 'server/src/lockout/store.sql.ts',
    within: "if (!row) throw new Error('An upsert gave no row.');",
    was: '!row',
    becomes: 'false',
    reason: 'An upsert always gives its row: the condition only tells the compiler.',
  },
  {
    source: 'server/src/lockout/store.sql.ts',
    within: "if (!row) throw new Error('An upsert gave no row.');",
    was: "throw new Error('An upsert gave no row.');",
    becomes: ';',
    reason: 'As above.',
  },
  {
    source: 'server/src/lockout/store.sql.ts',
    within: 'rows.flatMap(({ subject, locked_until }) => (locked_until === null ? [] : [[subject, locked_until]])),',
    was: 'locked_until === null ? [] : [[subject, locked_until]]',
    becomes: '[[subject, locked_until]]',
    reason: 'The query gives no row without a lock: the condition only tells the compiler.',
  },
  {
    source: 'server/src/rate-limits/window.ts',
    within: 'if (refusedAt === null) return windowEnd;',
    was: 'refusedAt === null',
    becomes: 'false',
    reason: 'No refusal counts as one of 1970, which any window outlasts.',
  },
  {
    source: 'server/src/tokens/token.ts',
    within: 'for (let index = s.length - 1; index >= 0; index--) {',
    was: '-',
    becomes: '+',
    reason: 'Past its end a buffer has nothing that is read or written.',
  },
  {
    source: 'server/src/tokens/token.ts',
    within: 'const difference = (ORDER[index] ?? 0) - (s[index] ?? 0) - borrow;',
    was: 'ORDER[index] ?? 0',
    becomes: 'ORDER[index]',
    reason: 'The order has as many bytes as a signature half: the default only tells the compiler.',
  },
  {
    source: 'server/src/tokens/token.ts',
    within: 'const difference = (ORDER[index] ?? 0) - (s[index] ?? 0) - borrow;',
    was: 's[index] ?? 0',
    becomes: 's[index]',
    reason: 'As above.',
  },
  {
    source: 'server/src/pins/pins.ts',
    within: 'keep: () => store.saveBudget(tx.sql, kind, subject, budget),',
    was: 'store.saveBudget(tx.sql, kind, subject, budget)',
    becomes: 'undefined',
    reason: 'It writes what stands there: only so that what nobody is sent takes as long.',
  },
  {
    source: 'server/src/tokens/token.ts',
    within: 'return Buffer.compare(s, HALF_ORDER) > 0;',
    was: '>',
    becomes: '>=',
    reason: 'It matters to a signature with that very number alone: one of some 10^76.',
  },
  {
    source: 'server/src/tokens/token.ts',
    within: 'const difference = (ORDER[index] ?? 0) - (s[index] ?? 0) - borrow;',
    was: '0',
    becomes: '1',
    reason: 'The defaults are never used: they only tell the compiler.',
  },
  {
    source: 'server/src/tokens/token.ts',
    within: 'return isObject(value) ? value : undefined;',
    was: 'isObject(value) ? value : undefined',
    becomes: 'value',
    reason: 'What is no object names no issuer, and is refused for that.',
  },
  {
    source: 'server/src/tokens/token.ts',
    within: "return typeof value === 'object' && value !== null;",
    was: '&&',
    becomes: '||',
    reason: 'As above.',
  },
  {
    source: 'server/src/pins/store.sql.ts',
    within: 'const NEVER = toInstant(0);',
    was: '0',
    becomes: '1',
    reason: 'A thousandth of a second later it is as long ago.',
  },
  {
    source: 'server/src/tokens/token.ts',
    within: 'const MAX_TOKEN_LENGTH = 8192;',
    was: '8192',
    becomes: '8193',
    reason: 'No token of ours can be of that length: base64 leaves it out.',
  },
  {
    source: 'server/src/tokens/token.ts',
    within: 's[index] = difference + 256 * borrow;',
    was: '+',
    becomes: '-',
    reason: 'A byte keeps the last eight bits, which are the same of either.',
  },
  {
    source: 'server/src/tokens/sessions.ts',
    within: 'const EXPIRED_BATCH = 500;',
    was: '500',
    becomes: '501',
    reason: 'Of what one batch leaves the next takes care.',
  },
  {
    source: 'server/src/pins/store.sql.ts',
    within: '.where(isPast)',
    was: '.where(isPast)',
    becomes: '',
    reason: 'It is for a budget that is used while the statement waits for its row.',
  },
  {
    source: 'server/src/rate-limits/store.memory.ts',
    within: 'const CAPACITY = 100_000;',
    was: '100_000',
    becomes: '100001',
    reason: 'One address more in a bound of memory.',
  },
  {
    source: 'server/src/rate-limits/store.sql.ts',
    within: 'const REMEMBERED_REFUSALS = 10_000;',
    was: '10_000',
    becomes: '10001',
    reason: 'One refusal more in a bound of memory; a forgotten one costs a question to the database.',
  },
  {
    source: 'server/src/rate-limits/store.sql.ts',
    within: 'refusals.sweep(now);',
    was: 'refusals.sweep(now);',
    becomes: ';',
    reason: 'Memory hangs on it, and no decision.',
  },
  {
    source: 'server/src/tokens/sessions.ts',
    within: 'remember(token, { ...found, exp: 0 });',
    was: '0',
    becomes: '1',
    reason: 'A second later it has expired as long ago.',
  },
  {
    source: 'server/src/tokens/sessions.ts',
    within: 'userAgent: origin.userAgent?.slice(0, 256) ?? null,',
    was: 'origin.userAgent?.slice(0, 256) ?? null',
    becomes: 'origin.userAgent?.slice(0, 256)',
    reason: 'What is left out of a row is stored as null, too: the default only tells the compiler.',
  },
  {
    source: 'server/src/tokens/sessions.ts',
    within: 'const GENERATION = 10_000;',
    was: '10_000',
    becomes: '10001',
    reason: 'One token more in a bound of memory.',
  },
];
