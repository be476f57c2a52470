// Password hashes of other systems: each is read, or refused with a sentence that does not quote it; none costs too much.
import assert from 'node:assert/strict';
import { describeHash, readHash } from '../../../src/passwords/hashes.ts';
import type { Target } from '../target.ts';

export const target: Target = {
  name: 'hashes',
  words: ['$argon2id$v=19$m=19456,t=2,p=1$', '$2b$10$', 'm=', 't=', 'p=', '$', 'AQAAAAEAACcQ', 'AAAA'],
  check(input) {
    const text = input.toString();
    const hash = readHash(text);
    const described = describeHash(text);
    if ('refused' in hash) {
      assert.deepEqual(described, hash);
      // A piece of the hash could be a piece of the password of a person who pasted it.
      for (const part of text.split(/[^\w+/]+/)) assert.ok(part.length < 20 || !hash.refused.includes(part));
      return hash;
    }
    assert.deepEqual(described, { format: hash.format });
    assert.match(hash.format, /^(argon2(id|i|d)|bcrypt|aspnet-identity-v[23])$/);
    assert.equal(typeof hash.outdated, 'boolean');
    // An administrator cannot stop sign-ins by an import: the limits again, read by other means.
    const [, memory = 0, passes = 0] = /\bm=(\d+).*\bt=(\d+)/.exec(text) ?? /\bt=(\d+).*\bm=(\d+)/.exec(text) ?? [];
    assert.ok(Number(memory) * Number(passes) <= 1_048_576, 'at most 1 GiB over all passes');
    const [, cost = 0] = /^\$2[aby]\$(\d\d)\$/.exec(text) ?? [];
    assert.ok(Number(cost) <= 14, 'at most cost 14');
    return [hash.format, hash.outdated];
  },
};
