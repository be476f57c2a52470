// The texts of the pages, compared with the service's own messages: every one has a translation.
// Alone in its process: it awaits before it declares its tests.
import assert from 'node:assert/strict';
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import type { Calls } from '../sdk/src/calls.ts';
import { actions, errorKinds } from '../server/src/app/catalogue.ts';
import { externalDetails } from '../server/src/providers/index.ts';
import { createRegistering, SEND_BY } from '../server/test/support/registration.ts';
import { startTestService, type TestService, USER_PASSWORD } from '../server/test/support/service.ts';
import { liftLimits } from './support/messages.ts';
import { load } from './support/words.ts';

const { send } = await load('sdk/src/call.ts');
const { describeMessage, describeProblem, keyOfFault } = await load('web/src/ui/problem.ts');
const { details, faults, reasons } = await load('web/src/words/de-service.ts');
const { audit: english } = await load('web/src/words/en-audit.ts');
const { audit: german } = await load('web/src/words/de-audit.ts');
const { audit: french } = await load('web/src/words/fr-audit.ts');
const inFrench = await load('web/src/words/fr-service.ts');
const { loadWords } = await load('web/src/words/index.ts');
const { translateInto } = await load('web/src/words/translation.ts');
const { describeFinding } = await load('web/src/app/overview/finding.ts');

type Refusal = { details: string; validationErrors: { message: string; members: string[] }[] };

/** Characters that grow when folded, beyond what an index holds. */
const LONG = '\u{FDFA}'.repeat(200);
const LONG_ADDRESS = `${LONG}@example.org`;

/** A character without ink, and no white space: the service does not remove it. */
const BRAILLE_BLANK = '\u2800';

const COMPLEXITY = 'Abp.Zero.UserManagement.PasswordComplexity.';

describe('the words of the pages', () => {
  let test: TestService;
  let url: string;
  before(async () => {
    test = await startTestService('sqlite');
    url = await test.app.listen({ host: '127.0.0.1', port: 0 });
    await liftLimits({ test });
    Object.assign(globalThis, { document: { documentElement: {} } });
    await loadWords(['de-DE']);
  });
  after(() => test.close());

  it('translate every reason of the service into German and French', () => {
    for (const translated of [reasons, inFrench.reasons])
      assert.deepEqual(Object.keys(translated).toSorted(), errorKinds.map(({ reason }) => reason).toSorted());
    for (const translated of [details, inFrench.details])
      assert.deepEqual(Object.keys(translated).toSorted(), Object.values(externalDetails).toSorted());
  });

  it('tell every action and every reason of the audit trail in all languages', () => {
    const names = actions.map(({ name }) => name).toSorted();
    const kinds = errorKinds.map(({ reason }) => reason).toSorted();
    for (const { events, reasons: why, groups } of [english, german, french]) {
      assert.deepEqual(Object.keys(events).toSorted(), names);
      assert.deepEqual(Object.keys(why).toSorted(), kinds);
      assert.deepEqual(
        Object.keys(groups).toSorted(),
        [...new Set(names.map((name) => name.split('.')[0]))].toSorted(),
      );
      for (const text of [
        ...Object.values<string>(why),
        ...Object.values<Record<string, string>>(events).flatMap((one) => Object.values(one)),
      ]) {
        assert.match(text, /\p{L}.*\p{L}/u);
      }
    }
  });

  it('translate every validation message into German, and contain no message that the service does not send', async () => {
    const heard = new Set<string>();
    /** Makes a call that is refused. */
    async function hear<Name extends keyof Calls>(name: Name, input: Record<string, unknown>, token?: string) {
      const transport = { baseUrl: url, frontEnd: undefined, fetch };
      const error = await send(transport, name, input, token).then(
        () => assert.fail(`${name} was not refused`),
        (thrown: Refusal) => thrown,
      );
      assert.ok(error.validationErrors.length > 0, `${name}: ${error.details}`);
      const { message } = describeProblem(error);
      for (const fault of error.validationErrors) {
        assert.ok(!message.includes(fault.message), `not in German: ${fault.message}`);
        heard.add(keyOfFault(fault)[0]);
      }
    }
    for (const message of await findImportFaults(test)) {
      const told = describeMessage(message, (member: string) => member);
      assert.ok(!told.includes(message) && told !== message, `not in German: ${message}`);
      heard.add(keyOfFault({ message: message.replace(/^\w+: /, ''), members: [] })[0]);
    }
    await hearAll(test, hear);
    await hearSettings(test, hear);
    assert.deepEqual([...heard].toSorted(), Object.keys(faults).toSorted());
    assert.deepEqual(Object.keys(inFrench.faults).toSorted(), Object.keys(faults).toSorted());
  });

  it('say the risk of SMS where a person gives a number', async () => {
    const tables = ['en', 'languages/de', 'languages/fr'].map((name) => load(`web/src/words/${name}.ts`));
    const [english, german, french] = await Promise.all(tables);
    const risks = [
      [english.en, /takes over your number.*passkey/],
      [german.words, /Ihre Nummer übernimmt.*Passkey/],
      [french.words, /s’empare de votre numéro.*clé d’accès/],
    ] as const;
    for (const [{ account, register }, risk] of risks)
      for (const text of [account.address.mobileNumber.hint, register.mobileReason]) assert.match(text, risk);
  });

  it('leave no English in German and French', async () => {
    const { en } = await load('web/src/words/en.ts');
    for (const tag of ['de', 'fr']) {
      const { words } = await load(`web/src/words/languages/${tag}.ts`);
      const definitions = await words.definitions();
      const inEnglish = {
        ...en,
        service: { reasons: Object.fromEntries(errorKinds.map(({ reason, message }) => [reason, message])) },
        definitions: Object.fromEntries(Object.keys(definitions).map((text) => [text, text])),
      };
      const same = findSame(inEnglish, { ...words, definitions });
      assert.deepEqual(
        same.filter((text) => !INTERNATIONAL.has(text)),
        [],
      );
      assert.ok(same.includes('NIST SP 800-63B-4, AAL1'), 'the comparison finds what is the same');
    }
  });

  it('keep the signs of French with the word before them', async () => {
    const { words } = await load('web/src/words/languages/fr.ts');
    const texts = findTexts({ ...words, definitions: await words.definitions() });
    assert.ok(texts.length > 1000);
    const loose = texts.filter((text) => / [?!;»]| :(?!\S)|« /.test(text));
    assert.deepEqual(loose, []);
    assert.equal(words.common.labelled('Rôle', 'Clerk'), 'Rôle\u00A0: Clerk');
  });

  it('put no duration where German would say “Tagen”', async () => {
    const { words } = await load('web/src/words/languages/de.ts');
    const { attention } = words.overview;
    const texts = [
      words.common.wait('2 Tage'),
      words.pin.resendIn('2 Tage'),
      attention.messagesWaiting(2, 'email', '2 Tage').text,
      attention.chainStandsStill('2 Tage').text,
    ];
    for (const text of texts) assert.match(text, /(?:noch|schon) 2 Tage\b/);
  });

  it('say of a secret that it has expired', () => {
    const expiring = { kind: 'providerSecretsExpire', names: ['Company'], count: 1 };
    const { title: past } = describeFinding({ ...expiring, firstAt: '2026-01-31T00:00:00Z' }, String);
    const { title: future } = describeFinding({ ...expiring, firstAt: '9999-01-31T00:00:00Z' }, String);
    assert.match(past, /ist am .* abgelaufen$/);
    assert.match(future, /läuft am .* ab$/);
  });

  it('of the sign-in pages are enough for everything that these pages load', async () => {
    const { pages } = await load('web/src/words/en-pages.ts');
    const seen = new Set<string>();
    const used = new Set<string>();
    const follow = (file: URL) => {
      if (seen.has(file.href)) return;
      seen.add(file.href);
      const text = readFileSync(file, 'utf8');
      for (const [, member = ''] of text.matchAll(/\bwords\.(\w+)/g)) used.add(member);
      for (const [, path = ''] of text.matchAll(/(?:from|import\()\s*'(\.[^']+\.tsx?)'/g)) {
        if (!path.includes('/words/')) follow(new URL(path, file));
      }
    };
    follow(new URL('../web/src/sign-in/main.tsx', import.meta.url));
    assert.ok(seen.size > 50 && used.has('signIn'), `${seen.size} files`);
    assert.deepEqual(
      [...used].filter((member) => !Object.hasOwn(pages, member)),
      [],
    );
  });

  it('are English where a translation lacks them, at every depth', () => {
    const open = () => 'open';
    const english = { title: 'Title', deep: { one: 'one', open }, table: {} };
    const translation = { deep: { one: 'eins' }, table: { more: 'mehr' } };
    assert.deepEqual(translateInto(english, translation), {
      title: 'Title',
      deep: { one: 'eins', open },
      table: { more: 'mehr' },
    });
    assert.equal(english.deep.one, 'one');
  });
});

/** Texts of several words that are the same in all languages. */
const INTERNATIONAL = new Set(['NIST SP 800-63B-4, AAL1', 'NIST SP 800-63B-4, AAL2', '401 Unauthorized']);

/** Returns all texts that are no functions. */
function findTexts(table: unknown): string[] {
  if (typeof table === 'string') return [table];
  return typeof table === 'object' && table !== null ? Object.values(table).flatMap(findTexts) : [];
}

/** Returns the texts of several words that are the same in both. */
function findSame(english: unknown, other: unknown): string[] {
  if (typeof english === 'string')
    return /\p{L}+ +\p{L}+|\p{L} \d/u.test(english) && english === other ? [english] : [];
  if (typeof english !== 'object' || english === null) return [];
  return Object.entries(english).flatMap(([name, text]) => findSame(text, (other as Record<string, unknown>)[name]));
}

type Hear = (name: keyof Calls, input: Record<string, unknown>, token?: string) => Promise<void>;

/** Returns the messages about rows of an import that only an import has. */
async function findImportFaults(test: TestService): Promise<string[]> {
  await test.createUser('manager', { roleNames: ['UserManager'] });
  const token = await test.signIn('manager');
  const hashes = [
    'in the clear',
    '{noop}in the clear',
    '{bcrypt}$2a$10$dXJ3',
    '$2b$15$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW',
    'pbkdf2_sha256$2000001$salt$8xBlGd3jVgvJ+92hWPxi5ww0uuAuAnKgC45eudxro7c=',
    '$scrypt$ln=20,r=8,p=1$dO6d0xoDoLT2PofQGoNQag$g/Wf2A0vhHhaJM+addK61QPBthSmYB6uVTtQzh8CM3o',
    '$argon2id$v=19$m=262144,t=11,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4',
    '$5$rounds=1000001$LKO/Ute40T3FNF95$fdgfoJEBoMajNxCv3Ru9LyQ0xZgv0OBMQoq80LQ/Qd.',
    '$P$H12345678L6Lpt4BxNotVIMILOa9u81',
    await test.service.passwords.hash('a'),
  ];
  const lines = hashes.map((passwordHash) => JSON.stringify({ userName: 'imported', passwordHash }));
  const { result } = await test.post('/api/services/app/User/Import', { token, body: { lines } });
  return result.items.flatMap(({ messages }) => [...messages]);
}

/** Types every kind of invalid input. */
async function hearAll(test: TestService, hear: Hear): Promise<void> {
  const registering = createRegistering(test);
  await test.createUser('thandi');
  const [token, admin] = [await test.signIn('thandi'), await test.admin()];
  const currentPassword = USER_PASSWORD;
  for (const rule of ['RequireDigit', 'RequireLowercase', 'RequireUppercase', 'RequireNonAlphanumeric']) {
    await test.set(COMPLEXITY + rule, true);
  }
  for (const newPassword of ['密', '.', 'password', 'thandi', currentPassword, 'x'.repeat(129)]) {
    await hear('User/ChangePassword', { currentPassword, newPassword }, token);
  }
  await hear('User/ChangePassword', { currentPassword }, token);

  await test.set('Latchkey.PhoneNumbers', { allowedCountries: ['ZA'] });
  for (const address of [
    { emailAddress: 'none' },
    { emailAddress: LONG_ADDRESS },
    { mobileNumber: '12' },
    { mobileNumber: '+49 151 23456789' },
  ]) {
    await hear('User/ChangeMyAddress', { currentPassword, ...address }, token);
  }

  const { result: mine } = await test.get('/api/services/app/User/GetMySecurityQuestions', { token });
  const [first, second] = mine.questions.map(({ id }) => id);
  const answers = [
    { questionId: randomUUID(), answer: 'Timbuktu' },
    { questionId: first, answer: '?!' },
    { questionId: first, answer: 'Timbuktu' },
    { questionId: second, answer: mine.questions[1]?.question },
    ...mine.questions.slice(2, 4).map(({ id }) => ({ questionId: id, answer: 'Zanzibar' })),
  ];
  await test.set('Shesha.Security', { useResetPasswordViaSecurityQuestions: true });
  await hear('User/SetMySecurityQuestions', { currentPassword, answers }, token);

  await registering.open('email');
  await hear('Otp/SendPin', { sendTo: 'none', sendType: SEND_BY.email });
  const operationId = await registering.prove('nomsa@example.org');
  const form = { emailAddress: 'nomsa@example.org', operationId, password: 'p', passwordConfirmation: 'p' };
  for (const more of [
    { firstName: 'x'.repeat(101) },
    { userName: LONG },
    { userName: 'other@example.org' },
    { passwordConfirmation: 'q' },
  ]) {
    await hear('UserManagement/Create', { ...form, firstName: 'Nomsa', lastName: 'Dlamini', ...more });
  }
  await hear('User/Create', { userName: 'other@example.org' }, admin);
  await hear('User/Create', { userName: 'other', mobileNumber: '082 123 4567' }, admin);
  await hear('User/Create', { userName: 'other', isActive: 'perhaps' }, admin);
  const roleNames = Array.from({ length: 50 }, (_, index) => `${index}`.padEnd(100, 'x'));
  await hear('Passkey/Rename', { id: randomUUID(), name: BRAILLE_BLANK }, token);
  await hear('User/Create', { userName: 'other', roleNames }, admin);
  for (const address of [
    'app',
    'http://app.example.com',
    'https://app..example.com',
    'https://a@b.example',
    'https://10.0.0.1',
  ]) {
    await hear('Webhook/Create', { url: address, actions: ['*'] }, admin);
  }
  await hear('Webhook/Create', { url: 'https://app.example.com', actions: ['nothing.*'] }, admin);
  await hearApplications(test, hear, admin);
  await hearProviders(test, hear, admin);
}

/** Types what an application cannot have. */
async function hearApplications(test: TestService, hear: Hear, admin: string): Promise<void> {
  const byKey = { authentication: 'private_key_jwt' } as const;
  const keys = [
    { kty: 'RSA', n: 'AQAB', e: 'AQAB' },
    { kty: 'EC', crv: 'P-256' },
    { kty: 'EC' },
    { kty: 'RSA', d: 'AQAB' },
  ] as const;
  const all: Partial<Calls['Application/Create']['input']>[] = [
    { clientId: 'a b' },
    { kind: 'machine', clientId: '1' },
    { kind: 'browser', pkce: 'optional' },
    { ...byKey },
    { jwksUri: 'https://app.example.com/' },
    ...keys.map((key) => ({ ...byKey, jwks: { keys: [key] } })),
    { scopes: ['a b'] },
    { resources: ['a b'] },
    { allowedRoles: ['Nobody'] },
    { kind: 'machine', backchannelLogoutUri: 'https://app.example.com/' },
    { kind: 'machine', redirectUris: ['https://app.example.com/'] },
    { kind: 'native', redirectUris: ['app:/callback'] },
  ];
  for (const uri of ['ftp://a.example', 'http://a.example', 'https://a@b.example', 'https://a..example', 'a#b'])
    all.push({ redirectUris: [uri] });
  for (const more of all) await hear('Application/Create', { name: 'App', kind: 'web', ...more }, admin);
  const body = { name: 'App', kind: 'web' };
  const { id } = (await test.post('/api/services/app/Application/Create', { token: admin, body })).result;
  await hear('Application/Update', { id, clientId: 'another' }, admin);
}

/** Types what an external provider cannot have. */
async function hearProviders(test: TestService, hear: Hear, admin: string): Promise<void> {
  const issuer = 'https://id.example.com';
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' });
  const apple = { type: 'apple', teamId: 'A1B2C3D4E5', keyId: 'A1B2C3D4E5' } as const;
  const microsoft = { type: 'microsoft', clientSecret: 'secret' } as const;
  const all: Partial<Calls['ExternalProvider/Create']['input']>[] = [
    { name: '..' },
    { issuer: null },
    { teamId: 'A1B2C3D4E5' },
    { issuer: `${issuer}?` },
    { issuer: `${issuer}/.well-known/openid-configuration` },
    { scopes: ['profile'] },
    { authorizationParameters: { 'a b': '' } },
    { authorizationParameters: { state: '' } },
    { authorizationParameters: Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`p${at}`, ''])) },
    { allowedDomains: ['a@b'] },
    { secretExpiresAt: '2030-12-31T23:59:60Z' },
    { clientSecret: 'secret ' },
    { ...microsoft, issuer: null, tenant: 'common' },
    { ...microsoft, issuer: null, tenant: 'contoso' },
    { ...apple, issuer: null, privateKey: 'key' },
    { ...apple, issuer: null, privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() },
    { ...apple, issuer: null, teamId: 'a', privateKey: generateKey() },
  ];
  for (const more of all)
    await hear('ExternalProvider/Create', { type: 'oidc', name: 'Id', clientId: 'id', issuer, ...more }, admin);
  const body = { type: 'oidc', name: 'Id', clientId: 'id', clientSecret: 'secret', issuer };
  const { id } = (await test.post('/api/services/app/ExternalProvider/Create', { token: admin, body })).result;
  await hear('ExternalProvider/Update', { id, name: 'Another' }, admin);
  await hear('ExternalProvider/Update', { id, issuer: 'https://other.example.com' }, admin);
}

/** A private key as Apple makes it. */
function generateKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** Types invalid values into every setting. */
async function hearSettings(test: TestService, hear: Hear): Promise<void> {
  const token = await test.admin();
  const list = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ id: randomUUID(), question: `Which number is ${at}?` }));
  const update = (name: string, value: unknown, appKey = 'default-app') =>
    hear('Settings/UpdateValue', { name, value, appKey }, token);
  for (const { name, kind, schema, default: initial } of test.service.settings.definitions) {
    const { properties = {} } = schema as unknown as { properties?: Record<string, { type?: string }> };
    if (kind === 'list') for (const value of [[], [1], [{}], list(51)]) await update(name, value);
    if (kind !== 'compound') {
      for (const value of [null, typeof initial === 'number' ? 1e9 : [], -1]) await update(name, value);
      continue;
    }
    for (const [member, { type }] of Object.entries(properties)) {
      const long = 'x'.repeat(20_000);
      const wrong = { string: [long, '\u0000'], array: [Array(300).fill('ZA'), ['']], integer: [1e9, -1] };
      for (const value of [null, ...((wrong as Record<string, unknown[]>)[type ?? ''] ?? [])]) {
        await update(name, { [member]: value });
      }
    }
  }
  const [question] = list(1);
  for (const value of [[question, question], [{ id: randomUUID(), question: '?' }]]) {
    await update('Latchkey.SecurityQuestions', value);
  }
  await update('Latchkey.Factors', { requireForPermissions: true });
  await update('Shesha.Otp', { alphabet: '00' });
  await update('Shesha.Otp', { alphabet: '01' });
  await update('Latchkey.PhoneNumbers', { defaultRegion: 'XX' });
  for (const sms of ['Your pin is here', '{{pin}} {{link}}', '{{pin}} {{ }}']) {
    await update('Latchkey.Messages.SignInPin', { sms });
  }
  for (const html of ['<p>{{pin}}</p><form>', '<img alt="{{pin}}">']) {
    await update('Latchkey.Messages.SignInPin', { html });
  }
  for (const text of ['https://evil.example/{{pin}}', 'evil.example/{{pin}}']) {
    await update('Latchkey.Messages.SignInPin', { text });
  }
  const addresses = ['app', 'http://app.example.com', 'https://*.example.com', 'https://app..example.com'];
  for (const address of [...addresses, 'https://app.example.com/']) {
    await update('Latchkey.Links', { allowedOrigins: [address] });
  }
  await update('Latchkey.Links.BaseAddress', 'https://evil.example.com');
  for (const link of ['terms', 'privacy', 'support']) await update('Latchkey.Brand', { [link]: 'none' });
  const text = { language: 'en', title: 'Welcome', note: '' };
  await update('Latchkey.Brand', { texts: [text, text] });
}
