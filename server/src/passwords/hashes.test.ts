// Every format of stored hashes: published, corrupt and costly hashes.
import assert from 'node:assert/strict';
import { pbkdf2Sync } from 'node:crypto';
import { describe, it } from 'node:test';
import { hash as argon2 } from '@node-rs/argon2';
import { hash as bcrypt } from '@node-rs/bcrypt';
import fc from 'fast-check';
import { describeHash } from './foreign-hashes.ts';
import { readHash } from './passwords.ts';

async function matches(stored: string, password: string): Promise<boolean> {
  const hash = await readHash(stored);
  return 'matches' in hash && (await hash.matches(password));
}

const salt = Buffer.from('000102030405060708090a0b0c0d0e0f', 'hex');
const argon2Output = 'CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc';
const argon2Hash = (parameters: string, algorithm = 'argon2id') =>
  `$${algorithm}$v=19$${parameters}$c29tZXNhbHQ$${argon2Output}`;

/** Makes a version 3 hash from the format's description, independently of the code under test. */
function identityV3(password: string, prf: number, iterations: number, subkeyLength = 32, saltBytes = salt): string {
  const subkey = pbkdf2Sync(password, saltBytes, iterations, subkeyLength, ['sha1', 'sha256', 'sha512'][prf] ?? 'sha1');
  return identityBlob(prf, iterations, saltBytes.length, Buffer.concat([saltBytes, subkey]));
}

function identityBlob(prf: number, iterations: number, saltLength: number, rest: Buffer): string {
  const header = Buffer.alloc(13);
  header[0] = 1;
  [prf, iterations, saltLength].forEach((word, index) => {
    header.writeUInt32BE(word, 1 + 4 * index);
  });
  return Buffer.concat([header, rest]).toString('base64');
}

describe('published hashes', () => {
  const vectors: [source: string, format: string, password: string, stored: string][] = [
    // Argon2 reference implementation, src/test.c
    [
      'Argon2',
      'argon2id',
      'password',
      '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4',
    ],
    ['Argon2', 'argon2id', 'password', `$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$${argon2Output}`],
    [
      'Argon2',
      'argon2i',
      'differentpassword',
      '$argon2i$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$FK6NoBr+qHAMI1jc73xTWNkCEoK9iGY6RWL1n7dNIu4',
    ],
    [
      'Argon2',
      'argon2i',
      'password',
      '$argon2i$v=19$m=65536,t=2,p=1$ZGlmZnNhbHQ$sDV8zPvvkfOGCw26RHsjSMvv7K2vmQq/6cxAcmxSEnE',
    ],
    // Openwall crypt_blowfish, wrapper.c
    ['bcrypt', 'bcrypt', 'U*U', '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'],
    ['bcrypt', 'bcrypt', 'U*U*', '$2a$05$CCCCCCCCCCCCCCCCCCCCC.VGOzA784oUp/Z0DY336zx7pLYAy0lwK'],
    ['bcrypt', 'bcrypt', 'U*U*U', '$2y$05$XXXXXXXXXXXXXXXXXXXXXOAcXxm9kjPGEMsLznoKqmqw7tc8WCx4a'],
    // ASP.NET Core, PasswordHasherTest.cs
    [
      'version 2',
      'aspnet-identity-v2',
      'my password',
      'AAABAgMEBQYHCAkKCwwNDg+ukCEMDf0yyQ29NYubggHIVY0sdEUfdyeM+E1LtH1uJg==',
    ],
    ['SHA-1', 'aspnet-identity-v3', 'my password', 'AQAAAAAAAAD6AAAAEAhftMyfTJylOlZT+eEotFXd1elee8ih5WsjXaR3PA9M'],
    [
      'SHA-256',
      'aspnet-identity-v3',
      'my password',
      'AQAAAAEAACcQAAAAEAABAgMEBQYHCAkKCwwNDg+yWU7rLgUwPZb1Itsmra7cbxw2EFpwpVFIEtP+JIuUEw==',
    ],
    ['SHA-512', 'aspnet-identity-v3', 'my password', 'AQAAAAIAAAAyAAAAEOMwvh3+FZxqkdMBz2ekgGhwQ4B6pZWND6zgESBuWiHw'],
  ];
  for (const [source, format, password, stored] of vectors) {
    it(`${format}, ${source}, of "${password}"`, async () => {
      assert.deepEqual(describeHash(stored), { format, stored });
      assert.equal(await matches(stored, password), true);
      assert.equal(await matches(stored, `${password} `), false);
    });
  }

  it('of ASP.NET Core do not match where its own tests say so', async () => {
    for (const stored of [
      'AAABAgMEBQYHCAkKCwwNDg+uAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAALtH1uJg==',
      'AAABAgMEBQYHCAkKCwwNDg+ukCEMDf0yyQ29NYubggE=',
      'AAABAgMEBQYHCAkKCwwNDg+ukCEMDf0yyQ29NYubggHIVY0sdEUfdyeM+E1LtH1uJgAAAAAAAAAAAAA=',
      'AQAAAAAAAAD6AAAAEAhftMyfTJyAAAAAAAAAAAAAAAAAAAih5WsjXaR3PA9M',
      'AQAAAAIAAAAyAAAAEOMwvh3+FZxqkdMBz2ekgGhwQ4A=',
      'AQAAAAIAAAAyAAAAEOMwvh3+FZxqkdMBz2ekgGhwQ4B6pZWND6zgESBuWiHwAAAAAAAAAAAA',
    ]) {
      assert.equal(await matches(stored, 'my password'), false);
    }
  });
});

describe('argon2', () => {
  it('verifies every variant with its own parameters', async () => {
    for (const algorithm of [0, 1, 2]) {
      for (const options of [
        { memoryCost: 64, timeCost: 3, parallelism: 4 },
        { memoryCost: 1024, timeCost: 1, outputLen: 16 },
      ]) {
        const stored = await argon2('pâsswörd\0', { ...options, algorithm, salt });
        assert.equal(await matches(stored, 'pâsswörd\0'), true);
        assert.equal(await matches(stored, 'pâsswörd'), false);
      }
    }
  });

  it('may give its parameters in any order, each once, and within the same limits', async () => {
    const orders = [
      ['m', 'p', 't'],
      ['t', 'm', 'p'],
      ['t', 'p', 'm'],
      ['p', 'm', 't'],
      ['p', 't', 'm'],
    ];
    const write = (values: Record<string, number>, order: string[]) =>
      argon2Hash(order.map((name) => `${name}=${values[name]}`).join(','));
    for (const order of orders) {
      assert.ok(await matches(write({ m: 65536, t: 2, p: 1 }, order), 'password'), order.join());
      const costly = await readHash(write({ m: 16_777_216, t: 2, p: 1 }, order));
      assert.match('refused' in costly ? costly.refused : '', /would cost too much/);
    }
    for (const parameters of ['m=65536,t=2', 'm=65536,t=2,t=2', 'm=65536,t=2,p=1,p=1', 'm=65536,t=2,x=1'])
      assert.ok('refused' in (await readHash(argon2Hash(parameters))), parameters);
  });

  it('is outdated by another variant or version, less memory, fewer passes, or a shorter salt or output', async () => {
    const own = { memoryCost: 19_456, timeCost: 2, salt };
    const outdated = async (options: object) => {
      const hash = await readHash(await argon2('x', { ...own, ...options }));
      return 'outdated' in hash && hash.outdated;
    };
    assert.equal(await outdated({}), false);
    assert.equal(await outdated({ memoryCost: 32_768, timeCost: 3, parallelism: 2 }), false);
    for (const weaker of [
      { algorithm: 1 },
      { version: 0 },
      { memoryCost: 19_455 },
      { timeCost: 1 },
      { salt: salt.subarray(8) },
      { outputLen: 24 },
    ]) {
      assert.equal(await outdated(weaker), true, JSON.stringify(Object.keys(weaker)));
    }
  });
});

describe('bcrypt', () => {
  it('verifies $2a$, $2b$ and $2y$, always to be upgraded', async () => {
    for (const version of ['2a', '2b', '2y']) {
      const stored = (await bcrypt('pâsswörd', 4)).replace(/^\$2[aby]\$/, `$${version}$`);
      const hash = await readHash(stored);
      assert.ok('matches' in hash && hash.outdated);
      assert.equal(await hash.matches('pâsswörd'), true);
      assert.equal(await hash.matches('passwörd'), false);
    }
  });

  it('counts all 72 bytes, and matches no longer password by cutting it off', async () => {
    const stored = await bcrypt('a'.repeat(72), 4);
    assert.equal(await matches(stored, 'a'.repeat(72)), true);
    assert.equal(await matches(stored, 'a'.repeat(71)), false);
    assert.equal(await matches(stored, 'a'.repeat(73)), false);
    assert.equal(await matches(stored, `${'a'.repeat(71)}é`), false);
  });

  it('does not treat a NUL as the end of a password', async () => {
    const stored = await bcrypt('a', 4);
    assert.equal(await matches(stored, 'a'), true);
    for (const password of ['a\0', 'a\0a', 'a\0b']) assert.equal(await matches(stored, password), false);
  });
});

describe('ASP.NET Core Identity', () => {
  for (const [prf, iterations, subkeyLength] of [
    [0, 1, 16],
    [1, 10_000, 32],
    [2, 1_000, 64],
  ] as const) {
    it(`version 3 with function ${prf}, ${iterations} iterations, ${subkeyLength} bytes`, async () => {
      const stored = identityV3('zóë\0😀', prf, iterations, subkeyLength);
      assert.equal(await matches(stored, 'zóë\0😀'), true);
      assert.equal(await matches(stored, 'zóë'), false);
    });
  }

  it('version 2', async () => {
    const subkey = pbkdf2Sync('zóë\0😀', salt, 1000, 32, 'sha1');
    const stored = Buffer.concat([Buffer.from([0]), salt, subkey]).toString('base64');
    assert.equal(await matches(stored, 'zóë\0😀'), true);
    assert.equal(await matches(stored, 'zóë'), false);
  });
});

describe('a stored hash is refused', () => {
  const rest = Buffer.alloc(48);
  for (const [why, stored] of [
    ['empty', ''],
    ['plain text', 'my password'],
    ['an unknown format', '$y$j9T$saltsaltsalt$abcdefgh'],
    ['a megabyte', 'A'.repeat(1_048_576)],
    ['argon2 with 16 GiB', argon2Hash('m=16777216,t=2,p=1')],
    ['argon2 with 2^32-1 passes', argon2Hash('m=8,t=4294967295,p=1')],
    ['argon2 with eleven passes', argon2Hash('m=65536,t=11,p=1')],
    ['argon2 with 255 lanes', argon2Hash('m=65536,t=2,p=255')],
    ['argon2 with no memory', argon2Hash('m=0,t=2,p=1')],
    ['argon2 with a number beyond 32 bits', argon2Hash('m=9999999999,t=2,p=1')],
    ['argon2 with a secret key', argon2Hash('m=256,t=2,p=1,keyid=AAAA')],
    ['argon2 without an output', '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$'],
    ['bcrypt of cost 31', '$2b$31$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'],
    ['bcrypt of cost 3', '$2b$03$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'],
    ['bcrypt of the faulty kind', '$2x$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'],
    ['bcrypt cut short', '$2b$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyO'],
    ['Identity with 10^9 iterations', identityBlob(1, 1_000_000_000, 16, rest)],
    ['Identity without iterations', identityBlob(1, 0, 16, rest)],
    ['Identity with an unknown function', identityBlob(3, 1000, 16, rest)],
    ['Identity with a salt longer than the blob', identityBlob(1, 1000, 0xffff_ffff, rest)],
    ['Identity with a short salt', identityBlob(1, 1000, 8, rest)],
    ['Identity with an empty subkey', identityBlob(1, 1000, 48, rest)],
  ] as const) {
    it(why, async () => {
      const description = describeHash(stored);
      assert.ok('refused' in description && description.refused.endsWith('.'));
      assert.equal(await matches(stored, 'x'), false);
    });
  }
});

describe('a corrupt stored hash', () => {
  const cheap = [
    '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4',
    '$2a$04$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW',
    identityV3('x', 1, 10),
  ];

  it('never throws and never matches: any text', async () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.base64String({ minLength: 40, maxLength: 120 }));
    await fc.assert(
      fc.asyncProperty(text, fc.constantFrom('', '$argon2id$', '$2b$04$', 'AQAAAAEAAAPo'), async (end, start) => {
        assert.equal(await matches(start + end, 'x'), false);
      }),
    );
  });

  it('never throws: a character replaced, removed or added', async () => {
    const damage = fc.record({
      at: fc.nat(100),
      remove: fc.nat(2),
      add: fc.string({ unit: fc.constantFrom(...'$=,.+/A9zé\0'), maxLength: 2 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...cheap), damage, async (stored, { at, remove, add }) => {
        const place = at % stored.length;
        const damaged = stored.slice(0, place) + add + stored.slice(place + remove);
        const description = describeHash(damaged);
        if ('refused' in description) assert.equal(await matches(damaged, 'not it'), false);
        else if (isCheap(damaged)) assert.equal(await matches(damaged, 'not it'), false);
      }),
    );
  });
});

/** Damage can raise the cost of a hash within the limits. The test skips such hashes, because they take too long. */
function isCheap(stored: string): boolean {
  return /^\$argon2\w*\$(v=\d+\$)?m=\d{1,4},t=\d,|^\$2\w\$0[4-6]|^AQAAAA.AAA/.test(stored);
}
