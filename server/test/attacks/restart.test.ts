// Restarts with a database from a backup or with another secret.
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { findFreePort } from '../support/ports.ts';
import { callProcess, startInVain, startProcess } from '../support/process.ts';
import { ADMIN_PASSWORD, TEST_SECRET } from '../support/service.ts';

const AUTHENTICATE = '/api/TokenAuth/Authenticate';
const REFRESH = '/api/TokenAuth/RefreshTokenAsync';
const SIGN_OFF = '/api/TokenAuth/SignOff';
const SESSIONS = '/api/services/app/Session/GetAll';

const env = {
  LATCHKEY_ADMIN_PASSWORD: ADMIN_PASSWORD,
  LATCHKEY_ADMIN_PASSWORD_FINAL: 'true',
  LATCHKEY_SECRET: TEST_SECRET,
};

/** Returns calls to one process, on its port. */
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
  };
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
      assert.equal(await clientOf(running).check(kept), 200, 'a restart alone ends no session');
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

  it('is not opened with another secret: one line says why, without revealing a secret', async () => {
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
