// ID tokens: stock libraries accept them, the service knows its own again, and takes none for an access token.
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, it } from 'node:test';
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose';
import { createManualClock } from '../../test/support/clock.ts';
import { openTestDatabase } from '../../test/support/databases.ts';
import { encode, forge } from '../../test/support/forge.ts';
import { systemRandom } from '../foundation/random.ts';
import { createSecrets } from '../foundation/secrets.ts';
import { createIdTokens } from './id-tokens.ts';
import { createKeyRings } from './key-rings.ts';
import { createRevocations } from './revocations.ts';
import { createSignatureVerifier } from './signatures.ts';
import { decodeToken, type HeaderType } from './token.ts';

const issuer = 'https://login.example.com';
const algorithms = ['RS256', 'ES256'] as const;
const types = ['JWT', 'logout+jwt'] as const;

/** All claims of an access token, which an ID token never has. */
const complete = {
  aud: 'shop',
  sub: '7',
  jti: 'a token',
  sid: 'a session',
  iat: 1000,
  nbf: 970,
  exp: 2000,
  auth_time: 1000,
  amr: ['pwd'],
  client_id: 'shop',
  preferred_username: 'thandi',
  name: 'Thandi',
  roles: [],
};

async function open(headerType: HeaderType = 'at+jwt', isRecorded: (made: number) => boolean = () => true) {
  const [database, clock, random] = [await openTestDatabase('sqlite'), createManualClock(), systemRandom];
  const secrets = createSecrets('a secret of at least thirty-two characters', random);
  const made: unknown[] = [];
  const rings = createKeyRings({
    database,
    revocations: createRevocations(),
    async record(_tx, { details }) {
      if (!isRecorded(made.push(details))) throw new Error('no record');
    },
    secrets,
    clock,
    random,
    readHeaderType: () => headerType,
  });
  await rings.keys.load();
  const idTokens = createIdTokens({ ...rings, issuer });
  const published = () => rings.keys.publicKeys() as JSONWebKeySet;
  return { database, clock, secrets, made, published, ...rings, ...idTokens };
}

describe('an ID token', () => {
  for (const algorithm of algorithms) {
    it(`in ${algorithm} is verified by a stock library, and by the service for its type alone`, async () => {
      const { database, published, sign, verify } = await open();
      for (const typ of types) {
        const token = await sign({ typ, claims: { aud: 'shop', sub: '7', exp: 1 }, algorithm });
        const claims = { aud: 'shop', sub: '7', exp: 1, iss: issuer };
        const { payload, protectedHeader } = await jwtVerify(token, createLocalJWKSet(published()), {
          issuer,
          typ,
          algorithms: [algorithm],
          currentDate: new Date(0),
        });
        assert.deepEqual([payload, protectedHeader.alg], [claims, algorithm]);
        assert.deepEqual(await verify(token, typ), claims, 'an expired one as well');
        for (const other of types) if (other !== typ) assert.equal(await verify(token, other), undefined);
        for (const changed of [`${token}A`, `${token}=`, token.slice(0, -1), `${token}.`, token.replace('.', '.e')])
          assert.equal(await verify(changed, typ), undefined);
      }
      await database.close();
    });
  }

  it('is no access token, though it had all claims of one and the header type of the setting', async () => {
    for (const headerType of ['at+jwt', 'JWT'] as const) {
      const { database, keys, sign, verify } = await open(headerType);
      const read = (token: string) => decodeToken(token, issuer, keys.find, createSignatureVerifier());
      const signing = keys.signingKey();
      const own = forge(
        Buffer.from(signing.header, 'base64url').toString(),
        { iss: issuer, ...complete },
        signing.privateKey,
      );
      assert.equal((await read(own))?.sub, '7');
      assert.equal(await verify(own, 'JWT'), undefined, 'an access token is no hint');
      for (const typ of types)
        for (const algorithm of algorithms)
          assert.equal(await read(await sign({ typ, claims: complete, algorithm })), undefined);
      await database.close();
    }
  });

  it('of other keys, of other algorithms and of another issuer is not known again', async () => {
    const { database, keys, idTokenKeys, sign, verify } = await open();
    const genuine = await sign({ typ: 'JWT', claims: {}, algorithm: 'RS256' });
    const [rsa, ec] = [decodeProtectedHeader(genuine), keys.signingKey()];
    const foreign = await open();
    const { privateKey } = foreign.keys.signingKey();
    const forged = [
      await foreign.sign({ typ: 'JWT', claims: {}, algorithm: 'RS256' }),
      forge({ alg: 'ES256', kid: ec.kid, typ: 'JWT' }, { iss: issuer }, privateKey),
      forge({ alg: 'ES256', kid: rsa.kid, typ: 'JWT' }, { iss: issuer }, ec.privateKey),
      forge({ alg: 'RS256', kid: ec.kid, typ: 'JWT' }, { iss: issuer }, ec.privateKey),
      forge({ alg: 'ES256', kid: ec.kid, typ: 'JWT' }, { iss: 'https://other.example.com' }, ec.privateKey),
      forge({ alg: 'ES256', kid: ec.kid, typ: 'JWT' }, '[]', ec.privateKey),
      `${encode({ alg: 'none', kid: ec.kid, typ: 'JWT' })}.${encode({ iss: issuer })}.`,
      '',
      '..',
      'x'.repeat(9000),
    ];
    for (const token of forged) assert.equal(await verify(token, 'JWT'), undefined, token);
    assert.deepEqual(await verify(genuine, 'JWT'), { iss: issuer });
    assert.equal(idTokenKeys.all().length, 1);
    await foreign.database.close();
    await database.close();
  });
});

describe('the RSA keys', () => {
  it('are there when they are first needed, once for all who ask, and not before', async () => {
    const { database, made, published, sign, ensureKeys, keys } = await open();
    await keys.maintain();
    await keys.rotate({ compromised: false });
    assert.deepEqual([made.length, published().keys.map(({ kty }) => kty)], [2, ['EC', 'EC']]);
    const tokens = Array.from({ length: 20 }, () => sign({ typ: 'JWT', claims: {}, algorithm: 'RS256' }));
    await Promise.all([ensureKeys(), ensureKeys(), ...tokens]);
    assert.equal(made.length, 3);
    const [key] = published().keys.filter(({ kty }) => kty === 'RSA');
    assert.deepEqual(Object.keys(key ?? {}).toSorted(), ['alg', 'e', 'kid', 'kty', 'n', 'use']);
    assert.deepEqual([key?.alg, key?.use], ['RS256', 'sig']);
    assert.equal(Buffer.from(key?.n ?? '', 'base64url').length * 8, 3072);
    await database.close();
  });

  it('of 2,048 bits, which were made earlier, sign and verify until they are rotated', async () => {
    const { database, clock, secrets, published, sign, verify, ensureKeys, keys, idTokenKeys } = await open();
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'former', alg: 'RS256', use: 'sig', typ: 'JWT' };
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const row = { number: 1, kid: 'former', public_jwk: JSON.stringify(jwk), created_at: clock.now() };
    const sealed = { sealed_private_key: secrets.seal('signing-key', pem), active_from: clock.now() };
    await database.sql
      .insertInto('id_token_key')
      .values({ ...row, ...sealed })
      .execute();
    await idTokenKeys.load();
    await ensureKeys();
    const token = await sign({ typ: 'JWT', claims: { sub: '7' }, algorithm: 'RS256' });
    assert.equal(decodeProtectedHeader(token).kid, 'former');
    await keys.rotate({ compromised: false });
    const lengths = published().keys.flatMap(({ n }) => (n ? [Buffer.from(n, 'base64url').length * 8] : []));
    assert.deepEqual(lengths, [2048, 3072]);
    assert.deepEqual(await verify(token, 'JWT'), { sub: '7', iss: issuer });
    await database.close();
  });

  it('are replaced with the others in one transaction, or not at all', async () => {
    let mayRotate = false;
    const { database, made, published, ensureKeys, keys } = await open('at+jwt', (count) => count < 4 || mayRotate);
    await ensureKeys();
    const before = published();
    // The second of the two fails.
    await assert.rejects(keys.rotate({ compromised: true }), /no record/);
    assert.deepEqual([made.length, published()], [4, before]);
    mayRotate = true;
    await keys.rotate({ compromised: true });
    const kids = new Set(before.keys.map(({ kid }) => kid));
    assert.deepEqual(
      published().keys.map(({ kty, kid }) => [kty, kids.has(kid)]),
      [
        ['EC', false],
        ['RSA', false],
      ],
    );
    await database.close();
  });
});
