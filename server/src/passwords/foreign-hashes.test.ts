// Hashes of other systems: public ones, how an import stores them, and texts that it refuses.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { describeHash } from './foreign-hashes.ts';
import { readHash } from './passwords.ts';

/** Returns the text that an import stores. */
function store(given: string): string {
  const described = describeHash(given);
  assert.ok('stored' in described, `${given}: ${JSON.stringify(described)}`);
  return described.stored;
}

async function matches(stored: string, password: string): Promise<boolean> {
  const hash = await readHash(stored);
  return 'matches' in hash && (await hash.matches(password));
}

const refusalOf = (given: string) => {
  const described = describeHash(given);
  return 'refused' in described ? described.refused : '';
};

/** A password credential of a realm export. */
const keycloak = (algorithm: string, hashIterations: unknown, value: string, salt: string, additionalParameters = {}) =>
  JSON.stringify({
    type: 'password',
    secretData: JSON.stringify({ value, salt, additionalParameters: {} }),
    credentialData: JSON.stringify({ hashIterations, algorithm, additionalParameters }),
  });

/** What Keycloak writes for argon2. */
const keycloakArgon2 = { hashLength: ['32'], memory: ['7168'], type: ['id'], version: ['1.3'], parallelism: ['1'] };

const SUPABASE =
  '$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=ou9tdYTGyYm8kuR6Dt0Bp0kDuAYoXrK16mbZO4yGwAn3oLspjnN0/c41v8xZnO1n14J3MjKj1b2g6AUCAlFwMw==$C0sHCg9ek77hsg==$zKVTMvnWVw5BBOZNUdnsalx4c4c7y/w7IS5p6Ut2+CfEFFlz37J9huyQfov4iizN8dbjvEJlM5tQaJP84+hfTw==';

/** Where a hash was published, or which program made it. */
type Vector = readonly [source: string, format: string, password: string, hash: string];

const django: readonly Vector[] = [
  // tests/auth_tests/test_hashers.py
  ['3.2', 'pbkdf2-sha256', 'lètmein', 'pbkdf2_sha256$390000$seasalt$8xBlGd3jVgvJ+92hWPxi5ww0uuAuAnKgC45eudxro7c='],
  ['3.2', 'pbkdf2-sha1', 'lètmein', 'pbkdf2_sha1$390000$seasalt2$aDapRanzW8aHTz97v2TcfHzWD+I='],
  [
    '3.2',
    'scrypt',
    'lètmein',
    'scrypt$16384$seasalt$8$1$Qj3+9PPyRjSJIebHnG81TMjsqtaIGxNQG/aEB/NYafTJ7tibgfYz71m0ldQESkXFRkdVCBhhY8mx7rQwite/Pw==',
  ],
  [
    'without a version',
    'argon2i',
    'secret',
    'argon2$argon2i$m=8,t=1,p=1$c29tZXNhbHQ$gwQOXSNhxiOxPOA0+PY10P9QFO4NAYysnqRt1GSQLE55m+2GYDt9FEjPMHhP2Cuf0nOEXXMocVrsJAtNSsKyfg',
  ],
  ['3.2', 'argon2id', 'secret', 'argon2$argon2id$v=19$m=102400,t=2,p=8$Y041dExhNkljRUUy$TMa6A8fPJhCAUXRhJXCXdw'],
  // Passlib, test_handlers_django.py
  [
    'Passlib',
    'pbkdf2-sha256',
    'táБℓə',
    'pbkdf2_sha256$10000$bEwAfNrH1TlQ$OgYUblFNUX1B8GfMqaCYUK/iHyO0pa7STTDdaEJBuY0=',
  ],
  ['Passlib', 'pbkdf2-sha1', 'táБℓə', 'pbkdf2_sha1$10000$KZKWwvqb8BfL$rw5pWsxJEU4JrZAQhHTCO+u0f5Y='],
  ['Passlib', 'bcrypt', 'táБℓə', 'bcrypt$$2a$05$Z17AXnnlpzddNUvnC6cZNOSwMA/8oNiKnHTHTwLlBijfucQQlHjaG'],
  [
    'Passlib',
    'django-bcrypt-sha256',
    'táБℓə',
    'bcrypt_sha256$$2a$06$kCXUnRFQptGg491siDKNTu8RxjBGSjALHRuvhPYNFsa4Ea5d9M48u',
  ],
  [
    'more than 72 bytes',
    'django-bcrypt-sha256',
    `${'abc123'.repeat(12)}qwr`,
    'bcrypt_sha256$$2a$06$Tg/oYyZTyAf.Nb3qSgN61Ocy0BEz1RK6xslSNi8PlaLX2pe7x/KQG',
  ],
];

const keycloakVectors: readonly Vector[] = [
  // Made with PBKDF2 of Python's hashlib.
  [
    'SHA-1',
    'pbkdf2-sha1',
    'password',
    keycloak(
      'pbkdf2',
      20_000,
      'Kn1FJuAQG/R44FhuUf0WpZ9bjHi/hCB7sgunu5OjUTH03qiyjO4EBzmmMt8zC7U7jLLKXTyKF26fLEo+zrg5Jg==',
      'AAECAwQFBgcICQoLDA0ODw==',
    ),
  ],
  // Realms of public repositories.
  [
    'SHA-256',
    'pbkdf2-sha256',
    'password',
    keycloak('pbkdf2-sha256', 27_500, 'JsfNbCOIdZUbyBJ+BT+VoGI91Ec2rWLOvkLPDaX8e9k=', 'P5rtFkGtPfoaryJ6PizUJw=='),
  ],
  [
    'SHA-512',
    'pbkdf2-sha512',
    'password',
    keycloak(
      'pbkdf2-sha512',
      210_000,
      'RiTssw3YoAi/X7OjHT8neTMzq4bkPCuaLqkzXPIF++pKxgyvmbIKxt1FZkEF17csSiPopG00ttt8vTMWgnYo/Q==',
      'Br/Lp4+13D1NR7irJwPhZw==',
    ),
  ],
  [
    'argon2',
    'argon2id',
    'secret',
    keycloak('argon2', 5, 'xKjWvB9+0sSP6wTqI1JoEI7w+iA0x9VDhPgmrOHRG80=', 'LRScGShC7shkdoU5B1UgUQ==', keycloakArgon2),
  ],
];

const scrypt: readonly Vector[] = [
  // Passlib, test_handlers_scrypt.py, and the paper on scrypt.
  [
    'Passlib',
    'scrypt',
    'password',
    '$scrypt$ln=8,r=2,p=1$dO6d0xoDoLT2PofQGoNQag$g/Wf2A0vhHhaJM+addK61QPBthSmYB6uVTtQzh8CM3o',
  ],
  [
    'Passlib',
    'scrypt',
    'nacl',
    '$scrypt$ln=1,r=4,p=2$yhnD+J+Tci4lZCwFgHCuVQ$fAsEWmxSHuC0cHKMwKVFPzrQukgvK09Sj+NueTSxKds',
  ],
  [
    'the paper',
    'scrypt',
    'pleaseletmein',
    '$scrypt$ln=14,r=8,p=1$U29kaXVtQ2hsb3JpZGU$cCO9yzr9c0hGHAbNgf046/2o+7qQT44+qbVD9lRdofI',
  ],
  // Made with better-auth 1.7.25.
  [
    'better-auth',
    'better-auth-scrypt',
    'correctPassword123!',
    '60937c56131dd99a0ac60b717cf957eb:4d7c176915a28ccbdc3bcca51776805626fc5c2cfc8f294acd1a96df2d2eac392b34adcdf99a086f73e160ac1d8db0cb2d80cd9ceebc8a0032405be1e2293006',
  ],
  [
    'better-auth',
    'better-auth-scrypt',
    'ﬁnality pässwörd',
    '5d2bd9daa6cf21cf35a2a773fe5bd449:92fb024809364bde6e5be977cd10b1634b7656f6a8aa511e7fd24fde38f9e43e4e92006bdd2d5bb2281d76aed3ebae09b76b2f7910100c3fd6e291b8cc4db9f1',
  ],
  // supabase/auth, internal/crypto/password_test.go
  ['Supabase', 'firebase-scrypt', 'mytestpassword', SUPABASE],
  // ory/kratos, hash/hasher_test.go
  [
    'Kratos',
    'firebase-scrypt',
    '8x4WjoDbSxJZdR',
    '$firescrypt$ln=14,r=8,p=1$sPtDhWcd1MfdAw==$xbSou7FOl6mChCyzpCPIQ7tku7nsQMTFtyOZSXXd7tjBa4NtimOx7v42Gv2SfzPQu1oxM2/k4SsbOu73wlKe1A==$Bw==$YE0dO4bwD4JnJafh6lZZfkp1MtKzuKAXQcDCJNJNyeCHairWHKENOkbh3dzwaCdizzOspwr/FITUVlnOAwPKyw==',
  ],
];

const php: readonly Vector[] = [
  // Made with PHP 8.2 and with htpasswd.
  ['PHP', 'bcrypt', 'lètmein', '$2y$05$JUD/ph7GBu3BsAe1pmoSKO4w7huZ/tgLzU4q0cH5JMKNVMYhSB8zW'],
  ['htpasswd', 'bcrypt', 'lètmein', '$2y$05$wNIbkSs/sz4EIg39nTNi5.YwX.qpJ8TD8.EXHT1MIAkz5D4NESEdC'],
  [
    'PHP',
    'argon2id',
    'lètmein',
    '$argon2id$v=19$m=1024,t=2,p=1$TTJ0amhNNU9YNkY4OWpYcg$qO33Qxw0XVdy9b1ewNIYhsf6lBQCSNnhs6gJvxCPDUY',
  ],
  // phpass, and Passlib, test_handlers.py
  ['phpass', 'phpass', 'test12345', '$P$9IQRaTwmfeRo7ud9Fh4E2PdI0S3r.L0'],
  ['phpBB', 'phpass', '123456', '$H$9PE8jEklgZhgLmZl5.HYJAzfGCQtzi1'],
  ['WordPress', 'phpass', 'JohnRipper', '$P$B12345678L6Lpt4BxNotVIMILOa9u81'],
  ['Passlib', 'phpass', 'táБℓə', '$P$7SMy8VxnfsIy2Sxm7fJxDSdil.h7TW.'],
  // John the Ripper
  ['WordPress 6.8', 'wordpress-bcrypt', 'hashpwn', '$wp$2y$10$607XKVrBjPEqujeOXNwbYuOJ.gPMd2TelMMknmeV70Kap1E81Ovo6'],
  // hashcat, mode 7900
  ['Drupal 7', 'drupal', 'hashcat', '$S$C20340258nzjDWpoQthrdNTR02f0pmev0K/5/Nx80WSkOQcPEQRh'],
];

const ldap: readonly Vector[] = [
  // Passlib, test_handlers.py
  ['Passlib', 'ssha', 'secret', '{SSHA}0H+zTv8o4MR4H43n03eCsvw1luG8LdB7'],
  ['a salt of 16 bytes', 'ssha', 'test', '{SSHA}Pfx6Vf48AT9x3FVv8znbo8WQkEVSipHSWovxXmvNWUvp/d/7'],
  ['Passlib', 'ssha256', 'letmèïn', '{SSHA256}km7UjUTBZN8a+gf1ND2/qn15N7LsO/jmGYJXvyTfJKAbI0RoLWWslQ=='],
  [
    'Passlib',
    'ssha512',
    'password',
    '{SSHA512}f/lFQskkl7PdMsTGJxHZq8LDt/l+UqRMm6/pj4pV7/xZkcOaKCgvQqp+KCeXc/Vd4RY6vEHWn4y0DnFcQ6wgyv9fyxk=',
  ],
  // ory/kratos, hash/hasher_test.go
  ['a salt of 4 bytes', 'ssha', 'test123', '{ssha}JFZFs0oHzxbMwkSJmYVeI8MnTDy/276a'],
];

const crypt: readonly Vector[] = [
  // Passlib, test_handlers.py
  ['Passlib', 'sha256-crypt', 'U*U***U', '$5$LKO/Ute40T3FNF95$fdgfoJEBoMajNxCv3Ru9LyQ0xZgv0OBMQoq80LQ/Qd.'],
  [
    'Passlib',
    'sha512-crypt',
    'táБℓə',
    '$6$rounds=40000$PEZTJDiyzV28M3.m$GTlnzfzGB44DGd1XqlmC4erAJKCP.rhvLvrYxiT38htrNzVGBnplFOHjejUGVrCfusGWxLQCc3pFO0A/1jYYr0',
  ],
  // Made with openssl passwd, also where a block of the digest ends with the password.
  [
    'openssl',
    'sha512-crypt',
    'Hello world!',
    '$6$saltstring$svn8UoSVapNtMuq1ukKS4tPQd8iKwSMHWjl/O817G3uBnIFNjnQJuesI68u4OTLiBFdcbYEdFCoEOfaS35inz1',
  ],
  ['openssl', 'sha256-crypt', 'Hello world!', '$5$saltstring$5B8vYYiY.CVt1RlTTf8KbXBH3hsxY/GNooZaBBGWEc5'],
  [
    '64 bytes',
    'sha512-crypt',
    'a'.repeat(64),
    '$6$saltstring$xNfEGWEsbTgq/Y30XyIRNcZdD2drPqzAwh6fXDj7D6WVE0OazIpLhya3Bird/wrtzcCJhM8Es.wueUOoZXbEi/',
  ],
  [
    '65 bytes',
    'sha512-crypt',
    `${'a'.repeat(64)}b`,
    '$6$saltstring$ItJ7HHvgJDDPCx4bZxG4l8ZtVmb5xAQhIHCeJy1oqJugnMLF1UjVtxdBis3NTUUxLKx56dvZTKiN/fglt64w//',
  ],
  [
    '128 bytes',
    'sha512-crypt',
    'a'.repeat(128),
    '$6$saltstring$ajS7nQp0NdN4wAr0LRLSmSMZZxB4kTyKRPG3ITitIoqHai0ACgIGal1qjka7t3RbyKLP8y40.T4sq9dOj9/FR1',
  ],
  ['32 bytes', 'sha256-crypt', 'a'.repeat(32), '$5$saltstring$rjMPH2qyAsLvASQeJUKQQdHLfa3DC3Q9NLllO3sQ6m2'],
  // Made with mkpasswd.
  [
    '1000 rounds',
    'sha512-crypt',
    'Hello world!',
    '$6$rounds=1000$saltstring1$P4XGme8k1Kqhy152lczdPhnSAy14XoJNfB0cuGm0.Y3t9XtDygueciKrhO/nD.cQh4pJ/khdUkc1iW9dLrbMz1',
  ],
  [
    'LDAP',
    'sha256-crypt',
    'Hello world!',
    '{CRYPT}$5$rounds=12345$saltstringsaltst$OeaMaOXQ5X1eJyP6wiRfXDH7Q.TGBEpLp/qjRB6g017',
  ],
];

const others: readonly Vector[] = [
  // Spring's reference, "Password Storage"
  ['Spring', 'bcrypt', 'password', '{bcrypt}$2a$10$dXJ3SW6G7P50lGmMkkmwe.20cQQubK3.HZWzG3YB1tlRy.fqvM/BG'],
  [
    'Spring',
    'pbkdf2-sha1',
    'password',
    '{pbkdf2}5d923b44a6d129f3ddf3e3c8d29412723dcbde72445e8ef6bf3b508fbf17fa4ed4d6b99ca763d8dc',
  ],
  [
    'Spring',
    'scrypt',
    'password',
    '{scrypt}$e0801$8bWJaSu2IKSn9Z9kM+TPXfOc/9bdYSrN1oD9qfVThWEwdRTnO7re7Ei+fUZRJ68k9lTyuTeUp4of4g24hHnazw==$OAOec05+bXxvuu/1qZ6NUR+xQYvYv7BeL1QxwRpY5Pc=',
  ],
  // Made with PBKDF2 of Python's hashlib.
  [
    'Spring 5.8',
    'pbkdf2-sha256',
    'pässword',
    '{pbkdf2@SpringSecurity_v5_8}000102030405060708090a0b0c0d0e0fdeef2303ba2adb21b82a404d8e134a3a4f761600350d104cc479c14368466f34',
  ],
  // A public repository.
  [
    'Spring 5.8',
    'scrypt',
    'scrypt-password-1',
    '{scrypt@SpringSecurity_v5_8}$100801$AI7MTvo+Bi953IDwR6ffKA==$RV6VeMB6seHKP4wJmwnu5ZuK1lQQ1hSehhgJicbkq10=',
  ],
  // The reference implementation of argon2.
  [
    'Spring 5.8',
    'argon2id',
    'password',
    '{argon2@SpringSecurity_v5_8}$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4',
  ],
  ['Spring', 'ssha', 'secret', '{ldap}{SSHA}0H+zTv8o4MR4H43n03eCsvw1luG8LdB7'],
  ['Spring, in small letters', 'ssha', 'secret', '{ldap}{ssha}0H+zTv8o4MR4H43n03eCsvw1luG8LdB7'],
  // Passlib, test_handlers_pbkdf2.py
  ['Passlib', 'pbkdf2-sha1', 'password', '$pbkdf2$1212$OB.dtnSEXZK8U5cgxU/GYQ$y5LKPOplRmok7CZp/aqVDVg8zGI'],
  [
    'Passlib',
    'pbkdf2-sha256',
    'Ιωαννης',
    '$pbkdf2-sha256$1212$3SABFJGDtyhrQMVt1uABPw$WyaUoqCLgvz97s523nF4iuOqZNbp5Nt8do/cuaa7AiI',
  ],
  [
    'Passlib',
    'pbkdf2-sha512',
    'password',
    '$pbkdf2-sha512$1212$RHY0Fr3IDMSVO/RSZyb5ow$eNLfBK.eVozomMr.1gYa17k9B7KIK25NOEshvhrSX.esqY3s.FvWZViXz4KoLlQI.BzY/YTNJOiKc5gBYFYGww',
  ],
  // MediaWiki, Pbkdf2PasswordTestCase.php
  ['MediaWiki', 'pbkdf2-sha512', 'password', ':pbkdf2:sha512:4096:20:c2FsdA==:0Zexsz2wFD4BixLz0dFHnmzevcw='],
  ['MediaWiki', 'pbkdf2-sha512', 'pass\0word', ':pbkdf2:sha512:4096:16:c2EAbHQ=:nZ6cTNIf5L4k1bgkTHWWZQ=='],
];

const families = { Django: django, Keycloak: keycloakVectors, scrypt, PHP: php, LDAP: ldap, crypt, others };

for (const [family, vectors] of Object.entries(families)) {
  describe(`published hashes: ${family}`, () => {
    for (const [source, format, password, given] of vectors) {
      it(`${format}, ${source}, of "${password.slice(0, 20)}"`, async () => {
        const described = describeHash(given);
        assert.ok('stored' in described, JSON.stringify(described));
        assert.equal(described.format, format);
        const { stored } = described;
        if (format.startsWith('ssha'))
          assert.ok(stored.startsWith(`{${format.toUpperCase()}}`), 'as the doctor counts');
        assert.deepEqual(describeHash(stored), described, 'an export can be imported again');
        const hash = await readHash(stored);
        assert.ok('matches' in hash);
        assert.equal(hash.outdated, true);
        assert.equal(await hash.matches(password), true);
        assert.equal(await hash.matches(`${password}x`), false);
      });
    }
  });
}

describe('the hashes of Firebase', () => {
  it('are stored without the secret of the project', () => {
    const stored = store(SUPABASE);
    assert.match(stored, /^\$firebase-scrypt\$ln=14,r=8,p=1\$C0sHCg9ek77hsgc\$[\w+/]{86}$/);
    assert.ok(!stored.includes('ou9tdYTGyYm8'));
  });
});

describe('passwords of WordPress', () => {
  // Made with PHP 8.2: the password `it's "my" \pass`, typed with spaces around it into a form.
  const fromForm = '$wp$2y$05$0t8GtbBI5Kq9.O7v81u4b.pfadLwiCtYgGr2bnJWu8a95cdTs3X3y';
  // Made with Passlib: the password `it's` from a form.
  const phpass = '$P$5saltsaltuWVnhYgxHqFOgrOS/y5T51';

  it('may have quotes, before which WordPress writes backslashes, and white space around them', async () => {
    for (const typed of [`it's "my" \\pass`, ` it's "my" \\pass\t`]) assert.ok(await matches(fromForm, typed), typed);
    for (const typed of [`it's`, `it\\'s`, ` it's `]) assert.ok(await matches(phpass, typed), typed);
    for (const typed of ['its', `it''s`, `i t's`]) assert.equal(await matches(phpass, typed), false, typed);
  });

  it('are never empty, also where only white space was typed', async () => {
    // Made as the one above, of the empty password.
    const ofNothing = '$P$5saltsalt/VyEB6TNW7sFL3r0f4uQ31';
    assert.equal(await matches(ofNothing, ' \t'), false);
  });
});

describe('a hash that stands for no password', () => {
  it('begins with an exclamation mark', () => {
    // Made with Django 3.2, and what /etc/shadow has.
    for (const given of ['!jvarTAF5anjBowuoYqYzuhppOnQY5EHRhUMk8f8G', '!', '!!', '!$6$saltstring$abc']) {
      assert.deepEqual(describeHash(given), { isUnusable: true });
    }
  });
});

describe('a hash of another system is refused', () => {
  const fill = (length: number) => 'A'.repeat(length);
  const pbkdf2 = (iterations: string) =>
    `pbkdf2_sha256$${iterations}$salt$8xBlGd3jVgvJ+92hWPxi5ww0uuAuAnKgC45eudxro7c=`;
  const passlib = (cost: string) => `$scrypt$${cost}$c29tZXNhbHQ$${fill(43)}`;
  const sha = (rounds: string) => `$6$rounds=${rounds}$salt$${fill(86)}`;
  const costly: readonly [why: string, given: string, limit: RegExp][] = [
    ['PBKDF2', pbkdf2('2000001'), /"pbkdf2-sha256".*2,000,000 iterations/],
    ['PBKDF2 of Keycloak', keycloak('pbkdf2', 2e9, fill(24), fill(24)), /"pbkdf2-sha1".*2,000,000 iterations/],
    ['scrypt, N', passlib('ln=18,r=8,p=1'), /"scrypt".*N = 2\^17/],
    ['scrypt, r', passlib('ln=10,r=17,p=1'), /"scrypt".*r = 16/],
    ['scrypt, p', passlib('ln=10,r=8,p=11'), /"scrypt".*p = 10/],
    ['scrypt, memory', passlib('ln=17,r=16,p=2'), /"scrypt".*256 MiB/],
    ['scrypt of Spring', `{scrypt}$140801$${fill(24)}$${fill(44)}`, /"scrypt".*N = 2\^17/],
    ['scrypt of Django', `scrypt$1048576$salt$8$1$${fill(24)}`, /"scrypt".*N = 2\^17/],
    ['scrypt of Firebase', SUPABASE.replace('n=14', 'n=30'), /"firebase-scrypt".*N = 2\^17/],
    [
      'argon2',
      '{argon2}$argon2id$v=19$m=262145,t=1,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc',
      /256 MiB/,
    ],
    ['argon2 of Keycloak', keycloak('argon2', 11, fill(44), fill(24), keycloakArgon2), /"argon2id".*10 passes/],
    ['SHA-crypt', sha('1000001'), /"sha512-crypt".*1,000,000 rounds/],
    ['phpass', `$P$H12345678${fill(22)}`, /"phpass".*2\^18 rounds/],
    ['Drupal', `$S$S12345678${fill(43)}`, /"drupal".*2\^18 rounds/],
  ];
  for (const [why, given, limit] of costly) {
    it(`because it costs too much: ${why}`, () => {
      assert.match(refusalOf(given), limit);
    });
  }

  it('because it costs too much: bcrypt, however it is written', () => {
    const hash = '$2b$15$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW';
    for (const given of [hash, `bcrypt$${hash}`, `{bcrypt}${hash}`, `bcrypt_sha256$${hash}`, `$wp${hash}`]) {
      assert.match(refusalOf(given), /bcrypt.* would cost too much to verify: at most cost 14 is accepted\.$/, given);
    }
  });

  it('at the limits it is taken', () => {
    for (const given of [
      pbkdf2('2000000'),
      passlib('ln=17,r=16,p=1'),
      passlib('ln=13,r=16,p=10'),
      sha('1000000'),
      sha('1000'),
      `$P$G12345678${fill(22)}`,
      `$S$G12345678${fill(43)}`,
      `$2b$14$${'C'.repeat(21)}.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW`,
      `$argon2id$v=19$m=262144,t=10,p=16$c29tZXNhbHQ$${fill(43)}`,
    ]) {
      assert.ok(store(given));
    }
  });

  for (const [kind, given] of [
    ['$1$', '$1$saltsalt$qjXMvbEw8oaL.CzflDtaK/'],
    ['$apr1$', '$apr1$bzYrOHUx$a1FcpXuQDJV3vPY20CS6N1'],
    ['$y$', '$y$j9T$F5Jx5fExrKuPp53xLKQ..1$X3DX6M94c7o.9agCG9G317fhZg9SqC.5i5rd.RhAtQ7'],
    ['$2x$', '$2x$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'],
    ['$pbkdf2-sha384$', `$pbkdf2-sha384$1000$c29tZXNhbHQ$${fill(64)}`],
    ['{noop}', '{noop}password'],
    ['{MD5}', '{MD5}X03MO1qnZdYdgyfeuILPmQ=='],
    ['{SHA}', '{SHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g='],
    ['{sha256}', '{sha256}97cde38028ad898ebc02e690819fa220e88c62e0699403e94fff291cfffaf8410849f27605abcbc0'],
    ['{CRYPT}', '{CRYPT}ab1Hv2Lg7ltQo'],
    ['$1$', '{CRYPT}$1$saltsalt$qjXMvbEw8oaL.CzflDtaK/'],
    ['sha1$', 'sha1$seasalt$cff36ea83f5706ce9aa7454e63e431fc726b2dc8'],
    [':B:', ':B:1234abcd:2f2a2b1d4f3c9ab0a1c1a1d1e1f10203'],
    [':argon2:', ':argon2:$argon2id$v=19$m=65536,t=4,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4'],
    ['sha256$', 'sha256$seasalt$cff36ea83f5706ce9aa7454e63e431fc726b2dc8'],
    ['pbkdf2:sha256:', 'pbkdf2:sha256:600000$seasalt$5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8'],
    ['scrypt:', 'scrypt:32768:8:1$seasalt$5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8'],
    ['MD5', '5f4dcc3b5aa765d61d8327deb882cf99'],
    ['SHA-256', '5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8'],
    ['SHA-512', '5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8'.repeat(2)],
    ['bcrypt', keycloak('bcrypt', 10, fill(44), fill(24))],
  ] as const) {
    it(`because the service cannot verify its kind: ${kind}`, () => {
      const refused = refusalOf(given);
      assert.ok(refused.startsWith(`The service cannot verify hashes of the kind "${kind}".`), refused);
    });
  }

  for (const given of [
    // Passlib's tests say that these are malformed.
    '$pbkdf2$01212$THDqatpidANpadlLeTeOEg$HV3oi1k5C5LQCgG1BMOL.BX4YZc',
    '$pbkdf2$$THDqatpidANpadlLeTeOEg$HV3oi1k5C5LQCgG1BMOL.BX4YZc',
    '$pbkdf2$1212$THDqatpidANpadlLeTeOEg$HV3oi1k5C5LQCgG1BMOL.BX4YZc$',
    '{SSHA}ZQK3Yvtvl6wtIRoISgMGPkcWU7Nfq5U=',
    '{SSHA}P90+qijSp8MJ1tN25j5o1PflUvlqjXHOGeOck',
    '{SSHA}P90+qijSp8MJ1tN25j5o1PflUvlqjXHOGeOckw=',
    '{SSHA}P90+qijSp8MJ1tN25j5o1Pf=UvlqjXHOGeOckw==',
    '{SSHA}P90+qijSp8MJ1tN25j5o1PflUvlqjXHOGeOck===',
    '$scrypt$ln=10,r=1$wvif8/4fg1Cq9V7L2dv73w$bJcLia1lyfQ1X2x0xflehwVXPzWIUQWWdnlGwfVzBeQ',
    '$scrypt$ln=0,r=1,p=1$wvif8/4fg1Cq9V7L2dv73w$bJcLia1lyfQ1X2x0xflehwVXPzWIUQWWdnlGwfVzBeQ',
    '$scrypt$ln=10,r=A,p=1$wvif8/4fg1Cq9V7L2dv73w$bJcLia1lyfQ1X2x0xflehwVXPzWIUQWWdnlGwfVzBeQ',
    '$P$9IQRaTwmfeRo7ud9Fh4E2PdI0S3r!L0',
    '$6$rounds=011021$KsvQipYPWpr93wWP$v7xjI4X6vyVptJjB1Y02vZC5SaSijBkGmq1uJhPr3cvqvvkd42Xvo48yLVPFt8dvhCsnlUgpX.//Cxn91H4qy1',
    '$6$rounds=11021$KsvQipYPWpr9:wWP$v7xjI4X6vyVptJjB1Y02vZC5SaSijBkGmq1uJhPr3cvqvvkd42Xvo48yLVPFt8dvhCsnlUgpX.//Cxn91H4qy1',
    'bcrypt_sha256$xyz$2a$06$/3OeRpbOf8/l6nPPRdZPp.nRiyYqPobEZGdNRBWihQhiFDh1ws1tu',
    // Others.
    `$6$rounds=999$salt$${fill(86)}`,
    `$6$saltsaltsaltsalts$${fill(86)}`,
    `$6$rounds=5000000$${fill(86)}`,
    `$6$sal\0t$${fill(86)}`,
    `$5$salt$${fill(42)}`,
    `$P$B1234567${fill(22)}`,
    `$P$412345678${fill(22)}`,
    `$S$D12345678${fill(86)}`,
    `$pbkdf2-sha256$1000$c29tZXNhbHQ$${fill(20)}`,
    `$pbkdf2-sha256$1000$c29tZXNhbHQ$${fill(88)}`,
    `$pbkdf2-sha256$1000$${fill(400)}$${fill(43)}`,
    `$scrypt$ln=14,r=8,p=1$${fill(400)}$${fill(43)}`,
    `$scrypt$ln=14,r=8,p=1$c29tZXNhbHQ$${fill(16)}`,
    `{SSHA}${fill(200)}`,
    `{SSHA}${fill(30)}\0=`,
    'pbkdf2_sha256$1000$salt',
    'pbkdf2_sha256$1e3$salt$8xBlGd3jVgvJ+92hWPxi5ww0uuAuAnKgC45eudxro7c=',
    `scrypt$16385$salt$8$1$${fill(24)}`,
    `scrypt$-1$salt$8$1$${fill(24)}`,
    `scrypt$16384$salt$8$1$${fill(24)}$`,
    'argon2$bcrypt$x',
    '{pbkdf2}5d923b44a6d129f3',
    '{pbkdf2}xyz',
    '{scrypt}$e0801$AAAA',
    '{bcrypt}$2a$10$dXJ3SW6G7P50lGmMkkmwe.20cQQubK3',
    `:pbkdf2:sha512:4096:21:c2FsdA==:0Zexsz2wFD4BixLz0dFHnmzevcw=`,
    `:pbkdf2:md5:4096:20:c2FsdA==:0Zexsz2wFD4BixLz0dFHnmzevcw=`,
    `$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=AAAA$C0sHCg9ek77hsg==$AAAA`,
    SUPABASE.slice(0, -30),
    '$firebase-scrypt$ln=14,r=8,p=1$C0sHCg9ek77hsgc$AAAA',
    '{"secretData":"x","credentialData":"y"}',
    '{"secretData":{"value":1,"salt":2},"credentialData":{}}',
    '{"__proto__":{"secretData":"x"}}',
    '{"',
    keycloak('pbkdf2-sha256', -1, fill(44), fill(24)),
    keycloak('pbkdf2-sha256', '1e3', fill(44), fill(24)),
    keycloak('argon2', 5, fill(44), fill(24)),
    keycloak('an algorithm of a plugin', 5, fill(44), fill(24)),
  ]) {
    it(`because it is not well-formed: ${JSON.stringify(given.slice(0, 40))}`, async () => {
      assert.match(refusalOf(given), /^The hash is not a well-formed "[\w -]+" hash\.$/);
      assert.equal(await matches(given, 'x'), false);
    });
  }

  it('because it has more than 1000 characters', () => {
    for (const begin of ['', '$6$', 'pbkdf2_sha256$', '{"', '{SSHA}']) {
      assert.match(refusalOf(begin + fill(1_048_576)), /\.$/);
    }
  });
});

describe('a damaged hash of another system', () => {
  const cheap = [
    '$pbkdf2$1212$OB.dtnSEXZK8U5cgxU/GYQ$y5LKPOplRmok7CZp/aqVDVg8zGI',
    '$scrypt$ln=1,r=4,p=2$yhnD+J+Tci4lZCwFgHCuVQ$fAsEWmxSHuC0cHKMwKVFPzrQukgvK09Sj+NueTSxKds',
    '{SSHA}0H+zTv8o4MR4H43n03eCsvw1luG8LdB7',
    'pbkdf2_sha1$10$KZKWwvqb8BfL$rw5pWsxJEU4JrZAQhHTCO+u0f5Y=',
    SUPABASE,
    keycloak('pbkdf2', 10, 'AAECAwQFBgcICQoLDA0ODw==', 'AAECAwQFBgcICQoLDA0ODw=='),
  ];

  it('never throws, and what is stored of it can be read again', () => {
    const damage = fc.record({
      at: fc.nat(200),
      remove: fc.nat(3),
      add: fc.string({ unit: fc.constantFrom(...'$=,.:{}"+/A9zé\0'), maxLength: 3 }),
    });
    fc.assert(
      fc.property(fc.constantFrom(...cheap), damage, (given, { at, remove, add }) => {
        const place = at % given.length;
        const described = describeHash(given.slice(0, place) + add + given.slice(place + remove));
        if ('stored' in described) assert.deepEqual(describeHash(described.stored), described);
      }),
    );
  });
});
