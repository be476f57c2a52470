// Password hashing: hashes, matches, upgrades and the bound on concurrent work.
import assert from 'node:assert/strict';
import { createHook } from 'node:async_hooks';
import { pbkdf2Sync } from 'node:crypto';
import { describe, it } from 'node:test';
import { hash as argon2 } from '@node-rs/argon2';
import { systemClock } from '../foundation/clock.ts';
import { AuthError } from '../foundation/errors.ts';
import { systemRandom } from '../foundation/random.ts';
import { createPasswords, requesterOf } from './index.ts';

const passwords = createPasswords({ random: systemRandom, threads: 2, clock: systemClock });
const yes = { matches: true, outdated: false };
const no = { matches: false, outdated: false };

const isUnavailable = (error: unknown) =>
  error instanceof AuthError && error.reason === 'service.unavailable' && error.retryAfterSeconds === 1;

function identityV2(password: string): string {
  const salt = Buffer.alloc(16, 7);
  const subkey = pbkdf2Sync(password, salt, 1000, 32, 'sha1');
  return Buffer.concat([Buffer.from([0]), salt, subkey]).toString('base64');
}

describe('hashing', () => {
  it('creates argon2id with 19456 KiB, two passes, one lane, and a new salt for each hash', async () => {
    const [one, two] = await Promise.all([passwords.hash('vuqzhtwopx'), passwords.hash('vuqzhtwopx')]);
    assert.match(one, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    assert.notEqual(one, two);
    assert.deepEqual(await passwords.verify(one, 'vuqzhtwopx'), yes);
    assert.deepEqual(await passwords.verify(one, 'vuqzhtwopX'), no);
  });

  for (const [what, password, others] of [
    ['a NUL', 'vuqzht\0wopx', ['vuqzht', 'vuqzht\0', 'vuqzhtwopx', 'vuqzht\0wopy']],
    ['emoji', '🦊🐢🧵🪁🎣🛶', ['🦊🐢🧵🪁🎣', '🦊🐢🧵🪁🎣🗝']],
    ['the 73rd byte', `${'a'.repeat(72)}b`, ['a'.repeat(72), `${'a'.repeat(72)}c`]],
    ['the 1024th byte', `${'a'.repeat(1023)}b`, [`${'a'.repeat(1023)}c`, 'a'.repeat(1023)]],
    ['spaces at the ends', ' vuqzhtwopx ', ['vuqzhtwopx', ' vuqzhtwopx']],
    ['compatible characters', 'ﬁnality-vuqzh', ['finality-vuqzh']],
  ] as const) {
    it(`counts ${what}`, async () => {
      const stored = await passwords.hash(password);
      assert.deepEqual(await passwords.verify(stored, password), yes);
      for (const other of others) assert.deepEqual(await passwords.verify(stored, other), no);
    });
  }

  it('accepts every spelling of one text, by NFC', async () => {
    const stored = await passwords.hash('crème brûlée');
    assert.deepEqual(await passwords.verify(stored, 'crème brûlée'.normalize('NFD')), yes);
    assert.deepEqual(await passwords.verify(await passwords.hash('crème'.normalize('NFD')), 'crème'), yes);
  });

  it('refuses texts that cannot be passwords', async () => {
    for (const impossible of ['', 'a'.repeat(1025), '\ud800']) {
      await assert.rejects(passwords.hash(impossible), RangeError);
      assert.deepEqual(await passwords.verify(null, impossible), no);
    }
    assert.deepEqual(await passwords.verify(await passwords.hash('\ufffd'), '\ud800'), no);
  });
});

describe('verifying', () => {
  it('reports matching hashes that are weaker or foreign as outdated', async () => {
    const weak = await argon2('vuqzhtwopx', { memoryCost: 1024 });
    for (const stored of [weak, identityV2('vuqzhtwopx')]) {
      assert.deepEqual(await passwords.verify(stored, 'vuqzhtwopx'), { matches: true, outdated: true });
      assert.deepEqual(await passwords.verify(stored, 'vuqzhtwopy'), no);
    }
  });

  it('accepts a hash that another system made without normalizing, and reports it as outdated', async () => {
    const typed = 'crème brûlée'.normalize('NFD');
    for (const stored of [identityV2(typed), await argon2(typed)]) {
      assert.deepEqual(await passwords.verify(stored, typed), { matches: true, outdated: true });
      assert.deepEqual(await passwords.verify(stored, typed.normalize('NFC')), no);
    }
  });

  it('never matches without a hash or with a corrupt one', async () => {
    for (const stored of [null, '', '$argon2id$v=19$m=19456,t=2,p=1$AAAA', '$2b$31$', 'AQAAAAEAACcQ']) {
      assert.deepEqual(await passwords.verify(stored, 'vuqzhtwopx'), no);
    }
  });

  it('verifies a random hash of its own if the stored one is missing, corrupt, or an imported one that does not match', async () => {
    const drawn: number[] = [];
    const bytes = (length: number) => {
      drawn.push(length);
      return systemRandom.bytes(length);
    };
    const watched = createPasswords({ random: { ...systemRandom, bytes }, threads: 1, clock: systemClock });
    const own = await passwords.hash('vuqzhtwopx');
    for (const [stored, times] of [
      [null, 1],
      ['corrupt', 1],
      [identityV2('vuqzhtwopx'), 1],
      [own, 0],
    ] as const) {
      drawn.length = 0;
      await watched.verify(stored, 'something else');
      assert.deepEqual(drawn, Array(times).fill(48));
    }
  });
});

describe('hashes of other systems', () => {
  const scrypt = (cost: string) => `$scrypt$${cost}$c29tZXNhbHQ$${'A'.repeat(43)}`;
  const pbkdf2 = `$pbkdf2-sha256$20000$c29tZXNhbHQ$${'A'.repeat(43)}`;

  /**
   * Verifies all hashes at once.
   * @returns the kinds of hashes in the order in which they began and ended, and how many ran at the same time.
   */
  async function verifyTogether(hashes: readonly string[], threads = 3) {
    // No time passes: none has waited for too long.
    const clock = { ...systemClock, elapsed: () => 0 };
    const together = createPasswords({ random: systemRandom, threads, clock });
    const running = new Set<number>();
    const begun: string[] = [];
    let most = 0;
    const hook = createHook({
      init(id, type) {
        if (type !== 'SCRYPTREQUEST' && type !== 'PBKDF2REQUEST') return;
        running.add(id);
        begun.push(type);
        most = Math.max(most, running.size);
      },
      before(id) {
        if (running.delete(id)) begun.push('end');
      },
    }).enable();
    await Promise.all(hashes.map((stored) => together.verify(stored, 'vuqzhtwopx')));
    hook.disable();
    return { most, begun };
  }

  it('are verified one at a time if they take more than 64 MiB', async () => {
    assert.equal((await verifyTogether(Array(3).fill(scrypt('ln=15,r=16,p=1')))).most, 2);
    assert.equal((await verifyTogether(Array(2).fill(scrypt('ln=16,r=9,p=1')))).most, 1);
  });

  it('leave a thread to the hashes of the service', async () => {
    assert.equal((await verifyTogether(Array(6).fill(pbkdf2))).most, 2);
    assert.equal((await verifyTogether(Array(4).fill(pbkdf2), 2)).most, 1);
  });

  it('are counted while they wait, whatever for', async () => {
    const one = createPasswords({ random: systemRandom, threads: 1, clock: systemClock });
    const large = [1, 2, 3].map(() => one.verify(scrypt('ln=16,r=9,p=1'), 'vuqzhtwopx'));
    const outdated = [1, 2].map(() => one.verify(pbkdf2, 'vuqzhtwopx'));
    // Until they have read the hashes, which takes a few turns the first time.
    for (let turns = 0; turns < 100 && one.load().waiting !== 4; turns += 1) await new Promise(setImmediate);
    const own = [1, 2].map(() => one.hash('vuqzhtwopx'));
    assert.deepEqual(one.load(), { running: 1, waiting: 6 });
    await Promise.all([...large, ...outdated, ...own]);
    assert.deepEqual(one.load(), { running: 0, waiting: 0 });
  });

  it('occupy no thread while they wait for their turn', async () => {
    const { begun } = await verifyTogether([...Array(3).fill(scrypt('ln=16,r=9,p=1')), pbkdf2]);
    assert.deepEqual(begun.slice(0, 2).toSorted(), ['PBKDF2REQUEST', 'SCRYPTREQUEST']);
  });
});

describe('comparing with a credential', () => {
  const version = 3;
  const compare = (hash: string | null, password: string) => passwords.compare({ hash, version }, password);

  it('returns the version of the right password', async () => {
    const hash = await passwords.hash('vuqzhtwopx');
    assert.deepEqual(await compare(hash, 'vuqzhtwopx'), { passwordVersion: version, upgradedHash: undefined });
  });

  it('returns a stronger hash in place of a weak one', async () => {
    const weak = await argon2('vuqzhtwopx', { memoryCost: 8192, timeCost: 2, parallelism: 1 });
    const { passwordVersion, upgradedHash = '' } = (await compare(weak, 'vuqzhtwopx')) ?? assert.fail();
    assert.equal(passwordVersion, version);
    assert.deepEqual(await passwords.verify(upgradedHash, 'vuqzhtwopx'), yes);
    assert.equal(await compare(weak, 'vuqzhtwopy'), undefined);
  });

  it('returns nothing for a wrong password, an account without one, and an unknown name', async () => {
    assert.equal(await compare(await passwords.hash('vuqzhtwopx'), 'vuqzhtwopy'), undefined);
    assert.equal(await compare(null, 'vuqzhtwopx'), undefined);
    assert.equal(await passwords.compare(undefined, 'vuqzhtwopx'), undefined);
  });
});

describe('the keys under which work is counted', () => {
  it('are the account alone where the address of the caller is unknown', () => {
    assert.deepEqual(requesterOf({ ipAddress: null }, 'account:1'), ['account:1']);
    assert.deepEqual(requesterOf({ ipAddress: null }), []);
  });
});

describe('the bound on hashing', () => {
  /** Creates passwords whose first hash appears to take a minute, so that no more than ten may wait. No time passes after it. */
  async function createSlowPasswords() {
    let [elapsed, step] = [0, 60_000];
    const clock = { ...systemClock, elapsed: () => (elapsed += step) };
    const slow = createPasswords({ random: systemRandom, threads: 1, clock });
    await slow.verify(null, 'a');
    step = 0;
    return slow;
  }

  const times = (count: number, run: () => Promise<unknown>) => Array.from({ length: count }, run);
  const countRefused = async (all: Promise<unknown>[]) => {
    const ends = await Promise.allSettled(all);
    return ends.filter((end) => end.status === 'rejected' && isUnavailable(end.reason)).length;
  };

  it('refuses operations that would wait too long, and serves the others and later ones', async () => {
    const bounded = await createSlowPasswords();
    const all = [...times(10, () => bounded.verify(null, 'a')), bounded.hash('b')];
    await assert.rejects(bounded.hash('c'), isUnavailable);
    await assert.rejects(bounded.verify(null, 'd'), isUnavailable);
    assert.equal(await countRefused(all), 0);
    assert.deepEqual(await bounded.verify(null, 'a'), no);
  });

  it('refuses a caller that holds its share, by network or account, for either operation', async () => {
    const bounded = await createSlowPasswords();
    const requester = requesterOf({ ipAddress: '2001:db8:1:2::1' }, 'account:1');
    const busy = times(10, () => bounded.verify(null, 'a', requester));
    for (const same of [
      requesterOf({ ipAddress: '10.0.0.2' }, 'account:1'),
      requesterOf({ ipAddress: '2001:db8:1:2:ffff::' }),
      requesterOf({ ipAddress: '2001:db8:1:3::1' }, 'account:2'),
    ]) {
      await assert.rejects(bounded.hash('b', same), isUnavailable);
      await assert.rejects(bounded.verify(null, 'b', same), isUnavailable);
    }
    await assert.rejects(bounded.hashRandom(requester), isUnavailable);
    const other = bounded.verify(null, 'c', requesterOf({ ipAddress: '2001:db8:2::1' }, 'account:2'));
    assert.equal(await countRefused([...busy, other]), 0);
  });

  it('does not count texts that are refused without hashing', async () => {
    const bounded = await createSlowPasswords();
    const busy = times(11, () => bounded.verify(null, 'a'));
    assert.deepEqual(await bounded.verify(null, ''), no);
    await assert.rejects(bounded.verify(null, 'c'), isUnavailable);
    assert.equal(await countRefused(busy), 0);
  });
});
