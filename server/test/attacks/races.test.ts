// Races: an action that may happen once happens once, and ending a session wins over refreshing it.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createTestAccounts, type TestAccount, type TestAccounts } from '../support/accounts.ts';
import { patiently } from '../support/patience.ts';
import { ADMIN_PASSWORD, type TestService, USER_PASSWORD } from '../support/service.ts';
import { type SetUp, setUps } from '../support/set-ups.ts';

const AUTHENTICATE = '/api/TokenAuth/Authenticate';
const REFRESH = '/api/TokenAuth/RefreshTokenAsync';
const SIGN_OFF = '/api/TokenAuth/SignOff';
const SESSIONS = '/api/services/app/Session/GetAll';
const USER = '/api/services/app/User';
const NEW_PASSWORD = 'quarry velvet thimble';

const SIGN_OFF_ROUNDS = 25;
const ROUNDS = 5;
const PARALLEL_REFRESHES = 200;
const LONGEST_CHAIN = 500;

/** Every call of an administrator or the account owner that ends sessions of the account. */
const endings: Record<
  string,
  (node: TestService, admin: string, account: TestAccount) => Promise<{ status: number; text: string }>
> = {
  deactivation: (node, token, { id }) => node.post(`${USER}/InactivateUser`, { token, body: { userId: id } }),
  'deactivation by an update': (node, token, { id }) =>
    node.send('PUT', `${USER}/Update`, { token, body: { id, isActive: false } }),
  deletion: (node, token, { id }) => node.send('DELETE', `${USER}/Delete?id=${id}`, { token }),
  erasure: (node, token, { id }) => node.post(`${USER}/Erase`, { token, body: { id } }),
  'sign-out everywhere': (node, token, { id }) =>
    node.post(`${USER}/SignOutEverywhere`, { token, body: { userId: id } }),
  'a password reset': (node, token, { id }) =>
    node.post(`${USER}/ResetPassword`, { token, body: { userId: id, newPassword: NEW_PASSWORD } }),
};

for (const [name, start] of Object.entries(setUps)) {
  describe(`races on ${name}`, () => {
    let setUp: SetUp;
    let here: TestService;
    let there: TestService;
    let accounts: TestAccounts;
    let admin: string;
    before(async () => {
      setUp = await start();
      ({ here, there } = setUp);
      accounts = await createTestAccounts(here);
      admin = await here.signIn('admin', ADMIN_PASSWORD);
    });
    after(() => setUp.close());

    /** Asserts that both nodes refuse the tokens for every call. */
    async function assertDead(tokens: readonly string[], what: string) {
      for (const token of tokens) {
        for (const node of new Set([here, there])) {
          const answer = await node.get(SESSIONS, { token });
          assert.deepEqual([answer.status, answer.error?.reason], [401, 'token.revoked'], what);
          assert.equal((await node.post(REFRESH, { token })).status, 401, what);
        }
      }
    }

    /** Refreshes until the service refuses. @returns every token that was issued, the first one included. */
    async function refreshUntilRefused(node: TestService, first: string): Promise<string[]> {
      const tokens = [first];
      while (tokens.length < LONGEST_CHAIN) {
        const answer = await node.post(REFRESH, { token: tokens.at(-1) });
        if (answer.status !== 200) {
          assert.deepEqual([answer.status, answer.error.reason], [401, 'token.revoked']);
          return tokens;
        }
        tokens.push(answer.result.accessToken);
      }
      throw new Error('The token was never refused.');
    }

    it('lets exactly one of many parallel refreshes win', async () => {
      const token = await accounts.open(await accounts.add());
      const answers = await Promise.all(
        Array.from({ length: PARALLEL_REFRESHES }, (_, index) =>
          patiently(() => (index % 2 ? here : there).post(REFRESH, { token })),
        ),
      );
      const won = answers.filter(({ status }) => status === 200);
      const lost = answers.filter(({ status, error }) => status === 401 && error.reason === 'token.revoked');
      assert.deepEqual(
        [won.length, lost.length],
        [1, PARALLEL_REFRESHES - 1],
        [...new Set(answers.map(({ text }) => text))].join('\n').slice(0, 2000),
      );
      assert.equal((await there.get(SESSIONS, { token: won[0]?.result.accessToken })).status, 200);
      assert.equal((await here.get(SESSIONS, { token })).status, 401);
    });

    it('leaves no live token when signing off meets refreshing', async () => {
      const account = await accounts.add();
      for (let round = 0; round < SIGN_OFF_ROUNDS; round += 1) {
        const first = await accounts.open(account);
        const [tokens, off] = await Promise.all([refreshUntilRefused(there, first), signOffLater(first, round % 4)]);
        assert.equal(off.result, true);
        await assertDead(tokens.slice(-2), `round ${round}`);
      }
    });

    /** Signs off after some other requests. The token may no longer be current by then. */
    async function signOffLater(token: string, requests: number) {
      for (let index = 0; index < requests; index += 1) await here.get('/health/ready');
      return here.post(SIGN_OFF, { token });
    }

    for (const [ending, end] of Object.entries(endings)) {
      it(`leaves no live token when ${ending} meets refreshing`, async () => {
        for (let round = 0; round < ROUNDS; round += 1) {
          const account = await accounts.add();
          const firsts = [await accounts.open(account), await accounts.open(account)];
          const [ended, ...chains] = await Promise.all([
            end(here, admin, account),
            ...firsts.map((first) => refreshUntilRefused(there, first)),
          ]);
          assert.equal(ended.status, 200, ended.text);
          await assertDead(
            chains.flatMap((tokens) => tokens.slice(-2)),
            `round ${round}`,
          );
        }
      });

      it(`leaves no live token when ${ending} meets signing in`, async () => {
        for (let round = 0; round < ROUNDS; round += 1) {
          const account = await accounts.add();
          const body = { userNameOrEmailAddress: account.userName, password: USER_PASSWORD };
          const signIns = Array.from({ length: 3 }, (_, index) =>
            (index % 2 ? here : there).post(AUTHENTICATE, { body }),
          );
          for (let other = 0; other < round % 4; other += 1) await here.get('/health/ready');
          const ended = await end(here, admin, account);
          assert.equal(ended.status, 200, ended.text);
          const answers = await Promise.all(signIns);
          const outcomes = answers.filter(({ status }) => status !== 200 && status !== 401);
          assert.deepEqual(
            outcomes.map(({ text }) => text),
            [],
          );
          // A new sign-in after the end is allowed. Only the sessions that were open before must have ended.
          if (ending === 'sign-out everywhere') continue;
          await assertDead(
            answers.flatMap(({ result }) => result?.accessToken ?? []),
            `round ${round}`,
          );
        }
      });
    }

    const changePassword = (node: TestService, token: string, newPassword: string) =>
      node.post(`${USER}/ChangePassword`, { token, body: { currentPassword: USER_PASSWORD, newPassword } });

    it('leaves only the own token live when a password change meets refreshing and signing in', async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const account = await accounts.add();
        const [own, others] = [await accounts.open(account), await accounts.open(account)];
        const body = { userNameOrEmailAddress: account.userName, password: USER_PASSWORD };
        const signIn = there.post(AUTHENTICATE, { body });
        const [changed, chain, signedIn] = await Promise.all([
          changePassword(here, own, NEW_PASSWORD),
          refreshUntilRefused(there, others),
          signIn,
        ]);
        assert.equal(changed.status, 200, changed.text);
        await assertDead(
          [...chain.slice(-2), ...(signedIn.status === 200 ? [signedIn.result.accessToken] : [])],
          `round ${round}`,
        );
        assert.equal((await there.get(SESSIONS, { token: own })).status, 200);
        assert.equal((await there.post(AUTHENTICATE, { body })).error.reason, 'signIn.invalidCredentials');
        await there.signIn(account.userName, NEW_PASSWORD);
      }
    });

    it('lets one of several parallel password changes win', async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const account = await accounts.add();
        const wanted = [0, 1, 2, 3].map((index) => `${NEW_PASSWORD} ${index}`);
        const tokens = await Promise.all(wanted.map(() => accounts.open(account)));
        const answers = await Promise.all(
          wanted.map((password, index) => changePassword(index % 2 ? here : there, tokens[index] as string, password)),
        );
        const winner = answers.findIndex(({ status }) => status === 200);
        for (const [index, { status, error, text }] of answers.entries()) {
          const isAsDue =
            index === winner ? status === 200 : ['password.incorrect', 'token.revoked'].includes(error?.reason);
          assert.equal(isAsDue, true, text);
        }
        await here.signIn(account.userName, wanted[winner]);
        await assertDead(
          tokens.filter((_, index) => index !== winner),
          `round ${round}`,
        );
        assert.equal((await here.get(SESSIONS, { token: tokens[winner] })).status, 200);
      }
    });

    it('creates one account of many that are created concurrently', async () => {
      const body = { userName: 'sipho', password: USER_PASSWORD, emailAddress: 'sipho@example.com' };
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          (index % 2 ? here : there).post(`${USER}/Create`, { token: admin, body }),
        ),
      );
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, ...Array(7).fill(409)]);
    });
  });
}
