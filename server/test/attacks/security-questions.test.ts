// Attacks on security questions: concurrent and sequential guesses, malformed rounds, and enumeration of accounts.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { assertRefused } from '../support/answers.ts';
import { enginesAtLength } from '../support/databases.ts';
import { patiently } from '../support/patience.ts';
import { startTestService, type TestAnswer, type TestService, USER_PASSWORD } from '../support/service.ts';
import { type SetUp, setUps } from '../support/set-ups.ts';
import { countStatements } from '../support/statements.ts';
import { type Verifications, watchVerifications } from '../support/verifications.ts';

const USER = '/api/services/app/User';
const ASKED = 3;
const MAX_ROUNDS = 3;
const LOCK_SECONDS = 300;
const NEW_PASSWORD = 'gravel lantern meadow';

type Answers = Record<string, string>;
type Submitted = { questionId: string; submittedAnswer: string }[];

/** Returns an answer that occurs nowhere else, so that a leak can be found. */
const answerTo = (id: string) => `Canary${id.slice(0, 6)} Plumage`;

/** Returns the parts of an answer that an attacker can compare. */
function visible({ status, headers, body }: TestAnswer) {
  const { date: _, ...told } = headers;
  return { status, headers: told, body };
}

/** Returns the requests that account owners and attackers send to a node. */
function createPerson(node: TestService) {
  const ask = (username: string) => node.get(`${USER}/GetSecurityQuestions`, { query: { username } });
  const submit = (username: string, submittedQuestions: unknown) =>
    node.post(`${USER}/ValidateSecurityQuestions`, { body: { username, submittedQuestions } });
  const toSubmitted = (answers: Answers): Submitted =>
    Object.entries(answers).map(([questionId, submittedAnswer]) => ({ questionId, submittedAnswer }));
  return {
    ask,
    submit,
    toSubmitted,
    give: (username: string, answers: Answers) => submit(username, toSubmitted(answers)),
    async askedIds(username: string): Promise<string[]> {
      return (await ask(username)).result.map(({ id }) => id);
    },
    set: (token: string, answers: Answers) =>
      node.post(`${USER}/SetMySecurityQuestions`, {
        token,
        body: {
          currentPassword: USER_PASSWORD,
          answers: Object.entries(answers).map(([questionId, answer]) => ({ questionId, answer })),
        },
      }),
    /** Creates an account with answers to the first `size` questions of the list. */
    async join(userName: string, size: number = ASKED, answer = answerTo) {
      const id = await node.createUser(userName, { emailAddress: `${userName}@example.com` });
      const token = await node.signIn(userName);
      const { result } = await node.get(`${USER}/GetMySecurityQuestions`, { token });
      const ids: string[] = result.questions.slice(0, size).map((one) => one.id);
      const set = await this.set(token, Object.fromEntries(ids.map((one) => [one, answer(one)])));
      assert.equal(set.status, 200, set.text);
      return { id, token };
    },
  };
}

const right = (ids: readonly string[]) => Object.fromEntries(ids.map((id) => [id, answerTo(id)]));
const wrong = (ids: readonly string[]) => ({ ...right(ids), [ids.at(-1) as string]: 'a guess' });

for (const [name, start] of Object.entries(setUps)) {
  describe(`concurrent answers to security questions, on ${name}`, () => {
    let setUp: SetUp;
    let here: TestService;
    let there: TestService;
    let people: ReturnType<typeof createPerson>;
    let others: ReturnType<typeof createPerson>;
    let watched: Verifications[];
    let count = 10;
    before(async () => {
      setUp = await start();
      ({ here, there } = setUp);
      people = createPerson(here);
      others = createPerson(there);
      // A round that waits for another sleeps in real time.
      for (const node of [here, there]) Object.assign(node.clock, { sleep: pause });
      await here.set('Shesha.Security', { useResetPasswordViaSecurityQuestions: true });
      while ((await others.ask('nobody')).status !== 200) await pause(20);
      watched = [...new Set([here, there])].map(watchVerifications);
    });
    beforeEach(() => {
      count += 1;
    });
    after(() => setUp.close());

    const countChecks = () => watched.reduce((sum, { checked }) => sum + checked.length, 0);
    const resetChecks = () => {
      for (const one of watched) one.reset();
    };
    const nodeOf = (turn: number) => (turn % 2 ? people : others);

    for (const kind of ['known', 'nobody'] as const) {
      it(`are verified in three of fifty wrong rounds for ${kind}, and then not even when right`, async () => {
        const username = `${kind}${count}`;
        if (kind === 'known') await people.join(username);
        const ids = await people.askedIds(username);
        resetChecks();
        const guess = (turn: number) => nodeOf(turn).give(username, wrong(ids));
        const given = await Promise.all(Array.from({ length: 50 }, (_, turn) => guess(turn)));
        // A node has four places. A round that is refused for lack of one is retried, one at a time.
        for (const [turn, { status }] of given.entries()) {
          if (status === 503) given[turn] = await patiently(() => guess(turn));
        }
        const answers = given.map(visible);
        assert.equal(countChecks(), MAX_ROUNDS * ASKED);
        for (const answer of answers) assert.deepEqual(answer, answers[0]);
        assert.equal(given[0]?.result.isSuccess, false);

        const late = await people.give(username, right(ids));
        assert.deepEqual(visible(late), answers[0], 'the lock looks like a wrong answer');
        assert.equal(countChecks(), MAX_ROUNDS * ASKED);
        here.clock.advance(LOCK_SECONDS - 1);
        assert.deepEqual(visible(await others.give(username, right(ids))), answers[0]);
        assert.equal(countChecks(), MAX_ROUNDS * ASKED);
        here.clock.advance(1);
        assert.equal((await others.give(username, right(ids))).result.isSuccess, kind === 'known');
        assert.equal(countChecks(), (MAX_ROUNDS + 1) * ASKED);
      });
    }

    it('are stored as one of the two sets that were sent, never as a mix', async () => {
      const username = `twice${count}`;
      const { token } = await people.join(username);
      const ids = await people.askedIds(username);
      for (let round = 0; round < 3; round += 1) {
        const both = ['first', 'second'].map((word) =>
          Object.fromEntries(ids.map((id, n) => [id, `${word} ${n}${round}`])),
        );
        const set = await Promise.all(both.map((answers, turn) => patiently(() => nodeOf(turn).set(token, answers))));
        assert.deepEqual(
          set.map(({ status }) => status),
          [200, 200],
        );
        const given = [];
        for (const answers of both) given.push((await people.give(username, answers)).result.isSuccess);
        assert.deepEqual(given.toSorted(), [false, true]);
      }
    });
  });
}

for (const engine of enginesAtLength) {
  describe(`security questions on ${engine}`, () => {
    let test: TestService;
    let people: ReturnType<typeof createPerson>;
    let hashes: Verifications;
    let count = 10;
    let username: string;
    let token: string;
    let ids: string[];
    before(async () => {
      test = await startTestService(engine);
      people = createPerson(test);
      hashes = watchVerifications(test);
      await test.set('Shesha.Security', { useResetPasswordViaSecurityQuestions: true });
    });
    beforeEach(async () => {
      count += 1;
      username = `zola${count}`;
      ({ token } = await people.join(username, 5));
      ids = await people.askedIds(username);
      hashes.restore();
    });
    after(() => test.close());

    const succeeds = async (answers: Answers, who = username) => (await people.give(who, answers)).result.isSuccess;
    const redeem = (resetToken: string | null, who = username) =>
      test.post(`${USER}/ResetPasswordUsingToken`, {
        body: { username: who, token: resetToken, newPassword: NEW_PASSWORD },
      });

    it('accept right answers at the third attempt, and then reset the counter', async () => {
      for (let turn = 0; turn < 3; turn += 1) {
        for (const answers of [wrong(ids), wrong(ids), right(ids)]) {
          assert.equal(await succeeds(answers), answers[ids.at(-1) as string] !== 'a guess');
        }
      }
    });

    it('lock after three failed rounds under any settings of the front end, and lock nothing else', async () => {
      const appKey = `lax${count}`;
      const admin = await test.admin();
      await test.post('/api/services/app/FrontEndApp/Create', { token: admin, body: { appKey, name: appKey } });
      const lockout = 'Abp.Zero.UserManagement.UserLockOut';
      await test.set(`${lockout}.IsEnabled`, false, appKey);
      await test.set(`${lockout}.MaxFailedAccessAttemptsBeforeLockout`, 100, appKey);
      await test.set(`${lockout}.DefaultAccountLockoutSeconds`, 40, appKey);
      const headers = { 'sha-frontend-application': appKey };
      const give = async (answers: Answers) => {
        const body = { username, submittedQuestions: people.toSubmitted(answers) };
        return (await test.post(`${USER}/ValidateSecurityQuestions`, { body, headers })).result.isSuccess;
      };
      for (let turn = 0; turn < 3; turn += 1) assert.equal(await give(wrong(ids)), false);
      assert.equal(await succeeds(right(ids)), false);
      await test.signIn(username);
      test.clock.advance(39);
      assert.equal(await give(right(ids)), false);
      test.clock.advance(1);
      assert.equal(await give(right(ids)), true);
    });

    it('still work while wrong passwords lock the account, and a reset ends both locks', async () => {
      const { result } = await people.give(username, right(ids));
      for (let turn = 0; turn < 3; turn += 1) await people.give(username, wrong(ids));
      assert.equal(await succeeds(right(ids)), false);
      const body = { userNameOrEmailAddress: username, password: 'a wrong guess at it' };
      for (let turn = 0; turn < 5; turn += 1) await test.post('/api/TokenAuth/Authenticate', { body });
      assert.equal((await redeem(result.token)).status, 200);
      await test.signIn(username, NEW_PASSWORD);
      assert.equal(await succeeds(right(ids)), true);
    });

    it('require each asked question exactly once, and verify as many hashes for every round', async () => {
      const [a, b, c] = people.toSubmitted(right(ids)) as [Submitted[0], Submitted[0], Submitted[0]];
      const { result } = await test.get(`${USER}/GetMySecurityQuestions`, { token });
      const rest: string[] = result.questions.map((one) => one.id).filter((id: string) => !ids.includes(id));
      const [d, e] = people.toSubmitted(right(rest)) as [Submitted[0], Submitted[0]];
      const rounds: Submitted[] = [
        [],
        [a],
        [a, b],
        [a, a, a],
        [a, b, b],
        [a, b, c, c],
        [a, b, c, d],
        [a, b, c, { ...c, submittedAnswer: 'a guess' }],
        [a, b, { ...c, submittedAnswer: 'a guess' }, c],
        [a, b, d],
        [c, d, e],
        [a, b, { ...c, questionId: d.questionId }],
        [a, b, { ...c, questionId: '00000000-0000-4000-8000-000000000000' }],
        [a, c, { questionId: b.questionId, submittedAnswer: c.submittedAnswer }],
        [a, b, { ...c, submittedAnswer: '...' }],
        [a, b, { ...c, submittedAnswer: c.questionId }],
        Array.from({ length: 20 }, (_, n) => [a, b, c][n % 3] as Submitted[0]),
      ];
      for (const submitted of rounds) {
        hashes.reset();
        const { status, result } = await people.submit(username, submitted);
        assert.deepEqual([status, result.isSuccess, result.token], [200, false, null], JSON.stringify(submitted));
        assert.equal(hashes.checked.length, ASKED);
        test.clock.advance(LOCK_SECONDS);
      }
      assert.equal(
        (await people.submit(username, [c, a, b])).result.isSuccess,
        true,
        'the order of the answers does not matter',
      );
    });

    it('count every wrong round, also an incomplete one', async () => {
      const [a] = people.toSubmitted(right(ids)) as [Submitted[0]];
      for (const submitted of [[], [a, a, a], [a]]) await people.submit(username, submitted);
      assert.equal(await succeeds(right(ids)), false);
    });

    it('refuse a malformed round without counting it', async () => {
      const [a] = people.toSubmitted(right(ids)) as [Submitted[0]];
      for (const submitted of [
        undefined,
        null,
        'text',
        { 0: a },
        [null],
        [[a]],
        [{ ...a, questionId: `${a.questionId}' or 1=1 --` }],
        [{ ...a, submittedAnswer: ['x'] }],
        [{ ...a, submittedAnswer: { $ne: '' } }],
        [{ ...a, submittedAnswer: true }],
        [{ ...a, submittedAnswer: '' }],
        [{ ...a, submittedAnswer: 'x'.repeat(301) }],
        Array(21).fill(a),
      ]) {
        assertRefused(await people.submit(username, submitted), 400, 'request.invalid', submitted);
      }
      const query = { username, submittedQuestions: JSON.stringify(people.toSubmitted(right(ids))) };
      assertRefused(await test.post(`${USER}/ValidateSecurityQuestions`, { query }), 400, 'request.invalid');
      assert.equal(await succeeds(right(ids)), true);
    });

    it('belong to one account: neither the answers nor the token reset another', async () => {
      const other = `yara${count}`;
      await people.join(other, 5, (id) => `${answerTo(id)} of mine`);
      const theirs = await people.askedIds(other);
      assert.equal(await succeeds(right(theirs), other), false);
      const own = Object.fromEntries(ids.map((id) => [id, `${answerTo(id)} of mine`]));
      assert.equal(await succeeds(own), false);
      const { result } = await people.give(username, right(ids));
      for (const who of [other, 'nobody', 'admin'])
        assertRefused(await redeem(result.token, who), 400, 'reset.invalidToken');
      for (const method of [2, 4]) {
        const body = { username, code: result.token, method };
        assert.equal((await test.post(`${USER}/ValidateResetCode`, { body })).result.isSuccess, false);
      }
      assert.equal((await redeem(result.token, `${username}@example.com`)).status, 200);
    });

    it('stop accepting old answers as soon as new ones are set, also in a round that is being verified', async () => {
      const next = Object.fromEntries(ids.map((id) => [id, `another ${id.slice(0, 5)}`]));
      let isSet = false;
      hashes.before(async () => {
        if (isSet) return;
        isSet = true;
        assert.equal((await people.set(token, next)).status, 200);
      });
      assert.equal(await succeeds(right(ids)), false);
      assert.equal(isSet, true);
      assert.equal(await succeeds(right(ids)), false);
      assert.equal(await succeeds(next), true);
    });

    it('are not set when the password that authorized the call is replaced meanwhile', async () => {
      const { result } = await people.give(username, right(ids));
      const hashing = test.service.answerHashing;
      const hash = hashing.hash.bind(hashing);
      let isReset = false;
      const watched: typeof hash = async (password) => {
        if (!isReset) {
          isReset = true;
          assert.equal((await redeem(result.token)).status, 200);
        }
        return hash(password);
      };
      Object.assign(hashing, { hash: watched });
      const late = await people.set(token, Object.fromEntries(ids.map((id) => [id, `mine ${id.slice(0, 5)}`])));
      Object.assign(hashing, { hash });
      assertRefused(late, 400, 'password.incorrect');
      assert.equal(isReset, true);
      assert.equal(await succeeds(right(ids)), true);
    });

    /** Returns a name that can be reset by questions, then one per reason why a name cannot. */
    async function createNames() {
      const admin = await test.admin();
      await test.createUser(`bare${count}`);
      await people.join(`few${count}`, 2);
      const former = await people.join(`former${count}`);
      await test.post(`${USER}/InactivateUser`, { token: admin, body: { userId: former.id } });
      const gone = await people.join(`gone${count}`);
      await test.send('DELETE', `${USER}/Delete`, { token: admin, query: { id: gone.id } });
      const kinds = ['bare', 'few', 'former', 'gone', 'nobody'].map((kind) => `${kind}${count}`);
      return [username, ...kinds, `nobody${count}@example.com`, `+2782123456${count % 10}`, `' or 1=1 -- ${count}`];
    }

    it('do not reveal which accounts have answers: questions, answers, hashes, rows and statements are the same', async (context) => {
      const names = await createNames();
      const statements = countStatements(context);
      const { sql: rows } = test.service.database;
      const countTrail = async () => (await rows.selectFrom('audit').select('id').execute()).length;
      const seen: { look: unknown[]; work: number[] }[] = [];
      for (const who of names) {
        statements.reset();
        const asked = await people.ask(who);
        const work = [statements.read()];
        const { 'content-length': _, date: __, ...headers } = asked.headers;
        const shape = asked.result.map((one: object) => Object.keys(one).join());
        const look: unknown[] = [asked.status, headers, shape];
        const own: string[] = asked.result.map((one) => one.id);
        assert.equal(new Set(own).size, ASKED);
        assert.deepEqual(await people.askedIds(who.toUpperCase()), own, 'the same questions for every spelling');
        for (let turn = 0; turn < 5; turn += 1) {
          hashes.reset();
          const trail = await countTrail();
          statements.reset();
          look.push(visible(await people.give(who, wrong(own))));
          work.push(statements.read(), hashes.checked.length, (await countTrail()) - trail);
        }
        seen.push({ look, work });
      }
      for (const [index, one] of seen.entries()) assert.deepEqual(one, seen[0], names[index] ?? '');
      const perRound = [0, 1, 2, 3, 4].map((turn) => seen[0]?.work.slice(2 + 3 * turn, 4 + 3 * turn));
      assert.deepEqual(perRound, [...Array(3).fill([ASKED, 1]), ...Array(2).fill([0, 0])]);
      if (engine === 'postgres') assert.ok((seen[0]?.work[0] ?? 0) > 1, 'statements are counted');
    });

    it('refuse right answers of accounts that have too few answers or are deactivated', async () => {
      const [, , few = '', former = ''] = await createNames();
      for (const who of [few, former]) assert.equal(await succeeds(right(await people.askedIds(who)), who), false);
      const { result } = await people.give(username, right(ids));
      const { result: user } = await test.get('/api/services/app/Session/GetCurrentLoginInfo', { token });
      const call = { token: await test.admin(), body: { userId: user.user?.id } };
      await test.post(`${USER}/InactivateUser`, call);
      assertRefused(await redeem(result.token), 400, 'reset.invalidToken');
      assert.equal(await succeeds(right(ids)), false);
      await test.post(`${USER}/ActivateUser`, call);
      assert.deepEqual(await people.askedIds(username), ids);
    });

    it('differ between unknown names, and between services with different secrets', async (context) => {
      const names = Array.from({ length: 20 }, (_, n) => `phantom${n}`);
      const here = await Promise.all(names.map((one) => people.askedIds(one)));
      assert.ok(new Set(here.map(String)).size > 15);
      const other = await startTestService(engine, { secret: 'another secret of thirty-two characters' });
      context.after(() => other.close());
      await other.set('Shesha.Security', { useResetPasswordViaSecurityQuestions: true });
      const there = await Promise.all(names.map((one) => createPerson(other).askedIds(one)));
      assert.ok(there.filter((one, n) => String(one) === String(here[n])).length < 3);
    });

    it('never write a typed answer to a row, a log line, a metric or the OpenAPI document', async () => {
      await people.give(username, right(ids));
      await people.give(username, { ...right(ids), [ids[0] as string]: 'CanaryGuess' });
      await people.give('CanaryTypedAsName', right(ids));
      await people.set(token, { [ids[0] as string]: answerTo('xyz'), [ids[1] as string]: answerTo('xyz') });
      const { sql: statements } = test.service.database;
      const tables =
        engine === 'sqlite'
          ? sql<{ name: string }>`select name from sqlite_master where type = 'table'`
          : sql<{
              name: string;
            }>`select table_name as name from information_schema.tables where table_schema = 'public'`;
      for (const { name } of (await tables.execute(statements)).rows) {
        const rows = JSON.stringify((await sql`select * from ${sql.table(name)}`.execute(statements)).rows);
        assert.doesNotMatch(rows, /canary|plumage/i, name);
      }
      const stored = await statements.selectFrom('security_answer').select('answer_hash').execute();
      assert.ok(stored.length >= 5 && stored.every((row) => row.answer_hash.startsWith('$argon2id$')));
      assert.equal(new Set(stored.map((row) => row.answer_hash)).size, stored.length, 'each hash has its own salt');
      await sql`alter table security_answer rename column account_id to id_away`.execute(statements);
      assertRefused(await people.give(username, right(ids)), 500, 'service.error');
      assertRefused(await people.set(token, right(ids)), 500, 'service.error');
      await sql`alter table security_answer rename column id_away to account_id`.execute(statements);
      assert.match(test.logs.join(''), /service\.error/);
      assert.doesNotMatch(test.logs.join(''), /canary|plumage/i);
      for (const path of ['/metrics', '/openapi.json']) {
        assert.doesNotMatch((await test.get(path, { ip: '127.0.0.1' })).text, /canary|plumage/i);
      }
    });
  });
}
