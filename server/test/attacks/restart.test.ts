// Restarts: whatever ends the process, and whenever, what was acknowledged holds.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDatabaseUrl } from '../support/databases.ts';
import { findFreePort } from '../support/ports.ts';
import { callProcess, startInVain, startProcess, type TestProcess } from '../support/process.ts';
import { ADMIN_PASSWORD, TEST_SECRET } from '../support/service.ts';

const AUTHENTICATE = '/api/TokenAuth/Authenticate';
const REFRESH = '/api/TokenAuth/RefreshTokenAsync';
const SIGN_OFF = '/api/TokenAuth/SignOff';
const SESSIONS = '/api/services/app/Session/GetAll';
const UPDATE = '/api/services/app/Settings/UpdateValue';

const isLong = process.env.LATCHKEY_TEST_LONG === '1';
const KILLS = { sqlite: isLong ? 150 : 10, postgres: isLong ? 50 : 4 };
const LONGEST_LIFE_MS = 150;
const LOOK_AWAY_MS = 150;
const SLOW_MS = 800;

const env = { LATCHKEY_ADMIN_PASSWORD: ADMIN_PASSWORD, LATCHKEY_SECRET: TEST_SECRET };

/** Calls of one process, over whichever port it has. */
function clientOf({ url }: { url: string }) {
  return {
    async signIn(): Promise<string> {
      const body = { userNameOrEmailAddress: 'admin', password: ADMIN_PASSWORD };
      const answer = await callProcess(url, 'POST', AUTHENTICATE, { body });
      assert.equal(answer.status, 200, JSON.stringify(answer.error));
      return answer.result.accessToken;
    },
    refresh: (token: string) => callProcess(url, 'POST', REFRESH, { token }),
    signOff: (token: string) => callProcess(url, 'POST', SIGN_OFF, { token }),
    check: async (token: string) => (await callProcess(url, 'GET', SESSIONS, { token })).status,
    /** Lets this machine sign in as often as it likes. */
    async liftLimits() {
      const body = { name: 'Latchkey.RateLimiting', value: { loginPermitLimit: 100_000 } };
      const answer = await callProcess(url, 'POST', UPDATE, { token: await this.signIn(), body });
      assert.equal(answer.status, 200, JSON.stringify(answer.error));
    },
  };
}

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`kill -9 on ${engine}`, () => {
    let options: { dataDir: string; port: number; env: Record<string, string> };
    let running: TestProcess;
    before(async () => {
      const dataDir = mkdtempSync(join(tmpdir(), 'latchkey-kill-'));
      const database = engine === 'postgres' ? { LATCHKEY_DATABASE_URL: await createDatabaseUrl('postgres') } : {};
      options = { dataDir, port: await findFreePort(), env: { ...env, ...database } };
      running = await startProcess(options);
      await clientOf(running).liftLimits();
    });
    after(async () => {
      await running.kill();
      rmSync(options.dataDir, { recursive: true, force: true });
    });

    /** Refreshes until the process dies. @returns the last two tokens that were answered: the newest is under way. */
    async function refreshOnAndOn(first: string) {
      const { refresh } = clientOf(running);
      let superseded: string | undefined;
      let newest = first;
      for (;;) {
        const answer = await refresh(newest).catch(() => undefined);
        if (!answer) return { superseded, newest };
        assert.equal(answer.status, 200, JSON.stringify(answer.error));
        superseded = newest;
        newest = answer.result.accessToken;
      }
    }

    /** Signs sessions off until the process dies. @returns the tokens whose sign-off was answered. */
    async function signOffOnAndOn(tokens: readonly string[]) {
      const { signOff } = clientOf(running);
      const dead: string[] = [];
      for (const token of tokens) {
        const answer = await signOff(token).catch(() => undefined);
        if (!answer) return dead;
        assert.equal(answer.result, true);
        dead.push(token);
      }
      return dead;
    }

    it('at any moment loses nothing that was acknowledged', async () => {
      const dead: string[] = [];
      const counts = { signedOff: 0, refreshed: 0 };
      for (let kill = 0; kill < KILLS[engine]; kill += 1) {
        const client = clientOf(running);
        const idleOld = await client.signIn();
        const idle = (await client.refresh(idleOld)).result.accessToken;
        const chains = [await client.signIn(), await client.signIn()];
        const candidates = [await client.signIn(), await client.signIn(), await client.signIn()];
        const work = Promise.all([...chains.map(refreshOnAndOn), signOffOnAndOn(candidates)] as const);
        await sleep(Math.random() * LONGEST_LIFE_MS);
        await running.kill();
        const results = await work;
        running = await startProcess(options);
        const { check, refresh } = clientOf(running);

        const ended = results.at(-1) as string[];
        dead.push(idleOld, ...ended);
        counts.signedOff += ended.length;
        for (const token of dead.slice(-50)) assert.equal(await check(token), 401, `kill ${kill}: a dead token lives`);
        for (const { superseded, newest } of results.slice(0, -1) as { superseded?: string; newest: string }[]) {
          if (superseded) {
            counts.refreshed += 1;
            assert.equal(await check(superseded), 401, `kill ${kill}: a superseded token lives`);
            assert.equal((await refresh(superseded)).status, 401);
          }
          // The refresh under way has happened or has not: the token lives or it does not, for every call.
          const status = await check(newest);
          assert.equal((await refresh(newest)).status, status);
          assert.equal(await check(newest), 401);
        }
        assert.equal(await check(idle), 200, `kill ${kill}: an acknowledged refresh is lost`);
      }
      assert.equal(counts.signedOff > 0 && counts.refreshed > 0, true, 'there was work to interrupt');
    });
  });
}

describe('an embedded database', () => {
  it('that comes back from a backup ends all sessions, once', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'latchkey-restore-'));
    const backup = join(dataDir, 'backup');
    const options = { dataDir, port: await findFreePort(), env };
    let running = await startProcess(options);
    try {
      const [off, old, kept] = [
        await clientOf(running).signIn(),
        await clientOf(running).signIn(),
        await clientOf(running).signIn(),
      ];
      await running.stop();
      mkdirSync(backup);
      copyFileSync(join(dataDir, 'latchkey.db'), join(backup, 'latchkey.db'));

      running = await startProcess(options);
      assert.equal(await clientOf(running).check(kept), 200, 'a restart alone ends nothing');
      await clientOf(running).signOff(off);
      const next = (await clientOf(running).refresh(old)).result.accessToken;
      await running.stop();
      for (const name of ['latchkey.db-wal', 'latchkey.db-shm']) rmSync(join(dataDir, name), { force: true });
      copyFileSync(join(backup, 'latchkey.db'), join(dataDir, 'latchkey.db'));

      running = await startProcess(options);
      assert.match(running.output(), /restored/);
      for (const token of [off, old, next, kept]) assert.equal(await clientOf(running).check(token), 401);
      const fresh = await clientOf(running).signIn();
      await running.kill();
      running = await startProcess(options);
      assert.doesNotMatch(running.output(), /restored/);
      assert.equal(await clientOf(running).check(fresh), 200);
    } finally {
      await running.kill();
      rmSync(dataDir, { recursive: true, force: true });
    }
  });

  it('is not opened with another secret: one line says why, and that of no secret', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'latchkey-secret-'));
    try {
      await (await startProcess({ dataDir, env })).stop();
      const other = 'another secret, and long enough to be one';
      const { code, output } = await startInVain({ dataDir, env: { ...env, LATCHKEY_SECRET: other } });
      assert.equal(code, 1);
      assert.match(output, /LATCHKEY_SECRET/);
      assert.equal(output.trim().split('\n').length, 1, output);
      for (const secret of [other, TEST_SECRET]) assert.equal(output.includes(secret), false);
      const again = await startProcess({ dataDir, env });
      assert.equal(await again.stop(), 0);
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  });
});

/** A sign-in of which the half has been sent. `finish` sends the rest and gives the answer's status. */
async function beginSignIn({ port }: TestProcess) {
  const text = JSON.stringify({ userNameOrEmailAddress: 'admin', password: ADMIN_PASSWORD });
  const headers = { 'content-type': 'application/json', 'content-length': text.length };
  const call = request({ host: '127.0.0.1', port, path: AUTHENTICATE, method: 'POST', headers, agent: false });
  const answered = once(call, 'response');
  answered.catch(() => {});
  call.write(text.slice(0, 20));
  await once(call, 'socket');
  await sleep(20);
  return {
    async finish(): Promise<number | undefined> {
      call.end(text.slice(20));
      const [answer] = (await answered) as [IncomingMessage];
      answer.resume();
      return answer.statusCode;
    },
  };
}

describe('SIGTERM under load', () => {
  it('fails no request, and ends the process', async () => {
    const running = await startProcess({ env });
    const client = clientOf(running);
    await client.liftLimits();
    const statuses: number[] = [];
    let looksAwayAt = Number.POSITIVE_INFINITY;
    const work = Array.from({ length: 8 }, async (_, index) => {
      let token = await client.signIn();
      while (Date.now() < looksAwayAt) {
        if (index % 4 === 0) token = await client.signIn();
        if (index % 4 === 1) token = (await client.refresh(token)).result.accessToken;
        statuses.push(await client.check(token));
      }
      return client.signIn();
    });
    while (statuses.length < 100) await sleep(20);
    const slow = await beginSignIn(running);
    const before = statuses.length;
    const timer = setTimeout(() => running.child.kill('SIGKILL'), 10_000);
    const stopping = running.stop();
    // As a load balancer would, the callers turn to other nodes soon after.
    looksAwayAt = Date.now() + LOOK_AWAY_MS;
    assert.equal((await Promise.all(work)).length, 8);
    await sleep(SLOW_MS);
    assert.equal(await slow.finish(), 200, 'a request under way is finished, however long it takes to arrive');
    assert.equal(await stopping, 0, 'it ends by itself within 10 s');
    clearTimeout(timer);
    assert.deepEqual([...new Set(statuses)], [200]);
    assert.equal(statuses.length > before, true, 'there was load while it stopped');
  });
});
