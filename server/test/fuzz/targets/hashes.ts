// Password hashes of other systems: each is read, or refused with a sentence that does not quote it; none costs too much.
import assert from 'node:assert/strict';
import { OWASP_HASH_COST, readArgon2 } from '../../../src/passwords/argon2.ts';
import { describeHash, readForeignHash } from '../../../src/passwords/foreign-hashes.ts';
import type { Target } from '../target.ts';

export const target: Target = {
  name: 'hashes',
  words: [
    '$argon2id$v=19$m=19456,t=2,p=1$',
    '$2b$10$',
    'm=',
    't=',
    'p=',
    '$',
    'AQAAAAEAACcQ',
    'AAAA',
    'pbkdf2_sha256$1000$salt$',
    'scrypt$16384$salt$8$1$',
    '$scrypt$ln=14,r=8,p=1$',
    '{pbkdf2}',
    '{SSHA}',
    '{CRYPT}$6$rounds=5000$salt$',
    '$P$B12345678',
    ':pbkdf2:sha512:1000:20:',
    '{"secretData":"{\\"value\\":\\"',
    '$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=',
    '!',
  ],
  check(input) {
    const text = input.toString();
    const described = describeHash(text);
    if ('refused' in described) {
      // A piece of the hash could be a piece of the password of a person who pasted it.
      for (const part of text.split(/[^\w+/]+/)) assert.ok(part.length < 20 || !described.refused.includes(part));
      return described;
    }
    if ('isUnusable' in described) {
      assert.ok(text.startsWith('!'));
      return described;
    }
    const { format, stored } = described;
    const hash = readArgon2(stored, OWASP_HASH_COST) ?? readForeignHash(stored);
    assert.ok('format' in hash && hash.format === format, 'what is stored can be read');
    assert.deepEqual(describeHash(stored), described, 'what is stored can be imported again');
    assert.match(
      format,
      /^(argon2(id|i|d)|bcrypt|[\w-]+-bcrypt(-sha256)?|aspnet-identity-v[23]|ssha(256|512)?|phpass|drupal|.+-scrypt|scrypt|pbkdf2-sha\d+|sha\d+-crypt)$/,
    );
    assertCheap(stored);
    return [format, stored, hash.outdated];
  },
};

/** An administrator cannot stop sign-ins by an import: the limits again, read by other means. */
function assertCheap(stored: string) {
  const [, memory = 0, passes = 0] = /\bm=(\d+).*\bt=(\d+)/.exec(stored) ?? /\bt=(\d+).*\bm=(\d+)/.exec(stored) ?? [];
  assert.ok(Number(memory) * Number(passes) <= 2_621_440, 'at most 2.5 GiB over all passes');
  const [, cost = 0] = /\$2[aby]\$(\d\d)\$/.exec(stored) ?? [];
  assert.ok(Number(cost) <= 14, 'at most cost 14');
  const [, rounds = 0] = /(?:^\$pbkdf2[^$]*\$|rounds=)(\d+)/.exec(stored) ?? [];
  assert.ok(Number(rounds) <= 2_000_000, 'at most 2,000,000 rounds');
  const [, ln = 0, r = 0, p = 0] = /\$ln=(\d+),r=(\d+),p=(\d+)\$/.exec(stored) ?? [];
  assert.ok(2 ** Number(ln) * Number(r) * Number(p) <= 2 ** 21, 'at most 256 MiB over all lanes');
}
