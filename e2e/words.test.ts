// The texts of the pages, compared with the service's own messages: every one has a translation.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { Calls } from '../sdk/src/calls.ts';
import { actions, errorKinds } from '../server/src/app/catalogue.ts';
import { createRegistering, SEND_BY } from '../server/test/support/registration.ts';
import { startTestService, type TestService, USER_PASSWORD } from '../server/test/support/service.ts';
import { liftLimits } from './support/messages.ts';

/** Modules of the pages and their client, imported by computed names: they are typed for browsers, this test is not. */
const load = (path: string) => import(new URL(`../${path}`, import.meta.url).href);
const { send } = await load('sdk/src/call.ts');
const { describeMessage, describeProblem } = await load('web/src/ui/problem.ts');
const { faults, reasons } = await load('web/src/words/de-service.ts');
const { audit: english } = await load('web/src/words/en-audit.ts');
const { audit: german } = await load('web/src/words/de-audit.ts');
const { loadWords } = await load('web/src/words/index.ts');

type Refusal = { details: string; validationErrors: { message: string; members: string[] }[] };

/** Characters that grow when folded, beyond what an index holds. */
const LONG = '\u{FDFA}'.repeat(200);
const LONG_ADDRESS = `${LONG}@example.org`;

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

  it('translate every reason of the service into German', () => {
    assert.deepEqual(Object.keys(reasons).toSorted(), errorKinds.map(({ reason }) => reason).toSorted());
  });

  it('tell every action and every reason of the audit trail in English and German', () => {
    const names = actions.map(({ name }) => name).toSorted();
    const kinds = errorKinds.map(({ reason }) => reason).toSorted();
    for (const { events, reasons: why, groups } of [english, german]) {
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
        heard.add(
          fault.message
            .replace(`${fault.members[0]} must`, '… must')
            .replace(`${fault.members[0]} has`, '… has')
            .replace(`${fault.members[0]} is`, '… is')
            .replace(/\d+/g, '#'),
        );
      }
    }
    for (const message of await findImportFaults(test)) {
      const told = describeMessage(message, (member: string) => member);
      assert.ok(!told.includes(message) && told !== message, `not in German: ${message}`);
      heard.add(message.replace(/^\w+: /, '').replace(/\d+/g, '#'));
    }
    await hearAll(test, hear);
    assert.deepEqual([...heard].toSorted(), Object.keys(faults).toSorted());
  });
});

type Hear = (name: keyof Calls, input: Record<string, unknown>, token?: string) => Promise<void>;

/** Returns the messages about rows of an import that only an import has. */
async function findImportFaults(test: TestService): Promise<string[]> {
  await test.createUser('manager', { roleNames: ['UserManager'] });
  const token = await test.signIn('manager');
  const lines = ['in the clear', await test.service.passwords.hash('a')].map((passwordHash) =>
    JSON.stringify({ userName: 'imported', passwordHash }),
  );
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
  await hear('Passkey/Rename', { id: randomUUID(), name: ' ' }, token);
  await hear('User/Create', { userName: 'other', roleNames }, admin);
}
