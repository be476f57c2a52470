// Attacks on exports of the audit trail: reading on after the right has ended, and filling the memory of the service.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { assertRefused } from '../support/answers.ts';
import { fillTrail } from '../support/audit.ts';
import { enginesAtLength } from '../support/databases.ts';
import { startTestService, type TestService } from '../support/service.ts';

const EXPORT = '/api/services/app/Audit/Export';
const USER = '/api/services/app/User';

/** More than the buffers of a connection hold. */
const ENTRIES = 150_000;
const BATCH = 500;

for (const engine of enginesAtLength) {
  describe(`exports of the audit trail on ${engine}`, () => {
    let test: TestService;
    let url: string;
    let scans = 0;
    before(async () => {
      test = await startTestService(engine);
      url = await test.app.listen({ host: '127.0.0.1', port: 0 });
      await fillTrail(test.service.database, ENTRIES, { at: test.clock.now(), action: 'test.long' });
      const { auditStore } = test.service;
      const { scan } = auditStore;
      auditStore.scan = (...given) => {
        scans += 1;
        return scan(...given);
      };
    });
    after(() => test.close());

    /** Begins an export, and reads its first piece. Leaves it when the test ends. */
    async function begin(
      context: { after(run: () => void): void },
      token: string,
      query = 'format=jsonl&action=test.long',
    ) {
      scans = 0;
      const leaving = new AbortController();
      context.after(() => leaving.abort());
      const address = `${url}${EXPORT}?${query}`;
      const headers = { authorization: `Bearer ${token}` };
      const response = await fetch(address, { headers, signal: leaving.signal });
      assert.equal(response.status, 200);
      const reader = (response.body ?? assert.fail()).getReader();
      let bytes = (await reader.read()).value?.length ?? 0;
      return {
        leave: () => leaving.abort(),
        /** Reads to the end. @returns how many bytes came in all. */
        async finish() {
          for (;;) {
            const { done, value } = await reader.read();
            if (done) return bytes;
            bytes += value.length;
          }
        },
      };
    }

    /** Waits until the service reads no more of the trail. @returns how many batches it has read. */
    async function untilStill() {
      for (let last = -1; last !== scans; ) {
        last = scans;
        await pause(500);
      }
      return scans;
    }

    const makeAdministrator = async (userName: string) => {
      const id = await test.createUser(userName, { roleNames: ['Administrator'] });
      return { id, token: await test.signIn(userName) };
    };

    it('need the permission that reading needs', async () => {
      await test.createUser('clerk', { roleNames: ['UserManager'] });
      const query = { format: 'csv' };
      assertRefused(await test.get(EXPORT, { token: await test.signIn('clerk'), query }), 403, 'permission.denied');
      assertRefused(await test.get(EXPORT, { query }), 401, 'token.missing');
      assertRefused(await test.get(`${EXPORT}?access_token=${await test.admin()}`, { query }), 401, 'token.missing');
      const recorded = await test.service.audit.list({ action: 'audit.exported' }, { skip: 0, take: 1 });
      assert.equal(recorded.total, 0, 'a refused export is none');
    });

    it('wait for a client that does not read, and hold little meanwhile', async (context) => {
      const { token } = await makeAdministrator('slow');
      const download = await begin(context, token);
      const held = await untilStill();
      assert.ok(held < ENTRIES / BATCH / 2, `${held} batches were read ahead`);
      const bytes = await download.finish();
      assert.ok(bytes > ENTRIES * 100, String(bytes));
      assert.equal(scans, ENTRIES / BATCH + 1);
    });

    it('read no further when the client has left', async (context) => {
      const { token } = await makeAdministrator('leaving');
      const download = await begin(context, token);
      download.leave();
      await assert.rejects(download.finish());
      assert.ok((await untilStill()) < ENTRIES / BATCH / 2);
    });

    it('search no further for entries that match when the client has left', async (context) => {
      const { token } = await makeAdministrator('searching');
      const download = await begin(context, token, 'format=csv&action=test.none');
      download.leave();
      await assert.rejects(download.finish());
      assert.ok((await untilStill()) < ENTRIES / BATCH / 2);
    });

    it('are not made for a client that wants only the headers', async () => {
      const { token } = await makeAdministrator('heading');
      scans = 0;
      const headers = { authorization: `Bearer ${token}` };
      for (const path of [EXPORT, `${USER}/Export`]) {
        const { status } = await fetch(`${url}${path}?format=jsonl`, { method: 'HEAD', headers });
        assert.equal(status, 405);
      }
      assert.equal(await untilStill(), 0);
    });

    const endings = {
      'the session is signed off': ({ token }: { token: string }) => test.post('/api/TokenAuth/SignOff', { token }),
      'the account is deactivated': async ({ id }: { id: number }) =>
        test.post(`${USER}/InactivateUser`, { token: await test.admin(), body: { userId: id } }),
      'the role is taken away': async ({ id }: { id: number }) =>
        test.send('PUT', `${USER}/Update`, { token: await test.admin(), body: { id, roleNames: [] } }),
    };
    for (const [index, [name, end]] of Object.entries(endings).entries()) {
      it(`break off when ${name}`, async (context) => {
        const caller = await makeAdministrator(`ending${index}`);
        const download = await begin(context, caller.token);
        await untilStill();
        assert.equal((await end(caller)).status, 200);
        await assert.rejects(download.finish(), 'the client must not take a part for the whole');
        assert.ok(scans < ENTRIES / BATCH, String(scans));
      });
    }
  });
}
