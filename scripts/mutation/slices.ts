// The mutated sources (rules, service and statements of each slice), and the tests that must fail, the fastest first.

export type Slice = { readonly sources: readonly string[]; readonly tests: readonly string[] };

const sourcesOf = (slice: string, ...names: string[]) => names.map((name) => `server/src/${slice}/${name}.ts`);
const testsOf = (slice: string, ...names: string[]) => names.map((name) => `server/src/${slice}/${name}.test.ts`);
const attacks = (...names: string[]) => names.map((name) => `server/test/attacks/${name}.test.ts`);

export const slices: Readonly<Record<string, Slice>> = {
  tokens: {
    sources: sourcesOf(
      'tokens',
      'token',
      'signatures',
      'access-tokens',
      'token-verifier',
      'application-tokens',
      'revocations',
      'sessions',
      'store.sql',
      'store.keys.sql',
    ),
    tests: [
      ...testsOf('tokens', 'token', 'signatures', 'application-tokens', 'sessions', 'model', 'store'),
      ...testsOf('revocation-feed', 'model'),
      ...attacks('tokens'),
    ],
  },
  'revocation-feed': {
    sources: [
      ...sourcesOf('revocation-feed', 'cursor', 'feed', 'page', 'store.sql'),
      ...sourcesOf('foundation', 'tail'),
    ],
    tests: [...testsOf('foundation', 'tail'), ...testsOf('revocation-feed', 'cursor', 'feed', 'model', 'order')],
  },
  'audit-feed': { sources: sourcesOf('audit', 'feed'), tests: testsOf('audit', 'feed') },
  'message-tests': {
    sources: sourcesOf('message-tests', 'message-tests'),
    tests: ['server/test/scenarios/message-tests.test.ts'],
  },
  lockout: {
    sources: sourcesOf('lockout', 'lockout', 'lockouts', 'store.sql', 'subject'),
    tests: testsOf('lockout', 'model', 'lockout'),
  },
  pins: {
    sources: [
      ...sourcesOf('proofs', 'pin', 'pins', 'sender', 'one-time-secrets', 'store.sql'),
      ...sourcesOf('budgets', 'budget', 'budgets', 'store.sql'),
    ],
    tests: [
      ...testsOf('budgets', 'budget'),
      ...testsOf('proofs', 'pin', 'model', 'pins', 'sender', 'one-time-secrets'),
    ],
  },
  factors: {
    sources: [
      ...sourcesOf('factors', 'totp', 'authenticators', 'operations', 'recovery-codes', 'trusted-devices', 'enrolled'),
      ...sourcesOf('factors', 'store.sql', 'store.devices.sql'),
    ],
    tests: [
      ...testsOf('factors', 'totp', 'factors', 'enrolled'),
      'server/test/scenarios/my-factors.test.ts',
      'server/test/scenarios/factor-policy.test.ts',
    ],
  },
  passkeys: {
    sources: sourcesOf('factors', 'passkeys', 'assertion-operations', 'webauthn', 'store.passkeys.sql'),
    tests: testsOf('factors', 'passkeys', 'enrolled'),
  },
  authentication: {
    sources: sourcesOf('authentication', 'authentication', 'challenges', 'store.sql'),
    tests: testsOf('authentication', 'authentication', 'store'),
  },
  attempts: {
    sources: sourcesOf('authentication', 'attempts', 'sign-off'),
    tests: testsOf('authentication', 'attempts', 'sign-off', 'owner-verification'),
  },
  'second-factors': {
    sources: sourcesOf('authentication', 'second-factors', 'factor-endings'),
    tests: testsOf('authentication', 'second-factors', 'factor-endings'),
  },
  'owner-verification': {
    sources: sourcesOf('authentication', 'owner-verification', 'refusal-status'),
    tests: testsOf('authentication', 'owner-verification'),
  },
  'account-factors': {
    sources: sourcesOf('account-factors', 'account-factors'),
    tests: testsOf('account-factors', 'account-factors'),
  },
  'sign-in': {
    sources: sourcesOf('sign-in', 'authenticator', 'recovery-code', 'passkey', 'reauthentication'),
    tests: testsOf('sign-in', 'codes', 'passkey', 'reauthentication'),
  },
  'my-factors': {
    sources: sourcesOf('my-factors', 'my-factors', 'my-passkeys'),
    tests: testsOf('my-factors', 'my-factors', 'my-passkeys'),
  },
  'rate-limits': {
    sources: [
      ...sourcesOf('rate-limits', 'window', 'limits', 'headers', 'store.memory', 'store.sql'),
      ...sourcesOf('foundation', 'recent'),
    ],
    tests: [...testsOf('rate-limits', 'window', 'limits', 'store'), ...testsOf('foundation', 'recent')],
  },
  'hash-queue': { sources: sourcesOf('passwords', 'queue'), tests: testsOf('passwords', 'queue') },
  passwords: { sources: sourcesOf('passwords', 'passwords'), tests: testsOf('passwords', 'passwords') },
  grants: {
    sources: sourcesOf('grants', 'grants', 'refresh-token', 'store.sql'),
    tests: [
      ...testsOf('grants', 'store', 'model'),
      'server/test/scenarios/revocations.test.ts',
      'server/test/scenarios/tokens-of-applications.test.ts',
      ...attacks('sign-in-to-applications'),
    ],
  },
  'authorization-request': { sources: sourcesOf('openid', 'request'), tests: testsOf('openid', 'request') },
  'token-exchange': {
    sources: sourcesOf('openid', 'tokens'),
    tests: [
      'server/test/scenarios/token-endpoint.test.ts',
      'server/test/scenarios/tokens-of-applications.test.ts',
      ...attacks('sign-in-to-applications', 'maintainers'),
    ],
  },
  'service-keys': {
    sources: sourcesOf('service-keys', 'service-key', 'service-keys', 'store.sql'),
    tests: [
      ...testsOf('service-keys', 'service-key', 'service-keys'),
      'server/test/scenarios/service-keys.test.ts',
      'server/test/scenarios/managing-keys.test.ts',
    ],
  },
  webhooks: {
    sources: sourcesOf('webhooks', 'webhook', 'webhooks', 'deliveries', 'store.sql'),
    tests: [
      ...testsOf('webhooks', 'webhook', 'store', 'webhooks'),
      'server/test/scenarios/webhooks.test.ts',
      'server/test/scenarios/webhook-bounds.test.ts',
    ],
  },
  workers: {
    sources: sourcesOf('app', 'supervisor', 'worker-link', 'worker-metrics'),
    tests: testsOf('app', 'supervisor', 'worker-link', 'worker-metrics'),
  },
};
