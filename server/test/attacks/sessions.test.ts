// Sessions: after any calls in any order, exactly the tokens that a small model says are live.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { createTestAccounts, type TestAccount, type TestAccounts } from '../support/accounts.ts';
import { claimsOf } from '../support/forge.ts';
import type { TestService } from '../support/service.ts';
import { type SetUp, setUps } from '../support/set-ups.ts';

const REFRESH = '/api/TokenAuth/RefreshTokenAsync';
const SIGN_OFF = '/api/TokenAuth/SignOff';
const WHO = '/api/services/app/Session/GetCurrentLoginInfo';
const SESSIONS = '/api/services/app/Session/GetAll';
const END = '/api/services/app/Session/End';
const END_OTHERS = '/api/services/app/Session/EndOthers';
const SIGN_OUT_EVERYWHERE = '/api/services/app/User/SignOutEverywhere';

const LIFETIME = 400;
const SESSION_LIFETIME = 1000;
const RUNS = 25;

/** The model: a session has one current token until it ends. A token also expires on its own. */
type ModelSession = { current?: ModelToken; endsAt: number };
type ModelToken = { text: string; session: ModelSession; expiresAt: number };
type Model = { account: TestAccount; tokens: ModelToken[] };

/** One step: an act with the `of`-th token, on the session of the `which`-th token, or a wait of some seconds. */
type Step = {
  act: 'open' | 'refresh' | 'check' | 'signOff' | 'endOthers' | 'end' | 'signOutEverywhere' | 'wait';
} & Record<'of' | 'which' | 'seconds', number>;

const step: fc.Arbitrary<Step> = fc.record({
  act: fc.constantFrom(
    ...([
      'open',
      'open',
      'refresh',
      'refresh',
      'refresh',
      'check',
      'signOff',
      'endOthers',
      'end',
      'signOutEverywhere',
      'wait',
      'wait',
    ] as const),
  ),
  of: fc.nat(),
  which: fc.nat(),
  seconds: fc.constantFrom(1, 200, 399, 400),
});

for (const [name, start] of Object.entries(setUps)) {
  describe(`sessions on ${name}`, () => {
    let setUp: SetUp;
    let here: TestService;
    let there: TestService;
    let accounts: TestAccounts;
    let administrator: TestAccount;
    before(async () => {
      setUp = await start();
      ({ here, there } = setUp);
      here.clock.advance(1 - (here.clock.now() % 1000) / 1000);
      accounts = await createTestAccounts(here);
      const { result } = await here.get(WHO, { token: await here.admin() });
      administrator = { id: result.user?.id ?? assert.fail(), userName: 'admin' };
      await here.set('Latchkey.Tokens', { accessTokenLifetime: LIFETIME, sessionLifetime: SESSION_LIFETIME });
    });
    after(() => setUp.close());

    const now = () => here.clock.now() / 1000;
    const isWithin = (token: ModelToken) => now() < token.expiresAt;
    const isOpen = (session: ModelSession) => now() < session.endsAt;
    const isLive = (token: ModelToken) => isWithin(token) && token.session.current === token && isOpen(token.session);
    const end = (session: ModelSession) => {
      session.endsAt = Math.min(session.endsAt, now());
    };
    const issue = ({ tokens }: Model, text: string, session: ModelSession) => {
      const token = { text, session, expiresAt: Math.min(now() + LIFETIME, session.endsAt) };
      session.current = token;
      tokens.push(token);
    };

    type Act = (node: TestService, model: Model, token: ModelToken, step: Step) => Promise<void>;
    const acts: Record<Exclude<Step['act'], 'open' | 'wait'>, Act> = {
      async check(node, _model, token) {
        assert.equal((await node.get(SESSIONS, { token: token.text })).status, isLive(token) ? 200 : 401);
      },
      async refresh(node, model, token) {
        const answer = await node.post(REFRESH, { token: token.text });
        assert.equal(answer.status, isLive(token) ? 200 : 401);
        if (answer.status === 200) issue(model, answer.result.accessToken, token.session);
      },
      async signOff(node, _model, token) {
        assert.equal((await node.post(SIGN_OFF, { token: token.text })).result, true);
        if (isWithin(token)) end(token.session);
      },
      async endOthers(node, { tokens }, token) {
        const answer = await node.post(END_OTHERS, { token: token.text });
        assert.equal(answer.status, isLive(token) ? 200 : 401);
        if (answer.status === 200) for (const { session } of tokens) if (session !== token.session) end(session);
      },
      async end(node, { tokens }, token, { which }) {
        const { text, session } = tokens[which % tokens.length] as ModelToken;
        const answer = await node.post(END, { token: token.text, body: { id: claimsOf(text).sid } });
        assert.equal(answer.status, !isLive(token) ? 401 : isOpen(session) ? 200 : 404);
        if (answer.status === 200) end(session);
      },
      async signOutEverywhere(node, { account, tokens }) {
        const token = await accounts.open(administrator);
        const answer = await node.post(SIGN_OUT_EVERYWHERE, { token, body: { userId: account.id } });
        assert.equal(answer.status, 200);
        for (const { session } of tokens) end(session);
      },
    };

    async function play(steps: readonly Step[]) {
      const model: Model = { account: await accounts.add(), tokens: [] };
      const { account, tokens } = model;
      for (const [index, one] of steps.entries()) {
        const token = tokens[one.of % tokens.length];
        const node = index % 2 ? here : there;
        if (one.act === 'wait') here.clock.advance(one.seconds);
        else if (one.act === 'open') issue(model, await accounts.open(account), { endsAt: now() + SESSION_LIFETIME });
        else if (token) await acts[one.act](node, model, token, one);
        for (const each of tokens) await assertAsDue(node, each);
      }
    }

    async function assertAsDue(node: TestService, token: ModelToken) {
      const due = isLive(token) ? 'live' : isWithin(token) ? 'token.revoked' : 'token.expired';
      const answer = await node.get(SESSIONS, { token: token.text });
      assert.equal(answer.status === 200 ? 'live' : answer.error.reason, due);
    }

    it('match the model after every step', async () => {
      const steps = fc.array(step, { minLength: 5, maxLength: 25, size: 'max' });
      await fc.assert(fc.asyncProperty(steps, play), { numRuns: RUNS });
    });

    it('are verified on every call: a token is refused as soon as any call has ended its session', async () => {
      const account = await accounts.add();
      for (const [ender, other] of [
        [here, there],
        [there, here],
      ] as const) {
        for (const path of [SIGN_OFF, REFRESH]) {
          const token = await accounts.open(account);
          for (const node of [ender, other, ender, other])
            assert.equal((await node.get(SESSIONS, { token })).status, 200);
          assert.equal((await ender.post(path, { token })).status, 200);
          const answers = await Promise.all([other, ender, other].map((node) => node.get(SESSIONS, { token })));
          for (const { error } of answers) assert.equal(error?.reason, 'token.revoked', path);
        }
      }
    });

    it('are refused by every verification that began after the end', async () => {
      const account = await accounts.add();
      for (let round = 0; round < 20; round += 1) {
        const token = await accounts.open(account);
        const early = Array.from({ length: 5 }, () => there.get(SESSIONS, { token }));
        const off = await here.post(SIGN_OFF, { token });
        const late = await Promise.all(Array.from({ length: 5 }, () => there.get(SESSIONS, { token })));
        assert.equal(off.result, true);
        for (const { error } of late) assert.equal(error?.reason, 'token.revoked');
        await Promise.all(early);
      }
    });

    it('of other accounts can be neither ended nor listed', async () => {
      const [mine, theirs] = [await accounts.open(await accounts.add()), await accounts.open(await accounts.add())];
      const { sid } = claimsOf(theirs);
      const answer = await here.post(END, { token: mine, body: { id: sid } });
      assert.deepEqual([answer.status, answer.error.reason], [404, 'session.notFound']);
      const unknown = await here.post(END, { token: mine, body: { id: crypto.randomUUID() } });
      assert.deepEqual([unknown.status, unknown.error.message], [404, answer.error.message]);
      await here.post(END_OTHERS, { token: mine });
      assert.equal((await there.get(SESSIONS, { token: theirs })).status, 200);
      assert.equal((await here.get(SESSIONS, { token: mine })).text.includes(String(sid)), false);
    });

    it('that were refused as expired stay refused when the clock is set back', async () => {
      const account = await accounts.add();
      const [seen, superseded, fresh] = [
        await accounts.open(account),
        await accounts.open(account),
        await accounts.open(account),
      ];
      assert.equal((await here.get(SESSIONS, { token: seen })).status, 200);
      const next = (await here.post(REFRESH, { token: superseded })).result.accessToken;
      here.clock.advance(LIFETIME + 1);
      for (const token of [seen, superseded, next]) {
        assert.equal((await here.get(SESSIONS, { token })).error.reason, 'token.expired');
      }
      here.clock.advance(-LIFETIME - 1);
      for (const token of [seen, superseded, next]) {
        assert.equal((await here.get(SESSIONS, { token })).status, 401);
        assert.equal((await here.post(REFRESH, { token })).status, 401);
      }
      assert.equal((await here.get(SESSIONS, { token: fresh })).status, 200);
    });

    it('that ended stay ended when the clock changes', async () => {
      const account = await accounts.add();
      const [off, old] = [await accounts.open(account), await accounts.open(account)];
      const token = (await here.post(REFRESH, { token: old })).result.accessToken;
      await here.post(SIGN_OFF, { token: off });
      for (const seconds of [100, -300, -86_400, 86_500, 200]) {
        here.clock.advance(seconds);
        for (const dead of [off, old]) assert.equal((await there.get(SESSIONS, { token: dead })).status, 401);
      }
      here.clock.advance(-100);
      assert.equal((await there.get(SESSIONS, { token })).status, 200);
    });
  });
}
