// Migration of sessions: those of the version without revocations stay open, and other services accept their next token.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createVerifier } from 'latchkey-sdk/verify';
import { addSeconds, systemClock } from '../../src/foundation/clock.ts';
import { systemRandom } from '../../src/foundation/random.ts';
import { createDatabaseUrl, createFormerDatabase, engines } from '../support/databases.ts';
import { claimsOf, forge } from '../support/forge.ts';
import { introspect } from '../support/introspection.ts';
import { startVerified, type Verified, verdictOf } from '../support/verifier.ts';

const HOUR = 3600;
const ACCOUNT = 7;
const REFRESH = '/api/TokenAuth/RefreshTokenAsync';

for (const engine of engines) {
  describe(`sessions of the version without revocations on ${engine}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-former-'));
    const startedAt = addSeconds(systemClock.now(), -HOUR);
    const expiresAt = addSeconds(startedAt, 24 * HOUR);
    const newSession = () => ({ sid: systemRandom.uuid(), jti: systemRandom.uuid() });
    const sessions = { refreshed: newSession(), leaving: newSession(), kept: newSession() };
    let verified: Verified;
    before(async () => {
      const url = engine === 'sqlite' ? `sqlite:${join(folder, 'latchkey.db')}` : await createDatabaseUrl('postgres');
      await createFormerDatabase(engine, url, 'revocations', async (db) => {
        const account = {
          id: ACCOUNT,
          person_id: systemRandom.uuid(),
          user_name: 'ann',
          user_name_key: 'ann',
          name: 'Ann',
          surname: 'Nkosi',
          is_email_confirmed: 0,
          is_mobile_confirmed: 0,
          is_active: 1,
          must_change_password: 0,
          password_version: 3,
          roles: '[]',
          created_at: startedAt,
        } as const;
        await db.insertInto('account').values(account).execute();
        const rows = Object.values(sessions).map(({ sid, jti }) => ({
          id: sid,
          account_id: ACCOUNT,
          current_jti: jti,
          front_end: 'default-app',
          amr: 'pwd',
          must_change_password: 0 as const,
          must_enroll: 0 as const,
          signed_in_at: startedAt,
          expires_at: expiresAt,
        }));
        await db.insertInto('session').values(rows).execute();
      });
      verified = await startVerified(engine, url);
    });
    after(async () => {
      await verified?.close();
      rmSync(folder, { recursive: true });
    });

    /** The session's token as that version issued it: without `gen`. */
    function tokenOf({ sid, jti }: { sid: string; jti: string }): string {
      const { kid, privateKey } = verified.test.service.keys.signingKey();
      const toSeconds = (instant: number) => Math.floor(instant / 1000);
      const iat = toSeconds(startedAt);
      const times = { iat, nbf: iat - 30, exp: toSeconds(expiresAt), auth_time: iat };
      const { issuer: iss, audience: aud } = verified.options;
      const subject = { sub: String(ACCOUNT), preferred_username: 'ann', name: 'Ann Nkosi', roles: [] };
      const session = { jti, sid, amr: ['pwd'], acr: 'aal1', client_id: 'default-app' };
      return forge({ alg: 'ES256', typ: 'at+jwt', kid }, { iss, aud, ...subject, ...session, ...times }, privateKey);
    }
    const isValid = async (token: string) => {
      const { status } = await verified.test.get('/api/services/app/Session/GetAll', { token });
      return status === 200;
    };
    const isIntrospectedActive = async (token: string) =>
      (await introspect(verified.test, token, verified.options.serviceKey)).active;
    const refresh = async (token: string) => String((await verified.test.post(REFRESH, { token })).result.accessToken);

    it('stay open in the service, whose answers to other services say so', async () => {
      assert.equal(await isValid(tokenOf(sessions.kept)), true);
      assert.equal(await isIntrospectedActive(tokenOf(sessions.kept)), true);
    });

    it('have tokens that verifiers refuse, until the client refreshes', async () => {
      const former = tokenOf(sessions.refreshed);
      assert.equal(await verified.judge(former), 'invalid');
      const token = await refresh(former);
      assert.equal(claimsOf(token).gen, 1);
      assert.equal(await verified.judge(token), 'accepted');
      assert.equal(await isValid(former), false);
      assert.equal(await verified.judge(former), 'invalid');
      const next = await refresh(token);
      assert.equal(await verified.judgeAfter('accepted', token), 'revoked');
      assert.equal(await verified.judge(next), 'accepted');
    });

    it('end for verifiers that start later, as every session does', async () => {
      const token = await refresh(tokenOf(sessions.leaving));
      assert.equal(await verified.judge(token), 'accepted');
      await verified.test.post('/api/TokenAuth/SignOff', { token });
      assert.equal(await verified.judgeAfter('accepted', token), 'revoked');
      const later = createVerifier(verified.options);
      await later.ready();
      assert.equal(await verdictOf(later, token), 'revoked');
      later.close();
    });

    it('end with a token without gen, too', async () => {
      const token = tokenOf(sessions.kept);
      await verified.test.post('/api/TokenAuth/SignOff', { token });
      assert.equal(await isValid(token), false);
      const { sql } = verified.test.service.database;
      const [entry] = await sql
        .selectFrom('revocation')
        .select('expires_at')
        .where('session_id', '=', sessions.kept.sid)
        .execute();
      assert.ok(Number(entry?.expires_at) >= expiresAt);
      assert.equal(await isIntrospectedActive(token), false);
    });
  });
}
