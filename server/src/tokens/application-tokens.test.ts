// Access tokens of applications: stock libraries accept them, and they never pass for tokens of the service's own pages.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { createManualClock } from '../../test/support/clock.ts';
import { openTestDatabase } from '../../test/support/databases.ts';
import { claimsOf, forge, headerOf } from '../../test/support/forge.ts';
import { addSeconds } from '../foundation/clock.ts';
import { systemRandom } from '../foundation/random.ts';
import { createSecrets } from '../foundation/secrets.ts';
import type { SettingReader } from '../foundation/setting.ts';
import { createApplicationTokens } from './application-tokens.ts';
import { createIdTokens } from './id-tokens.ts';
import { createKeyRings } from './key-rings.ts';
import { createRevocations } from './revocations.ts';
import { createSessions } from './sessions.ts';
import { createSessionStore } from './store.sql.ts';
import type { HeaderType } from './token.ts';

const issuer = 'https://login.example.com';
const settings = { read: () => ({ accessTokenLifetime: 400, sessionLifetime: 1000, audience: 'latchkey' }) };
const subject = { id: 7, userName: 'thandi', fullName: 'Thandi', email: null, roles: ['Clerk'] };
const origin = { ipAddress: null, userAgent: null, frontEnd: 'desk' };
const GRANT = '6d8f1b1e-3f5a-4a58-9c4e-0d8b6a3c1f42';

async function open(headerType: HeaderType = 'at+jwt') {
  const [database, clock, random] = [await openTestDatabase('sqlite'), createManualClock(), systemRandom];
  const secrets = createSecrets('a secret of at least thirty-two characters', random);
  const revocations = createRevocations();
  const base = { database, revocations, record: async () => {}, secrets, clock, random, issuer };
  const rings = createKeyRings({ ...base, readHeaderType: () => headerType });
  const { keys } = rings;
  await keys.load();
  const parts = { ...base, keys, settings: settings as unknown as SettingReader, generation: 2 };
  const sessions = createSessions({ ...parts, store: createSessionStore(database) });
  const tokens = createApplicationTokens(parts);
  const forPerson = (more: object = {}) =>
    tokens.issue({
      grantId: GRANT,
      subject: '7',
      audience: 'shop',
      clientId: 'shop-web',
      scope: 'openid profile',
      generation: 3,
      authenticatedAt: addSeconds(clock.now(), -60),
      amr: ['pwd', 'otp', 'mfa'],
      expiresAt: addSeconds(clock.now(), 600),
      claims: { preferred_username: 'thandi', name: 'Thandi', roles: ['Clerk'] },
      ...more,
    });
  const openSession = async () => {
    const start = { amr: ['pwd'], mustChangePassword: false, origin };
    return (await database.transaction((tx) => sessions.open(tx, subject, start))).accessToken;
  };
  return {
    database,
    clock,
    keys,
    sessions,
    tokens,
    forPerson,
    openSession,
    idTokens: createIdTokens({ ...rings, issuer }),
  };
}

const invalid = { reason: 'token.invalid' };

describe('an access token of an application', () => {
  it('has the claims of its grant, and is verified by a stock library', async () => {
    for (const headerType of ['at+jwt', 'JWT'] as const) {
      const { database, clock, keys, tokens, forPerson } = await open(headerType);
      const { accessToken, expiresIn, jti, expiresAt } = forPerson();
      const { payload } = await jwtVerify(accessToken, createLocalJWKSet(keys.publicKeys() as JSONWebKeySet), {
        issuer,
        audience: 'shop',
        typ: 'at+jwt',
        algorithms: ['ES256'],
        currentDate: new Date(clock.now()),
      });
      const now = Math.floor(clock.now() / 1000);
      assert.deepEqual(payload, {
        iss: issuer,
        aud: 'shop',
        sub: '7',
        jti,
        sid: GRANT,
        gen: 3,
        iat: now,
        nbf: now - 30,
        exp: now + 600,
        auth_time: now - 60,
        amr: ['pwd', 'otp', 'mfa'],
        acr: 'aal2',
        client_id: 'shop-web',
        scope: 'openid profile',
        preferred_username: 'thandi',
        name: 'Thandi',
        roles: ['Clerk'],
      });
      assert.deepEqual([expiresIn, expiresAt], [600, (now + 600) * 1000]);
      assert.deepEqual(await tokens.verify(accessToken), payload);
      await database.close();
    }
  });

  it('tells one factor as aal1, and no time where its grant ends now', async () => {
    const { database, clock, forPerson } = await open();
    const { accessToken, expiresIn } = forPerson({ amr: ['pwd'], expiresAt: clock.now() });
    assert.deepEqual([claimsOf(accessToken).acr, expiresIn], ['aal1', 0]);
    await database.close();
  });

  it('of the application itself says nothing of a person', async () => {
    const { database, clock, tokens } = await open();
    const { accessToken } = tokens.issue({
      grantId: GRANT,
      subject: 'robot',
      audience: 'robot',
      clientId: 'robot',
      scope: '',
      generation: 0,
      expiresAt: addSeconds(clock.now(), 60.5),
      claims: {},
    });
    const names = ['iss', 'aud', 'sub', 'jti', 'sid', 'gen', 'iat', 'nbf', 'exp', 'client_id', 'scope'];
    assert.deepEqual(Object.keys(claimsOf(accessToken)), names);
    assert.equal((await tokens.verify(accessToken)).scope, '');
    await database.close();
  });

  it('expires, is forgotten with its key, and is verified again when the cache has lost it', async () => {
    const { database, clock, keys, tokens, forPerson } = await open();
    const all = [forPerson(), forPerson(), forPerson(), forPerson(), forPerson()].map((one) => one.accessToken);
    for (const token of all) assert.equal((await tokens.verify(token)).sid, GRANT);
    clock.advance(599);
    await tokens.verify(all[0] ?? '');
    clock.advance(1);
    await assert.rejects(tokens.verify(all[0] ?? ''), { reason: 'token.expired' });
    clock.advance(-600);
    await assert.rejects(tokens.verify(all[0] ?? ''), { reason: 'token.expired' });
    await keys.rotate({ compromised: true });
    for (const token of all) await assert.rejects(tokens.verify(token), invalid);
    await database.close();
  });

  it('opens no session, and no token of a session, no ID token and no logout token passes for it', async () => {
    for (const headerType of ['at+jwt', 'JWT'] as const) {
      const { database, sessions, tokens, forPerson, openSession, idTokens } = await open(headerType);
      for (const { accessToken } of [forPerson(), forPerson({ audience: 'latchkey' })]) {
        for (let turn = 0; turn < 2; turn += 1) {
          await assert.rejects(sessions.verify(accessToken), invalid);
          await assert.rejects(sessions.check(accessToken), invalid);
          await assert.rejects(sessions.readClaims(accessToken), invalid);
          await tokens.verify(accessToken);
        }
      }
      const own = await openSession();
      for (let turn = 0; turn < 2; turn += 1) {
        await assert.rejects(tokens.verify(own), invalid);
        await sessions.check(own);
      }
      const claims = claimsOf(forPerson().accessToken);
      for (const typ of ['JWT', 'logout+jwt'] as const)
        for (const algorithm of ['RS256', 'ES256'] as const) {
          const token = await idTokens.sign({ typ, claims: claims as { scope?: never }, algorithm });
          await assert.rejects(tokens.verify(token), invalid);
          await assert.rejects(sessions.verify(token), invalid);
        }
      await database.close();
    }
  });

  it('is known by its scope, whatever its other claims, and lacks none', async () => {
    for (const headerType of ['at+jwt', 'JWT'] as const) {
      const { database, keys, sessions, tokens, forPerson, openSession } = await open(headerType);
      const { privateKey } = keys.signingKey();
      const own = await openSession();
      for (const scope of ['openid', '', null, 0, []]) {
        await assert.rejects(sessions.verify(forge(headerOf(own), { ...claimsOf(own), scope }, privateKey)), invalid);
      }
      const { accessToken } = forPerson();
      const claims = claimsOf(accessToken);
      const names = ['iss', 'aud', 'sub', 'jti', 'sid', 'gen', 'iat', 'nbf', 'exp', 'client_id', 'scope'];
      const wrong: Record<string, unknown>[] = names.flatMap((name) =>
        [undefined, null, [], 1.5].map((value) => ({ [name]: value })),
      );
      wrong.push(...names.slice(0, 5).map((name) => ({ [name]: '' })));
      for (const changed of wrong) {
        const token = forge(headerOf(accessToken), { ...claims, ...changed }, privateKey);
        await assert.rejects(tokens.verify(token), invalid, JSON.stringify(changed));
      }
      await database.close();
    }
  });
});
