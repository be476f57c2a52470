// Sessions: the cache of verified signatures, and revocations by clocks that differ or are set.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createManualClock } from '../../test/support/clock.ts';
import { openTestDatabase } from '../../test/support/databases.ts';
import { systemRandom } from '../foundation/random.ts';
import { createSecrets } from '../foundation/secrets.ts';
import type { SettingReader } from '../foundation/setting.ts';
import { createKeyRing, type KeyRing } from './keys.ts';
import { createRevocations, type Revocation } from './revocations.ts';
import { createSessions } from './sessions.ts';
import { createKeyStore } from './store.keys.sql.ts';
import { createSessionStore } from './store.sql.ts';

const settings = { read: () => ({ accessTokenLifetime: 400, sessionLifetime: 1000, audience: 'all' }) };
const subject = { id: 7, userName: 'thandi', fullName: 'Thandi', email: null, roles: [] };
const origin = { ipAddress: null, userAgent: null, frontEnd: 'desk' };

/** Creates sessions with a cache of two generations of two tokens, and counts the verified signatures. */
async function open() {
  const [database, clock, random] = [await openTestDatabase('sqlite'), createManualClock(), systemRandom];
  const secrets = createSecrets('a secret of at least thirty-two characters', random);
  const revocations = createRevocations();
  const keyDeps = { database, store: createKeyStore(), revocations };
  const ring = createKeyRing({ ...keyDeps, record: async () => {}, secrets, clock, random });
  await ring.load();
  let verified = 0;
  let isWithdrawn = false;
  const find: KeyRing['find'] = (header) => {
    verified += 1;
    return isWithdrawn ? undefined : ring.find(header);
  };
  const withdrawKey = () => {
    isWithdrawn = true;
  };
  const sessions = createSessions({
    store: createSessionStore(database),
    keys: { ...ring, find },
    revocations,
    settings: settings as unknown as SettingReader,
    issuer: 'https://login.example.com',
    clock,
    random,
    generation: 2,
  });
  const issue = async () => {
    const sign = { amr: ['pwd'], mustChangePassword: false, origin } as const;
    return (await database.transaction((tx) => sessions.open(tx, subject, sign))).accessToken;
  };
  const countVerified = async (tokens: string[]) => {
    const counts: number[] = [];
    for (const token of tokens) {
      const before = verified;
      await sessions.verify(token);
      counts.push(verified > before ? 1 : 0);
    }
    return counts;
  };
  return { database, clock, revocations, ring, sessions, issue, countVerified, withdrawKey };
}

describe('a verified signature', () => {
  it('is cached for the latest tokens, and verified again for others', async () => {
    const { database, issue, countVerified } = await open();
    const [first, second, third] = [await issue(), await issue(), await issue()];
    assert.deepEqual(await countVerified([first, second, third]), [0, 0, 0]);
    const [fourth, fifth] = [await issue(), await issue()];
    assert.deepEqual(await countVerified([fifth, fourth, first, second]), [0, 0, 1, 1]);
    assert.deepEqual(await countVerified([first, second, third]), [0, 0, 1]);
    await database.close();
  });

  it('leaves the cache with its key, in either generation', async () => {
    const { database, ring, sessions, issue } = await open();
    const tokens = [await issue(), await issue(), await issue()];
    for (const token of tokens) await sessions.verify(token);
    await ring.rotate({ compromised: true });
    for (const token of tokens) await assert.rejects(sessions.verify(token), { reason: 'token.invalid' });
    await database.close();
  });

  it('does not count if its key was withdrawn meanwhile', async () => {
    const { database, sessions, issue, withdrawKey } = await open();
    const [forgotten = ''] = [await issue(), await issue(), await issue(), await issue(), await issue()];
    const verification = sessions.verify(forgotten);
    withdrawKey();
    await assert.rejects(verification, { reason: 'token.invalid' });
    await database.close();
  });
});

describe('a revocation', () => {
  it('by the end of all sessions names a token of a clock that is ahead, and crossed a second while it issued', async () => {
    const { database, clock, revocations, sessions, issue } = await open();
    const recorded: Revocation[] = [];
    revocations.subscribe(async (_tx, revoked) => void recorded.push(...revoked));
    const verified = await sessions.verify(await issue());
    clock.advance(1 - (clock.now() % 1000) / 1000);
    clock.advance(0.9);
    const { accessToken } = await database.transaction((tx) =>
      sessions.refresh(tx, verified, async () => {
        clock.advance(0.2);
        return subject;
      }),
    );
    clock.set(-0.3);
    await database.transaction(sessions.endAll);
    const { iat, sid } = await sessions.readClaims(accessToken);
    const isNamed = recorded.some((one) => one.kind === 'session' && one.sessionId === sid);
    const isCovered = recorded.some((one) => one.kind === 'all' && iat * 1000 < one.issuedBefore);
    assert.ok(isNamed || isCovered, 'verifiers learn that the token is dead');
    await database.close();
  });

  it('lasts as long as the tokens, though the clock was ahead when the session ended', async () => {
    const { database, clock, revocations, sessions, issue } = await open();
    const token = await sessions.verify(await issue());
    let lasts = 0;
    revocations.subscribe(async (_tx, [revoked]) => {
      if (revoked?.kind === 'session') lasts = (revoked.expiresAt - clock.now()) / 1000;
    });
    const lives = token.exp - clock.now() / 1000;
    clock.set(350);
    await database.transaction((tx) => sessions.signOff(tx, token));
    assert.ok(lasts >= lives, `${lasts} s, and the token lives for ${lives} s`);
    await database.close();
  });
});
