// Attacks on the owner's telephone bill: every SMS, whatever its template, is charged to the daily budget of its number.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { settingDefinitions } from '../../src/app/catalogue.ts';
import { createTestAccounts, type TestAccount, type TestAccounts } from '../support/accounts.ts';
import { enrollApp } from '../support/factors.ts';
import { createClient, redeem, signInTo } from '../support/oauth.ts';
import { createPerson, createTestProvider, linkBody } from '../support/providers.ts';
import { startTestService, type TestAnswer, type TestService, USER_PASSWORD } from '../support/service.ts';

const API = '/api/services/app';
const USER = `${API}/User`;
const AUTH = '/api/TokenAuth';
const NEW_PASSWORD = 'quarry velvet thimble';
const DAY = 86_400;
const GAP = 300;

/** Messages of a number in a day, and how often each driver causes one. */
const LIMIT = 3;
const TIMES = 5;

/** Has a text for SMS, but the API sends links by e-mail only. */
const UNUSED = 'VerificationLink';

/** The settings of all messages that can go by SMS. */
const templates = settingDefinitions
  .filter(({ name, default: words }) => name.startsWith('Latchkey.Messages.') && 'sms' in Object(words))
  .map(({ name }) => name.slice('Latchkey.Messages.'.length))
  .filter((name) => name !== UNUSED);

/** Accounts that share a number, as imported ones may. */
type Victims = { number: string; people: readonly TestAccount[] };

describe('the SMS to one number in a day', () => {
  const acme = createTestProvider('Acme');
  let test: TestService;
  let accounts: TestAccounts;
  let people: TestAccount[];
  let numbers = 0;
  let hash: string;

  before(async () => {
    test = await startTestService('sqlite', { additions: { providers: [acme.info] } });
    await test.set('Shesha.Otp', { dailyLimitPerRecipient: LIMIT, resendCooldown: 0 });
    await test.set('Shesha.Security', { useResetPasswordViaSecurityQuestions: true });
    await test.set('Latchkey.Factors', {
      passkeys: false,
      authenticator: true,
      trustedDeviceDays: 0,
      requireForPermissions: false,
    });
    accounts = await createTestAccounts(test);
    hash = await test.service.passwords.hash(USER_PASSWORD);
    people = [];
    for (let n = 0; n < TIMES; n += 1) people.push(await accounts.add());
  });
  after(() => test.close());

  const sqlOf = () => test.service.database.sql;
  const newNumber = () => {
    numbers += 1;
    return `+2782123${String(4000 + numbers)}`;
  };
  /** Gives all people one new number, each an e-mail address of their own, and the password and no factor as at first. */
  async function shareNumber(): Promise<Victims> {
    const number = newNumber();
    for (const { id, userName } of people) {
      const email = `${userName}.${numbers}@example.org`;
      const addresses = {
        mobile: number,
        is_mobile_confirmed: 1,
        email,
        email_key: email,
        is_email_confirmed: 1,
        password_hash: hash,
      } as const;
      await sqlOf().updateTable('account').set(addresses).where('id', '=', id).execute();
      await sqlOf().deleteFrom('authenticator').where('account_id', '=', id).execute();
    }
    return { number, people };
  }
  const accountOf = async ({ id }: TestAccount) => (await test.service.accounts.find(id)) ?? assert.fail();

  const sentTo = async (number: string) => {
    await test.service.ownerNotices.sendWaiting();
    await test.service.messageDispatcher.deliverDue('sms');
    const rows = await sqlOf()
      .selectFrom('message')
      .select(['template', 'state'])
      .where('recipient', '=', number)
      .execute();
    assert.ok(rows.every(({ state }) => state === 'sent'));
    return rows.map(({ template }) => template.slice('Latchkey.Messages.'.length));
  };
  async function ok(answering: Promise<TestAnswer<unknown>>) {
    const { status, text, result } = await answering;
    assert.equal(status, 200, text);
    return Object(result);
  }
  const askToChange = async (person: TestAccount, address: { mobileNumber: string } | { emailAddress: string }) => {
    const token = await accounts.open(person);
    const body = { currentPassword: USER_PASSWORD, ...address };
    const { operationId } = await ok(test.post(`${USER}/ChangeMyAddress`, { token, body }));
    return { token, operationId };
  };
  const change = async (person: TestAccount, address: Parameters<typeof askToChange>[1]) => {
    const { token, operationId } = await askToChange(person, address);
    const [next] = Object.values(address);
    const [pin] = (await test.deliver()).find(({ to }) => to === next)?.text.match(/\d{6}/) ?? [];
    const { isSuccess } = await ok(test.post(`${USER}/VerifyMyAddress`, { token, body: { operationId, pin } }));
    assert.equal(isSuccess, true);
  };
  const link = async (person: TestAccount) => {
    const token = await accounts.open(person);
    await ok(test.post(`${API}/ExternalLogin/Link`, { token, body: linkBody(acme, createPerson()) }));
    return token;
  };
  const answerQuestions = async (person: TestAccount) => {
    const token = await accounts.open(person);
    const { questions } = await ok(test.get(`${USER}/GetMySecurityQuestions`, { token }));
    const answers = [{ questionId: questions[0].id, answer: 'blue' }];
    await ok(test.post(`${USER}/SetMySecurityQuestions`, { token, body: { currentPassword: USER_PASSWORD, answers } }));
  };

  /** Each does what sends the message to the number once more. */
  const drivers: Record<string, (victims: Victims, n: number) => Promise<unknown>> = {
    VerificationPin: async ({ number }, n) => {
      await sqlOf().updateTable('account').set({ mobile: null }).where('mobile', '=', number).execute();
      await askToChange(people[n] ?? assert.fail(), { mobileNumber: number });
    },
    async AddressInUse({ number }) {
      const stranger = await accounts.add();
      await askToChange(stranger, { mobileNumber: number });
    },
    SignInPin: (_, n) =>
      ok(test.post(`${AUTH}/OtpAuthenticateSendPin`, { body: { userNameOrMobileNo: people[n]?.userName } })),
    PasswordResetPin: (_, n) => ok(test.post(`${USER}/SendSmsOtp`, { body: { username: people[n]?.userName } })),
    AddressChanged: (_, n) => change(people[n] ?? assert.fail(), { mobileNumber: newNumber() }),
    async AddressVerified(_, n) {
      const person = people[n] ?? assert.fail();
      await change(person, { emailAddress: `${person.userName}.${n}.new@example.org` });
    },
    SecurityQuestionsChanged: () => answerQuestions(people[0] ?? assert.fail()),
    async FactorsChanged() {
      const account = await accountOf(people[0] ?? assert.fail());
      const { database, accountFactors } = test.service;
      await database.transaction((tx) => accountFactors.completeChange(tx, account, 'recoveryCodesReplaced'));
    },
    async RecoveryCodeUsed(_, n) {
      const person = people[n] ?? assert.fail();
      const { database, recoveryCodes } = test.service;
      await enrollApp(test, person);
      const [code] = await database.transaction((tx) => recoveryCodes.replace(tx, person.id));
      const body = { userNameOrEmailAddress: person.userName, password: USER_PASSWORD };
      const { challengeToken } = await ok(test.post(`${AUTH}/Authenticate`, { body }));
      const answer = { challengeToken, provider: 'RecoveryCode', code };
      await ok(test.post(`${AUTH}/VerifySecondFactor`, { body: answer }));
    },
    async GrantReplayed() {
      const { userName } = people[0] ?? assert.fail();
      const client = await createClient(test);
      const { code, verifier } = await signInTo(test, client, userName);
      assert.equal((await redeem(test, client, code, verifier)).status, 400);
    },
    ExternalLoginLinked: () => link(people[0] ?? assert.fail()),
    async ExternalLoginUnlinked() {
      const person = people[0] ?? assert.fail();
      const { externalLogins, externalLoginStore, database, clock } = test.service;
      const identity = { provider: 'Acme', providerKey: createPerson().providerKey ?? '' };
      const login = { ...identity, accountId: person.id, linkedAt: clock.now() };
      await database.transaction((tx) => externalLoginStore.add(tx.sql, login));
      const last = (await externalLogins.list(database.sql, person.id)).at(-1);
      const token = await accounts.open(person);
      await ok(test.post(`${API}/ExternalLogin/Unlink`, { token, body: { id: last?.id } }));
    },
    async PasswordChanged(_, n) {
      const { userName: username } = people[n] ?? assert.fail();
      await ok(test.post(`${USER}/SendEmailLink`, { body: { username } }));
      const code = (await test.deliver()).map(({ text }) => /&code=([\w-]+)/.exec(text)?.[1]).findLast(Boolean);
      const { token } = await ok(test.post(`${USER}/ValidateResetCode`, { body: { username, code, method: 2 } }));
      const body = { username, token, newPassword: NEW_PASSWORD };
      await ok(test.post(`${USER}/ResetPasswordUsingToken`, { body }));
    },
    async AddressesReplaced({ people: all }, n) {
      const { id, userName } = all[n] ?? assert.fail();
      const body = { id, emailAddress: `${userName}.new@example.org`, isEmailConfirmed: true };
      await ok(test.send('PUT', `${USER}/Update`, { token: await test.admin(), body }));
    },
    async ChangedByAdministrator({ people: all }, n) {
      const { id, userName } = all[n] ?? assert.fail();
      const token = await test.admin();
      for (const one of [`${userName}-renamed`, userName])
        await ok(test.send('PUT', `${USER}/Update`, { token, body: { id, userName: one } }));
    },
    async Test({ number }) {
      const own = { mobile: number, is_mobile_confirmed: 1 } as const;
      await sqlOf().updateTable('account').set(own).where('user_name', '=', 'admin').execute();
      // After the last message of the day, it is refused.
      await test.post(`${API}/Message/SendTest`, { token: await test.admin(), body: { means: 'sms' } });
    },
    async AccountChanges() {
      const account = await accountOf(people[0] ?? assert.fail());
      const { database, accountFactors, ownerNotices } = test.service;
      for (const change of ['passkeyRegistered', 'passkeyRemoved'] as const) {
        await database.transaction((tx) => accountFactors.completeChange(tx, account, change));
      }
      test.clock.advance(GAP);
      await ownerNotices.sendWaiting();
    },
  };

  it('are caused here with every template', () => {
    assert.deepEqual(Object.keys(drivers).toSorted(), templates.toSorted());
  });

  for (const [template, drive] of Object.entries(drivers)) {
    it(`are limited: ${template}`, async () => {
      test.clock.advance(2 * DAY);
      const victims = await shareNumber();
      for (let n = 0; n < TIMES; n += 1) {
        await drive(victims, n);
        // Before the pin expires.
        await test.service.messageDispatcher.deliverDue('sms');
        test.clock.advance(GAP + 1);
      }
      const sent = await sentTo(victims.number);
      assert.equal(sent.length, LIMIT, sent.join());
      assert.ok(sent.includes(template), sent.join());
    });
  }

  describe('that the budget does not allow', () => {
    let number: string;
    let person: TestAccount;
    beforeEach(async () => {
      test.clock.advance(2 * DAY);
      [{ number }, person] = [await shareNumber(), people[0] ?? assert.fail()];
    });

    it('wait until it does, and tell all changes', async () => {
      for (let n = 0; n < LIMIT; n += 1) {
        const { userName } = people[n] ?? assert.fail();
        await ok(test.post(`${AUTH}/OtpAuthenticateSendPin`, { body: { userNameOrMobileNo: userName } }));
      }
      assert.equal((await sentTo(number)).length, LIMIT);
      await answerQuestions(person);
      await drivers.FactorsChanged?.({ number, people }, 0);
      test.clock.advance(DAY - 1);
      assert.equal((await sentTo(number)).length, LIMIT);
      test.clock.advance(1);
      assert.deepEqual((await sentTo(number)).slice(LIMIT), ['AccountChanges']);
      const [told, ...others] = (await test.deliver()).filter(({ to, text }) => to === number && /changed/.test(text));
      assert.deepEqual(others, []);
      assert.equal(
        told?.text,
        'Latchkey: your account was changed. The answers to the security questions were replaced. New recovery codes were made. The former ones no longer work. Not you? Change your password, and tell an administrator.',
      );
    });

    it('wait although they are urgent', async () => {
      for (let n = 0; n < TIMES; n += 1) await drivers.RecoveryCodeUsed?.({ number, people }, n);
      assert.equal((await sentTo(number)).length, LIMIT);
      test.clock.advance(DAY);
      assert.deepEqual((await sentTo(number)).slice(LIMIT), ['AccountChanges', 'AccountChanges']);
    });

    it('do not let the next pin wait', async () => {
      await test.set('Shesha.Otp', { dailyLimitPerRecipient: LIMIT, resendCooldown: 60 });
      await answerQuestions(person);
      await ok(test.post(`${AUTH}/OtpAuthenticateSendPin`, { body: { userNameOrMobileNo: person.userName } }));
      assert.deepEqual(await sentTo(number), ['SecurityQuestionsChanged', 'SignInPin']);
    });
  });
});
