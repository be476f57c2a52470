// Forged tokens: the service accepts only tokens that it has issued, byte for byte.
import assert from 'node:assert/strict';
import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, before, describe, it } from 'node:test';
import type { Instant } from '../../src/foundation/clock.ts';
import { createManualClock } from '../support/clock.ts';
import { claimsOf, encode, forge, headerOf, otherSignature, signParts } from '../support/forge.ts';
import { ISSUER, startTestService, type TestService } from '../support/service.ts';

const REFRESH = '/api/TokenAuth/RefreshTokenAsync';
const SIGN_OFF = '/api/TokenAuth/SignOff';
const WHO = '/api/services/app/Session/GetCurrentLoginInfo';
const SESSIONS = '/api/services/app/Session/GetAll';

/** A whole second, so that tests can hit the exact second in which a token expires. */
const START = (Math.ceil(Date.now() / 1000) * 1000) as Instant;
const NOW = START / 1000;

describe('forged tokens', () => {
  let test: TestService;
  let live: string;
  let header: Record<string, unknown>;
  let claims: Record<string, unknown>;
  let serviceKey: KeyObject;
  let publicKey: KeyObject;
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ownJwk = own.publicKey.export({ format: 'jwk' });

  /** Counts requests to an address that a token names. */
  let visits = 0;
  const trap = createServer((_request, response) => {
    visits += 1;
    response.end(JSON.stringify({ keys: [{ ...ownJwk, kid: header.kid, alg: 'ES256', use: 'sig' }] }));
  });
  let trapUrl: string;
  const connections: unknown[] = [];
  const noteConnection = (message: unknown) => void connections.push(message);

  before(async () => {
    test = await startTestService('sqlite', { clock: createManualClock(START) });
    await test.createUser('thandi');
    live = await test.signIn('thandi');
    header = headerOf(live);
    claims = claimsOf(live);
    const key = test.service.keys.signingKey();
    serviceKey = key.privateKey;
    publicKey = key.publicKey;
    trap.listen(0, '127.0.0.1');
    await once(trap, 'listening');
    trapUrl = `http://127.0.0.1:${(trap.address() as { port: number }).port}/keys`;
    subscribe('net.client.socket', noteConnection);
  });
  after(async () => {
    unsubscribe('net.client.socket', noteConnection);
    await test.close();
    trap.close();
  });

  /** Asserts that every call refuses the token with the reason, reveals nothing, and ends no session. */
  async function assertRefused(token: string, what: string, reason = 'token.invalid') {
    await assertNotAdmitted(token, what, reason);
    assert.equal((await test.post(SIGN_OFF, { token })).result, true, what);
    assert.equal((await test.get(SESSIONS, { token: live })).status, 200, `${what}: the session has ended`);
  }

  async function assertNotAdmitted(token: string, what: string, reason: string) {
    for (const [method, path] of [
      ['GET', SESSIONS],
      ['POST', REFRESH],
    ] as const) {
      const answer = await test.send(method, path, { token });
      assert.deepEqual([answer.status, answer.error?.reason], [401, reason], `${what}: ${method} ${path}`);
      assert.match(String(answer.headers['www-authenticate']), /^Bearer realm="latchkey", error="invalid_token"/, what);
      assert.equal(answer.headers['cache-control'], 'no-store', what);
      assert.equal(token !== '' && answer.text.includes(token), false, `${what}: the answer repeats the token`);
    }
    assert.equal((await test.get(WHO, { token })).result.user, null, what);
  }

  async function assertAllRefused(tokens: Record<string, string>) {
    for (const [what, token] of Object.entries(tokens)) await assertRefused(token, what);
  }

  it('are forged correctly: the same code with our key makes a token that is accepted', async () => {
    const token = forge(header, claims, serviceKey);
    assert.notEqual(token, live);
    assert.equal((await test.get(SESSIONS, { token })).status, 200);
  });

  it('are refused with any other header, also when our own key signed them', async () => {
    const { alg, typ, kid } = header;
    const altered: Record<string, unknown> = {
      'an extra member': { ...header, x: 1 },
      'members in another order': { kid, alg, typ },
      'white space': `{"alg":"ES256", "typ":"at+jwt","kid":"${kid}"}`,
      'an escaped letter': `{"alg":"\\u0045S256","typ":"at+jwt","kid":"${kid}"}`,
      'a member twice': `{"alg":"none","alg":"ES256","typ":"at+jwt","kid":"${kid}"}`,
      'no kid': { alg, typ },
      'a foreign kid': { ...header, kid: 'AAAAAAAAAAAA' },
      'a kid that is a path': { ...header, kid: '../../../dev/null' },
      'a kid that is SQL': { ...header, kid: "' or ''='" },
      'a kid in a list': { ...header, kid: [kid] },
      'a kid of a prototype': { ...header, kid: '__proto__' },
      'an empty kid': { ...header, kid: '' },
      crit: { ...header, crit: ['exp'] },
      'crit that is empty': { ...header, crit: [] },
      'b64 false': { ...header, b64: false, crit: ['b64'] },
      zip: { ...header, zip: 'DEF' },
      cty: { ...header, cty: 'JWT' },
      jku: { ...header, jku: trapUrl },
      x5u: { ...header, x5u: trapUrl },
      'a list': [header],
      'no header': '',
      null: 'null',
    };
    for (const other of [
      'none',
      'None',
      'HS256',
      'ES384',
      'ES512',
      'ES256K',
      'RS256',
      'PS256',
      'EdDSA',
      'es256',
      '',
      null,
    ]) {
      altered[`alg ${other}`] = { ...header, alg: other };
    }
    for (const other of [
      'JWT',
      'jwt',
      'AT+JWT',
      'application/at+jwt',
      'id+jwt',
      'rt+jwt',
      'reset+jwt',
      'logout+jwt',
      '',
      null,
    ]) {
      altered[`typ ${other}`] = { ...header, typ: other };
    }
    for (const [what, value] of Object.entries(altered)) await assertRefused(forge(value, claims, serviceKey), what);
  });

  it('are refused when another key or algorithm signed them', async () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const secp256k1 = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
    const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
    const payload = encode(claims);
    const hmac = (head: string, key: string | Buffer) =>
      `${head}.${payload}.${createHmac('sha256', key).update(`${head}.${payload}`).digest('base64url')}`;
    const hs256 = encode({ ...header, alg: 'HS256' });
    const rs256 = `${encode({ ...header, alg: 'RS256' })}.${payload}`;
    const es256k = `${encode({ ...header, alg: 'ES256K' })}.${payload}`;
    await assertAllRefused({
      'own key under the right header': forge(header, claims, own.privateKey),
      'own key in jwk': forge({ ...header, jwk: ownJwk }, claims, own.privateKey),
      'own key in jwk, without kid': forge({ alg: 'ES256', typ: 'at+jwt', jwk: ownJwk }, claims, own.privateKey),
      'own key behind jku': forge({ ...header, jku: trapUrl }, claims, own.privateKey),
      'own key behind x5u': forge({ ...header, x5u: trapUrl }, claims, own.privateKey),
      'own key in x5c': forge(
        { ...header, x5c: [own.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')] },
        claims,
        own.privateKey,
      ),
      'own key, and the trap as issuer': forge(header, { ...claims, iss: trapUrl }, own.privateKey),
      'HMAC keyed with the public key as PEM': hmac(hs256, pem),
      'HMAC keyed with the public key as PEM without its last line break': hmac(hs256, pem.trim()),
      'HMAC keyed with the public key as DER': hmac(hs256, publicKey.export({ type: 'spki', format: 'der' })),
      'HMAC keyed with the public key as JWK': hmac(hs256, JSON.stringify(publicKey.export({ format: 'jwk' }))),
      'HMAC keyed with nothing': hmac(hs256, ''),
      'HMAC under our header': hmac(encode(header), pem),
      RS256: `${rs256}.${sign('sha256', Buffer.from(rs256), rsa.privateKey).toString('base64url')}`,
      ES256K: `${es256k}.${sign('sha256', Buffer.from(es256k), { key: secp256k1.privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`,
    });
    assert.equal(visits, 0, 'the service requested an address from a token');
  });

  it('are refused without a signature or with an invalid one', async () => {
    const [head = '', payload = '', signature = ''] = live.split('.');
    const content = `${head}.${payload}`;
    const bytes = (hex: string) => Buffer.from(hex, 'hex').toString('base64url');
    const order = 'ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551';
    const escalated = encode({ ...claims, sub: '1', roles: ['Administrator'], preferred_username: 'admin' });
    await assertAllRefused({
      'alg none': `${encode({ ...header, alg: 'none' })}.${payload}.`,
      'alg none with a signature': `${encode({ alg: 'none' })}.${payload}.${signature}`,
      'no signature': `${content}.`,
      'r and s of zero': `${content}.${bytes('00'.repeat(64))}`,
      'r and s of one': `${content}.${bytes(`${'00'.repeat(31)}01`.repeat(2))}`,
      'r and s of the order': `${content}.${bytes(order.repeat(2))}`,
      'all bits set': `${content}.${bytes('ff'.repeat(64))}`,
      'the signature as DER': `${content}.${sign('sha256', Buffer.from(content), serviceKey).toString('base64url')}`,
      'one byte less': `${content}.${Buffer.from(signature, 'base64url').subarray(1).toString('base64url')}`,
      'one byte more': `${content}.${Buffer.concat([Buffer.from(signature, 'base64url'), Buffer.alloc(1)]).toString('base64url')}`,
      'other claims under the same signature': `${head}.${escalated}.${signature}`,
      'the signature of another token': `${content}.${(await test.signIn('thandi')).split('.')[2]}`,
    });
  });

  it('are refused when they are another spelling of a valid token', async () => {
    const [head = '', payload = '', signature = ''] = live.split('.');
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const last = alphabet.indexOf(signature.at(-1) as string);
    const spellings: Record<string, string> = {
      'the other signature (r, n - s)': otherSignature(live),
      padding: `${live}==`,
      'one character of padding': `${live}=`,
      'padding of each segment': `${head}=.${payload}=.${signature}==`,
      'upper case': live.toUpperCase(),
      'a leading dot': `.${live}`,
      'a trailing dot': `${live}.`,
      'two segments': `${head}.${payload}`,
      'one segment': head,
      'four segments': `${live}.${signature}`,
      'five segments': `${head}.${payload}.${signature}.${head}.${payload}`,
      'two dots': `${head}..${payload}.${signature}`,
      dots: '..',
      'percent encoding': encodeURIComponent(`${live}=`),
      quotes: `"${live}"`,
      'angle brackets': `<${live}>`,
      'a comma': `${live},${live}`,
      'the flattened JSON serialization': JSON.stringify({ protected: head, payload, signature }),
      'the general JSON serialization': JSON.stringify({ payload, signatures: [{ protected: head, signature }] }),
      'standard base64': signSuch(/[-_]/).replaceAll('-', '+').replaceAll('_', '/'),
    };
    for (let bits = 1; bits < 16; bits += 1) {
      spellings[`unused bits ${bits}`] = live.slice(0, -1) + alphabet[(last & 0x30) | ((last + bits) & 0x0f)];
    }
    await assertAllRefused(spellings);
  });

  /** Issues a token until the signature contains such a character. The token is valid as issued. */
  function signSuch(character: RegExp): string {
    const sought = () => signParts(encode(header), encode(claims), serviceKey);
    let token = sought();
    while (!character.test(token.split('.')[2] ?? '')) token = sought();
    return token;
  }

  it('are refused when they are longer than a token can be', async () => {
    const name = (length: number) => forge(header, { ...claims, name: 'x'.repeat(length) }, serviceKey);
    const lengths = Array.from({ length: 800 }, (_, n) => name(5000 + n));
    const longest = lengths.findLast((token) => token.length <= 8192) ?? '';
    const tooLong = lengths.find((token) => token.length > 8192) ?? '';
    // No Base64 text here has exactly 8193 characters.
    assert.deepEqual([longest.length, tooLong.length], [8192, 8194]);
    assert.equal((await test.get(SESSIONS, { token: longest })).status, 200);
    for (const token of [
      tooLong,
      name(1_000_000),
      'x'.repeat(8193),
      '.'.repeat(100_000),
      `${live}${'='.repeat(9000)}`,
    ]) {
      assert.equal(token.length > 8192, true);
      await assertRefused(token, `${token.length} characters`);
    }
  });

  it('are refused when a claim is missing or of another type, though our own key signed them', async () => {
    const other = {
      text: [0, 1, true, null, '', [], ['a'], {}, { $ne: '' }],
      time: [null, '', `${NOW + 100}`, NOW + 0.5, true, [NOW], {}, 1e300],
      list: [null, '', 'a', 0, true, {}, { 0: 'a', length: 1 }],
    };
    for (const [member, wrong] of [
      ...['iss', 'aud', 'sub', 'jti', 'sid', 'client_id', 'preferred_username', 'name'].map(
        (name) => [name, other.text] as const,
      ),
      ...['exp', 'nbf', 'iat', 'auth_time'].map((name) => [name, other.time] as const),
      ...['amr', 'roles'].map((name) => [name, other.list] as const),
    ]) {
      const { [member]: _, ...without } = claims;
      await assertRefused(forge(header, without, serviceKey), `${member} missing`);
      for (const value of wrong) {
        await assertRefused(
          forge(header, { ...claims, [member]: value }, serviceKey),
          `${member} ${JSON.stringify(value)}`,
        );
      }
    }
    const text = JSON.stringify(claims);
    for (const payload of [
      '',
      'null',
      '1',
      '"x"',
      '[]',
      `[${text}]`,
      `{"__proto__":${text}}`,
      text.slice(0, -1),
      `${text}x`,
      '{'.repeat(4000),
    ]) {
      await assertRefused(forge(header, payload, serviceKey), `the payload ${payload.slice(0, 20)}`);
    }
  });

  it('are refused when another issuer is named', async () => {
    for (const iss of [
      'http://localhost:8081',
      `${ISSUER}/`,
      ISSUER.toUpperCase(),
      'https://localhost:8080',
      [ISSUER],
      ` ${ISSUER}`,
    ]) {
      await assertRefused(forge(header, { ...claims, iss }, serviceKey), `issuer ${iss}`);
    }
  });

  it('are refused when they name an unknown session or token', async () => {
    const jti = crypto.randomUUID();
    const others = claimsOf(await test.signIn('thandi'));
    for (const changed of [
      { jti },
      { sid: jti },
      { sid: others.sid },
      { jti: others.jti },
      { sid: `${claims.sid} ` },
      { sid: '%' },
    ]) {
      const token = forge(header, { ...claims, ...changed }, serviceKey);
      await assertNotAdmitted(token, JSON.stringify(changed), 'token.revoked');
    }
  });

  it('are refused from the second of `exp`, and before the second of `nbf`', async () => {
    const within = async (times: object) =>
      (await test.get(SESSIONS, { token: forge(header, { ...claims, ...times }, serviceKey) })).status;
    assert.equal(await within({ exp: NOW + 1 }), 200);
    assert.equal(await within({ nbf: NOW }), 200);
    await assertRefused(forge(header, { ...claims, exp: NOW }, serviceKey), 'exp is now', 'token.expired');
    await assertRefused(forge(header, { ...claims, exp: -1 }, serviceKey), 'exp before 1970', 'token.expired');
    await assertRefused(forge(header, { ...claims, nbf: NOW + 1 }, serviceKey), 'nbf is in a second');
    const token = forge(header, { ...claims, exp: NOW + 1 }, serviceKey);
    test.clock.advance(0.999);
    assert.equal((await test.get(SESSIONS, { token })).status, 200);
    test.clock.advance(0.001);
    await assertRefused(token, 'exp has come, though its signature was seen before', 'token.expired');
  });

  it('stay refused as expired when the clock is set back', async () => {
    const exp = Math.floor(test.clock.now() / 1000) + 2;
    const token = forge(header, { ...claims, exp }, serviceKey);
    assert.equal((await test.get(SESSIONS, { token })).status, 200);
    test.clock.advance(2);
    await assertRefused(token, 'exp has come', 'token.expired');
    test.clock.advance(-1);
    await assertRefused(token, 'exp had come', 'token.expired');
  });

  it('are refused after the end of their session, with any `exp`', async () => {
    const { database } = test.service;
    const session = database.sql.selectFrom('session').select('expires_at').where('id', '=', String(claims.sid));
    const { expires_at: end } = await session.executeTakeFirstOrThrow();
    const token = forge(header, { ...claims, exp: Math.ceil(end / 1000) + 100 }, serviceKey);
    test.clock.advance((end - 1 - test.clock.now()) / 1000);
    assert.equal((await test.get(SESSIONS, { token })).status, 200);
    test.clock.advance(0.001);
    await assertNotAdmitted(token, 'its session has ended', 'token.revoked');
  });

  it('make the service open no connection', () => {
    assert.equal(visits, 0, 'the service requested an address from a token');
    assert.deepEqual(connections, [], 'the service opened a connection');
  });
});
