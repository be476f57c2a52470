// Mutants that no test can kill, because they behave like the source, each with the reason. The run fails if a test kills
// one of them, or if one no longer exists.

/** Identifies a mutant by its file, the text of its line, and the replaced text. */
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
    reason: 'One part too many is rejected like two.',
  },
  {
    source: 'server/src/lockout/lockouts.ts',
    within:
      'const reserved = await database.transaction((tx) => tryToReserve(tx, subject, policy), { durable: false });',
    was: 'false',
    becomes: 'true',
    reason: 'The transaction waits for the disk, with the same result.',
  },
  {
    source: 'server/src/lockout/store.sql.ts',
    within: "if (!row) throw new Error('An upsert gave no row.');",
    was: '!row',
    becomes: 'false',
    reason: 'An upsert always returns its row: the condition is only for the compiler.',
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
    reason: 'The query returns no row without a lock: the condition is only for the compiler.',
  },
  {
    source: 'server/src/rate-limits/window.ts',
    within: 'if (refusedAt === null) return windowEnd;',
    was: 'refusedAt === null',
    becomes: 'false',
    reason: 'Without the condition, the refusal counts as one of 1970, which every window outlasts.',
  },
  {
    source: 'server/src/tokens/token.ts',
    within: 'for (let index = s.length - 1; index >= 0; index--) {',
    was: '-',
    becomes: '+',
    reason: 'A buffer has no bytes past its end, so nothing is read or written there.',
  },
  {
    source: 'server/src/tokens/token.ts',
    within: 'const difference = (ORDER[index] ?? 0) - (s[index] ?? 0) - borrow;',
    was: 'ORDER[index] ?? 0',
    becomes: 'ORDER[index]',
    reason: 'The order has as many bytes as a signature half: the default is only for the compiler.',
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
    reason: 'It writes the stored value again, only so that a request without a message takes as long.',
  },
  {
    source: 'server/src/tokens/token.ts',
    within: 'return Buffer.compare(s, HALF_ORDER) > 0;',
    was: '>',
    becomes: '>=',
    reason: 'Only a signature with exactly that number differs: one of about 10^76.',
  },
  {
    source: 'server/src/tokens/token.ts',
    within: 'const difference = (ORDER[index] ?? 0) - (s[index] ?? 0) - borrow;',
    was: '0',
    becomes: '1',
    reason: 'The defaults are never used: they are only for the compiler.',
  },
  {
    source: 'server/src/tokens/token.ts',
    within: 'return isObject(value) ? value : undefined;',
    was: 'isObject(value) ? value : undefined',
    becomes: 'value',
    reason: 'A value that is no object names no issuer, and is refused for that.',
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
    reason: 'One millisecond later is as long ago.',
  },
  {
    source: 'server/src/tokens/token.ts',
    within: 'const MAX_TOKEN_LENGTH = 8192;',
    was: '8192',
    becomes: '8193',
    reason: 'Base64 cannot give a token of that length.',
  },
  {
    source: 'server/src/tokens/token.ts',
    within: 's[index] = difference + 256 * borrow;',
    was: '+',
    becomes: '-',
    reason: 'A byte keeps the last eight bits, which are the same for both.',
  },
  {
    source: 'server/src/tokens/sessions.ts',
    within: 'const EXPIRED_BATCH = 500;',
    was: '500',
    becomes: '501',
    reason: 'The next batch deletes what this one leaves.',
  },
  {
    source: 'server/src/pins/store.sql.ts',
    within: '.where(isPast)',
    was: '.where(isPast)',
    becomes: '',
    reason: 'The condition is for a budget that is used while the statement waits for its row.',
  },
  {
    source: 'server/src/rate-limits/store.memory.ts',
    within: 'const CAPACITY = 100_000;',
    was: '100_000',
    becomes: '100001',
    reason: 'A limit of memory with one more address.',
  },
  {
    source: 'server/src/rate-limits/store.sql.ts',
    within: 'const REMEMBERED_REFUSALS = 10_000;',
    was: '10_000',
    becomes: '10001',
    reason: 'A limit of memory with one more refusal. A forgotten refusal costs one query.',
  },
  {
    source: 'server/src/rate-limits/store.sql.ts',
    within: 'refusals.sweep(now);',
    was: 'refusals.sweep(now);',
    becomes: ';',
    reason: 'It frees memory and affects no decision.',
  },
  {
    source: 'server/src/tokens/sessions.ts',
    within: 'remember(token, { ...found, exp: 0 });',
    was: '0',
    becomes: '1',
    reason: 'One second later it has expired as well.',
  },
  {
    source: 'server/src/tokens/sessions.ts',
    within: 'userAgent: origin.userAgent?.slice(0, 256) ?? null,',
    was: 'origin.userAgent?.slice(0, 256) ?? null',
    becomes: 'origin.userAgent?.slice(0, 256)',
    reason: 'A column that is left out is stored as null too: the default is only for the compiler.',
  },
  {
    source: 'server/src/tokens/sessions.ts',
    within: 'const GENERATION = 10_000;',
    was: '10_000',
    becomes: '10001',
    reason: 'A limit of memory with one more token.',
  },
  {
    source: 'server/src/factors/passkeys.ts',
    within: 'const assertion = await webAuthn.verifyAssertion(credential, passkey ?? NO_PASSKEY, mustVerifyUser);',
    was: 'passkey ?? NO_PASSKEY',
    becomes: 'passkey',
    reason: 'An unknown passkey is refused as well, only without the work that a known one takes.',
  },
];
