// Attacks that try to learn from passkeys who has an account, to fill the database with their operations, or to read keys.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { sql } from 'kysely';
import { engines } from '../support/databases.ts';
import { createDevice, type Device } from '../support/passkeys.ts';
import { startTestService, type TestAnswer, type TestService, USER_PASSWORD } from '../support/service.ts';
import { countStatements } from '../support/statements.ts';

const PASSKEY = '/api/services/app/Passkey';
const AUTH = '/api/TokenAuth';
const USER = '/api/services/app/User';
const ATTEMPTS = 7;

/** Returns the parts of an answer that an attacker can compare. */
function visible({ status, headers, body }: TestAnswer) {
  const { date: _, ...told } = headers;
  return { status, headers: told, body: { ...body, error: { ...body.error, traceId: 'any' } } };
}

for (const engine of engines) {
  describe(`passkeys under enumeration, on ${engine}`, () => {
    let test: TestService;
    let count = 0;
    const secrets: string[] = [];

    before(async () => {
      test = await startTestService(engine);
      const value = { passkeys: true, authenticator: false, trustedDeviceDays: 0, requireForPermissions: false };
      await test.set('Latchkey.Factors', value);
    });
    beforeEach(() => {
      count += 1;
    });
    after(() => test.close());

    async function enroll(userName: string): Promise<{ device: Device; userId: number; id: string }> {
      const userId = await test.createUser(userName);
      const token = await test.signIn(userName);
      const device = createDevice();
      const call = { token, body: { currentPassword: USER_PASSWORD } };
      const options = (await test.post(`${PASSKEY}/GetRegistrationOptions`, call)).result;
      const answer = device.create(options);
      const { id } = (await test.post(`${PASSKEY}/Register`, { token, body: { ...answer, name: 'key' } })).result;
      secrets.push(options.options.challenge, answer.credential.response.attestationObject, token);
      return { device, userId, id };
    }
    const begin = async () => (await test.post(`${AUTH}/GetPasskeyOptions`)).result;
    const signIn = (body: object) => test.post(`${AUTH}/PasskeyAuthenticate`, { body });

    /** Returns one device per kind of account, whose passkeys the service knows, and one that it does not. */
    async function createDevices() {
      const known = await enroll(`known${count}`);
      const former = await enroll(`former${count}`);
      const gone = await enroll(`gone${count}`);
      const token = await test.admin();
      await test.post(`${USER}/InactivateUser`, { token, body: { userId: former.userId } });
      await test.send('DELETE', `${USER}/Delete`, { token, query: { id: gone.userId } });
      return { known: known.device, former: former.device, gone: gone.device };
    }

    it('get the same answers as unknown ones, before and during a lock', async () => {
      const seen: Record<string, unknown[]> = {};
      for (const [kind, device] of Object.entries(await createDevices())) {
        const answers: unknown[] = [];
        for (let turn = 0; turn < ATTEMPTS; turn += 1) {
          answers.push(visible(await signIn(device.forge(await begin(), { breakSignature: true }))));
        }
        seen[kind] = answers;
      }
      const { known = [], ...others } = seen;
      const reasons = known.map((answer) => (answer as TestAnswer).body.error.reason);
      const [wrong, locked] = ['factor.invalid', 'signIn.lockedOut'];
      assert.deepEqual(reasons, [...Array(4).fill(wrong), ...Array(3).fill(locked)]);
      for (const [kind, answers] of Object.entries(others)) assert.deepEqual(answers, known, kind);
    });

    it('cost the same statements as unknown ones', async (context) => {
      const devices = Object.entries(await createDevices());
      const statements = countStatements(context);
      const counts: Record<string, number> = {};
      for (const [kind, device] of devices) {
        const answer = device.forge(await begin(), { breakSignature: true });
        statements.reset();
        await signIn(answer);
        counts[kind] = statements.read();
      }
      if (engine === 'postgres') assert.ok((counts.known ?? 0) > 3);
      assert.deepEqual([...new Set(Object.values(counts))].length, 1, JSON.stringify(counts));
    });

    it('tell nothing in the options for a sign-in, which store nothing', async () => {
      await enroll(`known${count}`);
      const tables = async () => {
        const { sql: statements } = test.service.database;
        const names = ['factor_operation', 'used_assertion', 'login_flow', 'audit', 'lockout', 'pin'];
        const counts = names.map((name) =>
          sql<{ rows: number }>`select count(*) as rows from ${sql.table(name)}`.execute(statements),
        );
        return (await Promise.all(counts)).map(({ rows }) => Number(rows[0]?.rows));
      };
      const before = await tables();
      const begun = await Promise.all(Array.from({ length: 30 }, begin));
      assert.deepEqual(await tables(), before);
      for (const { options, operationId } of begun) {
        const { challenge, ...rest } = options;
        assert.ok(Buffer.from(challenge, 'base64url').length >= 32);
        assert.match(operationId, /^[0-9a-f-]{36}$/);
        assert.deepEqual(rest, { timeout: 300_000, rpId: 'localhost', userVerification: 'required' });
      }
      assert.equal(new Set(begun.map(({ options }) => options.challenge)).size, begun.length);
    });

    it('leave neither challenges nor answers in the log, the audit trail, messages or errors', async () => {
      const { device } = await enroll(`known${count}`);
      const options = await begin();
      const right = device.forge(options, {});
      const wrong = device.forge(await begin(), { breakSignature: true });
      const refused = await signIn(wrong);
      const { result } = await signIn(right);
      await signIn(right);
      for (const { credential } of [right, wrong]) {
        const { clientDataJSON, signature, authenticatorData, userHandle } = credential.response;
        secrets.push(credential.id, clientDataJSON, signature, authenticatorData, String(userHandle));
      }
      secrets.push(options.options.challenge, options.operationId, result.accessToken);
      const token = await test.admin();
      const query = { maxResultCount: 100 };
      const trail = await test.get('/api/services/app/Audit/GetAll', { token, query });
      const outbox = await test.get('/api/services/app/Outbox/GetAll', { token, query });
      assert.match(trail.text, /signIn\.passkey/);
      const places = { log: test.logs.join(''), trail: trail.text, outbox: outbox.text, refusal: refused.text };
      const document = (await test.get('/openapi.json')).text;
      for (const [place, text] of Object.entries({ ...places, document })) {
        for (const secret of secrets) assert.equal(text.includes(secret), false, `${place} holds ${secret}`);
      }
      const stored = await test.service.database.sql.selectFrom('used_assertion').selectAll().execute();
      assert.equal(JSON.stringify(stored).includes(options.operationId), false);
    });
  });
}
