// Interleavings: statements of parallel calls run in every order, and the invariants hold in each.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { AuthError } from '../../src/foundation/errors.ts';
import type { PinTry } from '../../src/proofs/pins.ts';
import type { Decision } from '../../src/rate-limits/index.ts';
import { createTestAccounts, type TestAccount, type TestAccounts } from '../support/accounts.ts';
import { readResult } from '../support/answers.ts';
import { anyOrder, createInterleavings } from '../support/interleavings.ts';
import { introspect } from '../support/introspection.ts';
import { callAs, createClient } from '../support/oauth.ts';
import { wrongPin } from '../support/registration.ts';
import { often } from '../support/scale.ts';
import { freshAddress, type TestService, USER_PASSWORD } from '../support/service.ts';
import { type SetUp, setUps } from '../support/set-ups.ts';

const REFRESH = '/api/TokenAuth/RefreshTokenAsync';
const SIGN_OFF = '/api/TokenAuth/SignOff';
const AUTHENTICATE = '/api/TokenAuth/Authenticate';
const SESSIONS = '/api/services/app/Session';
const USER = '/api/services/app/User';
const ROLES = '/api/services/app/Role';
const NEW_PASSWORD = 'quarry velvet thimble';

const RUNS = often(10, 300);

/** Returns the outcome, or `undefined` when the database was too busy and the call had no effect. */
async function unlessBusy<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AuthError && error.status === 503) return undefined;
    throw error;
  }
}

/** Concurrent calls for one account. An `End` ends sessions of it. */
type End = 'signOff' | 'endOthers' | 'changePassword' | 'deactivate' | 'resetPassword' | 'signOutEverywhere';
type Client = 'refresh' | 'check' | 'signIn' | End;
/** These end every session that the old password opens, also one that is opened later. */
const forGood: readonly Client[] = ['deactivate', 'changePassword', 'resetPassword'];
const clients = fc.array(
  fc.constantFrom<Client>(
    ...(['refresh', 'refresh', 'refresh', 'refresh', 'check', 'signIn', 'signOff', 'endOthers'] as const),
    ...(['changePassword', 'deactivate', 'resetPassword', 'signOutEverywhere'] as const),
  ),
  { minLength: 2, maxLength: 5 },
);

for (const [name, start] of Object.entries(setUps)) {
  describe(`interleavings on ${name}`, () => {
    const { around, explore } = createInterleavings();
    let setUp: SetUp;
    let here: TestService;
    let there: TestService;
    let accounts: TestAccounts;
    let administrator: TestAccount;
    let key: string;
    before(async () => {
      setUp = await start({ around });
      ({ here, there } = setUp);
      accounts = await createTestAccounts(here);
      const { result } = await here.get(`${SESSIONS}/GetCurrentLoginInfo`, { token: await here.admin() });
      key = await here.createServiceKey('interleavings', ['introspect']);
      administrator = { id: result.user?.id ?? assert.fail(), userName: 'admin' };
    });
    after(() => setUp.close());
    const node = (index: number) => (index % 2 ? there : here);
    const check = (property: fc.IAsyncProperty<unknown>, numRuns: number) => fc.assert(property, { numRuns });

    it('refresh a token at most once, and leave no live token after an acknowledged end', async () => {
      const property = fc.asyncProperty(anyOrder, clients, async (scheduler, drawn) => {
        const account = await accounts.add();
        const [token, own, admin] = [
          await accounts.open(account),
          await accounts.open(account),
          await accounts.open(administrator),
        ];
        let [hasEnded, newest] = [false, token];
        const refreshed: string[] = [];
        const opened: string[] = [];
        const answered: Client[] = [];
        const signIn = { userNameOrEmailAddress: account.userName, password: USER_PASSWORD };
        const change = { currentPassword: USER_PASSWORD, newPassword: NEW_PASSWORD };
        const userId = { userId: account.id };

        async function useToken(from: TestService, call: 'refresh' | 'check', used: string): Promise<void> {
          const wasDead = hasEnded || refreshed.includes(used);
          const answer =
            call === 'check'
              ? await from.get(`${SESSIONS}/GetAll`, { token: used })
              : await from.post(REFRESH, { token: used });
          if (answer.status === 200) assert.ok(!wasDead, `${call} of a token that was revoked before`);
          else assert.ok([401, 503].includes(answer.status), answer.text);
          if (answer.status !== 200 || call === 'check') return;
          assert.ok(!refreshed.includes(used), 'the service refreshed a token twice');
          refreshed.push(used);
          newest = readResult(answer)?.accessToken ?? assert.fail();
          await useToken(from, refreshed.length < 3 ? 'refresh' : 'check', newest);
        }

        const ends: Record<End, (from: TestService) => ReturnType<TestService['post']>> = {
          signOff: (from) => from.post(SIGN_OFF, { token }),
          endOthers: (from) => from.post(`${SESSIONS}/EndOthers`, { token: own }),
          changePassword: (from) => from.post(`${USER}/ChangePassword`, { token: own, body: change }),
          deactivate: (from) => from.post(`${USER}/InactivateUser`, { token: admin, body: userId }),
          resetPassword: (from) =>
            from.post(`${USER}/ResetPassword`, { token: admin, body: { ...userId, newPassword: NEW_PASSWORD } }),
          signOutEverywhere: (from) => from.post(`${USER}/SignOutEverywhere`, { token: admin, body: userId }),
        };

        const run = async (client: Client, from: TestService) => {
          if (client === 'refresh' || client === 'check') return useToken(from, client, token);
          const isOut = answered.some((one) => forGood.includes(one));
          const answer =
            client === 'signIn' ? await from.post(AUTHENTICATE, { body: signIn }) : await ends[client](from);
          assert.ok([200, 400, 401, 503].includes(answer.status), answer.text);
          if (answer.status !== 200) return;
          if (client === 'signIn') {
            assert.ok(!isOut, 'a revoked password or deactivated account signed in');
            opened.push(readResult(answer)?.accessToken ?? assert.fail());
          } else {
            hasEnded = true;
            answered.push(client);
          }
        };
        await explore(
          scheduler,
          drawn.map((client, index) => () => run(client, node(index))),
        );

        const isLive = async (one: string) => (await there.get(`${SESSIONS}/GetAll`, { token: one })).status === 200;
        for (const one of refreshed) assert.equal(await isLive(one), false);
        assert.equal(await isLive(newest), !hasEnded);
        if (!answered.some((one) => forGood.includes(one))) return;
        for (const one of opened) assert.equal(await isLive(one), false, 'a session of the old password is still live');
      });
      await check(property, 2 * RUNS);
    });

    it('give no account a role whose permissions its giver does not hold', async () => {
      let rounds = 0;
      const manager = await accounts.add(['UserManager']);
      const property = fc.asyncProperty(anyOrder, async (scheduler) => {
        const role = `New ${rounds++}`;
        const [token, admin] = [await accounts.open(manager), await accounts.open(administrator)];
        const statuses: number[] = [];
        const user = { userName: `crony${rounds}`, roleNames: [role] };
        await explore(scheduler, [
          async () => {
            statuses.push((await here.post(`${USER}/Create`, { token, body: user })).status);
          },
          async () => {
            const body = { name: role, grantedPermissions: ['pages:maintenance'] };
            statuses.push((await there.post(`${ROLES}/Create`, { token: admin, body })).status);
          },
        ]);
        assert.ok(statuses.filter((status) => status === 200).length < 2, `${statuses}`);
        for (const status of statuses) assert.ok([200, 403, 409, 503].includes(status), `${statuses}`);
      });
      await check(property, RUNS);
    });

    it('give a machine no token by a secret that was replaced', async () => {
      const machine = await createClient(here, { kind: 'machine', redirectUris: [] });
      let { secret } = machine;
      const property = fc.asyncProperty(anyOrder, async (scheduler) => {
        const token = await accounts.open(administrator);
        const former = { ...machine, secret };
        const given: string[] = [];
        await explore(scheduler, [
          async () => {
            const rotated = await here.post('/api/services/app/Application/RotateSecret', {
              token,
              body: { id: machine.id },
            });
            secret = rotated.status === 200 ? rotated.result.clientSecret : secret;
          },
          ...[0, 1, 2].map((index) => async () => {
            const { status, body } = await callAs(node(index), former, '/oauth/token', {
              grant_type: 'client_credentials',
            });
            assert.ok([200, 401, 503].includes(status), JSON.stringify(body));
            if (status === 200) given.push(body.access_token);
          }),
        ]);
        if (secret === former.secret) return;
        for (const one of given) assert.equal((await introspect(there, one, key)).active, false);
      });
      await check(property, 2 * RUNS);
    });

    it('allow no more guesses per lock than the setting says', async () => {
      const attempts = fc.array(fc.constantFrom('fail', 'fail', 'fail', 'succeed', 'keepFailures'), {
        minLength: 1,
        maxLength: 4,
      });
      // Less than eight seconds in all: after that, a reservation of a dead process expires.
      const moves = fc.array(fc.constantFrom(1, 2, 3), { maxLength: 2 });
      let subjects = 0;
      const property = fc.asyncProperty(
        anyOrder,
        fc.array(attempts, { minLength: 2, maxLength: 5 }),
        moves,
        fc.integer({ min: 1, max: 3 }),
        async (scheduler, drawn, seconds, maxFailures) => {
          const policy = { enabled: true, maxFailures, seconds: 3 };
          const subject = `account:guessed ${name} ${subjects++}`;
          const locks = new Set<number>();
          let [failed, succeeded] = [0, 0];
          const attempt = async ({ service, clock }: TestService, outcome: string) => {
            const known = Math.max(0, ...locks);
            const reserved = await unlessBusy(() => service.lockouts.reserve(subject, policy));
            if (reserved === undefined) return;
            if ('lockedUntil' in reserved) {
              locks.add(reserved.lockedUntil);
              return;
            }
            assert.ok(clock.now() >= known, 'an attempt was verified during a known lock');
            if (outcome === 'fail') failed += 1;
            if (outcome === 'succeed') succeeded += 1;
            await service.database.transaction(async (tx) => {
              if (outcome === 'keepFailures') return service.lockouts.keepFailures(tx, reserved);
              if (outcome === 'succeed') return service.lockouts.succeed(tx, reserved);
              locks.add((await service.lockouts.fail(tx, reserved, policy)) ?? 0);
            });
            assert.ok(failed <= maxFailures * (succeeded + spent()), `${failed} guesses`);
          };
          /** Counts expired locks. Each allows the guesses that lead to the next one. */
          const spent = () => [...locks].filter((until) => until > 0 && until <= here.clock.now()).length + 1;
          await explore(scheduler, [
            ...drawn.map((outcomes, index) => async () => {
              for (const outcome of outcomes) await attempt(node(index), outcome);
            }),
            async () => {
              for (const one of seconds) {
                await here.service.lockouts.readLocks([subject]);
                here.clock.advance(one);
              }
            },
          ]);
          here.clock.advance(10);
          assert.ok('id' in (await here.service.lockouts.reserve(subject, policy)), 'every lock ends on time');
        },
      );
      await check(property, 2 * RUNS);
    });

    it('accept a pin once, not after it expired, and not after a newer pin was issued', async () => {
      const ttlSeconds = 300;
      const purposes = ['sign-in'] as const;
      const steps = fc.array(fc.constantFrom('right', 'right', 'wrong', 'take', 'new', 'again', 'toTheEnd', 'over'), {
        minLength: 2,
        maxLength: 6,
      });
      let people = 1_000_000;
      const property = fc.asyncProperty(
        anyOrder,
        fc.array(steps, { minLength: 1, maxLength: 3 }),
        async (scheduler, drawn) => {
          people += 1;
          const subject = `account:${people}`;
          const recipient = { subject, to: `pin ${people}` };
          const request = { purpose: purposes[0], budgetSubject: subject, accountId: people, recipient, ttlSeconds };
          const { pins, database } = here.service;
          const first = await database.transaction((tx) => pins.issue(tx, request));
          const filter = { operationId: first.operationId, purposes };
          here.clock.advance(60);
          const counts: Record<PinTry['outcome'] | 'taken', number> = { right: 0, wrong: 0, dead: 0, taken: 0 };
          let isSuperseded = false;
          const act = async ({ service }: TestService, step: string) => {
            const inTransaction = <Result>(work: Parameters<typeof service.database.transaction<Result>>[0]) =>
              unlessBusy(() => service.database.transaction(work));
            if (step === 'toTheEnd') here.clock.advance(Math.max(0, (first.expiresAt - here.clock.now()) / 1000 - 1));
            else if (step === 'over') here.clock.advance(Math.max(0, (first.expiresAt - here.clock.now()) / 1000));
            else if (step === 'take') {
              if (await inTransaction((tx) => service.pins.takeProof(tx, filter))) counts.taken += 1;
            } else if (step === 'new' || step === 'again') {
              const operation = step === 'again' ? { operationId: first.operationId } : {};
              const issued = await inTransaction((tx) => service.pins.issue(tx, { ...request, ...operation })).catch(
                () => undefined,
              );
              if (issued) isSuperseded = true;
            } else {
              const wasDead = isSuperseded || counts.right > 0 || here.clock.now() >= first.expiresAt;
              const typed = step === 'right' ? (first.pin ?? '') : wrongPin(first.pin ?? '');
              const tried = await inTransaction((tx) => service.pins.tryPin(tx, filter, typed));
              if (!tried) return;
              counts[tried.outcome] += 1;
              if (tried.outcome === 'right') assert.ok(!wasDead && step === 'right', 'accepted a dead pin');
            }
          };
          await explore(
            scheduler,
            drawn.map((some, index) => async () => {
              for (const step of some) await act(node(index), step);
            }),
          );
          assert.ok(counts.right <= 1 && counts.taken <= counts.right, JSON.stringify(counts));
          here.clock.advance(2 * ttlSeconds);
          const late = await database.transaction((tx) => pins.tryPin(tx, filter, first.pin ?? ''));
          assert.equal(late.outcome, 'dead');
        },
      );
      await check(property, 2 * RUNS);
    });

    it('allow exactly the limit of a window before a request is refused', async () => {
      const rounds = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 2, maxLength: 4 });
      // At most one window in all: the service would take an older request for one from before a clock change.
      const moves = fc.constantFrom([], [1], [59], [59, 1], [60], [30, 30]);
      const property = fc.asyncProperty(anyOrder, rounds, moves, async (scheduler, drawn, seconds) => {
        const address = freshAddress();
        const windows = new Map<number, Decision[]>();
        const ask = async ({ service, clock }: TestService) => {
          const now = clock.now();
          const decision = await unlessBusy(() => service.rateLimits.take('otp', address));
          if (!decision) return;
          const end = now + decision.resetSeconds * 1000;
          windows.set(end, [...(windows.get(end) ?? []), decision]);
        };
        await explore(scheduler, [
          ...drawn.map((times, index) => async () => {
            for (let turn = 0; turn < times; turn += 1) await ask(node(index));
          }),
          async () => {
            for (const one of seconds) {
              await here.service.lockouts.readLocks([address]);
              here.clock.advance(one);
            }
          },
        ]);
        for (const decisions of windows.values()) {
          const through = decisions.filter(({ allowed }) => allowed).length;
          const isFull = decisions.some(({ allowed }) => !allowed);
          assert.ok(isFull ? through === 5 : through <= 5, JSON.stringify(decisions));
          assert.ok(decisions.filter(({ firstRefusal }) => firstRefusal).length <= 1);
        }
      });
      await check(property, 2 * RUNS);
    });
  });
}
