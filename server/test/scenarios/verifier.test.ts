// The verifier in another service: it refuses every token that the service has revoked, and accepts all others.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createVerifier, TokenRejected, type Verifier } from 'latchkey-sdk/verify';
import { endAllSessions } from '../../src/app/restore-check.ts';
import { createRunningClock } from '../support/clock.ts';
import { engines } from '../support/databases.ts';
import { findFreePort } from '../support/ports.ts';
import { startTestService, type TestService, USER_PASSWORD } from '../support/service.ts';

const API = '/api/services/app';
const NEW_PASSWORD = 'gravel lantern staple';

for (const engine of engines) {
  describe(`the verifier of a service on ${engine}`, () => {
    let test: TestService;
    let verifier: Verifier;
    let count = 0;

    before(async () => {
      const port = await findFreePort();
      const issuer = `http://127.0.0.1:${port}`;
      test = await startTestService(engine, { publicUrl: issuer, clock: createRunningClock() });
      const { database, serviceKeys } = test.service;
      const serviceKey = await database.transaction((tx) =>
        serviceKeys.create(tx, { name: 'shop', permissions: ['revocations'] }),
      );
      await test.app.listen({ port, host: '127.0.0.1' });
      verifier = createVerifier({ issuer, audience: 'latchkey', serviceKey });
      await verifier.ready();
    });
    after(async () => {
      verifier.close();
      await test.close();
    });

    const judge = (token: string) =>
      verifier.verify(token).then(
        () => 'accepted',
        (error) => {
          assert.ok(error instanceof TokenRejected, String(error));
          return error.reason;
        },
      );
    /** Waits until the verifier refuses a token that it accepted. A test that waits forever fails at its time limit. */
    async function assertRefused(token: string) {
      let verdict = await judge(token);
      while (verdict === 'accepted') {
        await nextTurn();
        verdict = await judge(token);
      }
      assert.equal(verdict, 'revoked');
    }

    it('accepts', async () => {
      await test.createUser('first');
      const token = await test.signIn('first');
      assert.equal((await verifier.verify(token)).preferred_username, 'first');
      await test.post('/api/TokenAuth/SignOff', { token });
      const t = performance.now();
      await assertRefused(token);
      console.log(performance.now() - t);
    });
  });
}
