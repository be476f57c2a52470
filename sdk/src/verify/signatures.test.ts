// Signatures and keys: only tokens of the service's own keys, read from a key set that strangers cannot make it fetch at will.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { generateKeyPair, SignJWT } from 'jose';
import { startScript } from '../../test/scripted-service.ts';
import { mirrorSignature } from '../../test/token-spellings.ts';

async function start() {
  const scripted = await startScript();
  await scripted.verifier.ready();
  const fetches = () => scripted.requests.filter(({ path }) => path === '/.well-known/jwks.json').length;
  return { ...scripted, fetches };
}

describe('the key set', () => {
  it('is fetched for an unknown key, at most every two seconds', async () => {
    const { judge, issue, addKey, pass, fetches, script } = await start();
    await pass(2);
    const before = fetches();
    const unknown = await issue({}, { kid: 'unknown' });
    assert.deepEqual(await Promise.all([judge(unknown), judge(unknown)]), ['invalid', 'invalid']);
    assert.equal(fetches(), before + 1);
    for (let count = 0; count < 100; count++) assert.equal(await judge(unknown), 'invalid');
    assert.equal(fetches(), before + 1);
    await addKey('second');
    await pass(2);
    assert.equal(await judge(await issue()), 'accepted');
    assert.equal(fetches(), before + 2);
    assert.equal(script.keys.length, 2);
  });

  it('makes a token of an unknown key stale, not invalid, if it cannot be fetched', async () => {
    const { judge, issue, pass, script } = await start();
    await pass(2);
    script.network = 'refuses';
    const unknown = await issue({}, { kid: 'unknown' });
    assert.deepEqual([await judge(unknown), await judge(unknown)], ['stale', 'stale']);
  });

  it('is fetched when a key is revoked, whose tokens are refused at once', async () => {
    const { judge, issue, addKey, revoke, fetches, endStreams, pass, script } = await start();
    const token = await issue();
    assert.equal(await judge(token), 'accepted');
    const before = fetches();
    await addKey('second');
    await revoke({ keyId: 'first' });
    assert.equal(await judge(token), 'revoked');
    assert.equal(await judge(await issue()), 'accepted');
    assert.equal(fetches(), before + 1);
    script.keys.shift();
    await endStreams();
    await pass(1);
    const after = fetches();
    assert.equal(await judge(token), 'revoked', 'also when the key is gone');
    assert.equal(fetches(), after, 'a token of a revoked key fetches nothing');
  });

  it('drops keys that the service no longer has, also for tokens that were accepted', async () => {
    const { judge, issue, addKey, endStreams, pass, script } = await start();
    const token = await issue();
    assert.equal(await judge(token), 'accepted');
    await addKey('second');
    script.keys.shift();
    await endStreams();
    await pass(1);
    assert.equal(await judge(token), 'invalid');
  });

  it('leaves out keys that are not for ES256', async () => {
    const { judge, issue, endStreams, pass, script } = await start();
    const other = await generateKeyPair('RS256', { extractable: true });
    script.keys.push({ ...other, kid: 'rsa' });
    await endStreams();
    await pass(1);
    const token = await new SignJWT({})
      .setProtectedHeader({ alg: 'RS256', kid: 'rsa', typ: 'at+jwt' })
      .sign(other.privateKey);
    assert.equal(await judge(token), 'invalid');
    script.keys.pop();
    assert.equal(await judge(await issue()), 'accepted');
  });
});

describe('a token', () => {
  const wrong: Record<string, [claims: Record<string, unknown>, header?: Record<string, unknown>]> = {
    'of another issuer': [{ iss: 'https://other.example.com' }],
    'for another audience': [{ aud: 'other' }],
    'for a list of audiences': [{ aud: ['shop'] }],
    'without gen': [{ gen: undefined }],
    'with gen as text': [{ gen: '1' }],
    'without sid': [{ sid: undefined }],
    'with an odd sid': [{ sid: '1' }],
    'without exp': [{ exp: undefined }],
    'without iat': [{ iat: undefined }],
    'without roles': [{ roles: undefined }],
    'that is not valid yet': [{ nbf: 1_795_334_400 + 60 }],
    'of another type': [{}, { typ: 'id+jwt' }],
    'without a type': [{}, { typ: undefined }],
    'without a kid': [{}, { kid: undefined }],
    'with a critical extension': [{}, { crit: ['x'], x: 1 }],
  };
  for (const [name, [claims, header]] of Object.entries(wrong)) {
    it(`${name} is invalid`, async () => {
      const { judge, issue, script } = await start();
      const token = await issue(claims, header).catch(() => '');
      assert.equal(await judge(token), 'invalid');
      assert.equal(await judge(await issue({}, { typ: 'JWT' })), 'accepted');
      assert.equal(script.keys.length, 1);
    });
  }

  it('that is too long, cut or empty is invalid', async () => {
    const { judge, issue } = await start();
    const token = await issue();
    const tokens = ['', '.', '..', 'x', token.slice(0, -1), `${token}.`, await issue({ name: 'x'.repeat(8192) })];
    for (const other of tokens) assert.equal(await judge(other), 'invalid');
  });

  it('has one spelling', async () => {
    const { judge, issue } = await start();
    for (let count = 0; count < 20; count += 1) {
      const token = await issue();
      const [content, signature = ''] = [token.slice(0, -86), token.slice(-86)];
      const last = 'AQgw'.indexOf(signature.slice(-1)) * 16;
      const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
      const others = [
        mirrorSignature(token),
        `${content}${signature.slice(0, -1)}${alphabet[last + 1]}`,
        `${token}=`,
        `${token}==`,
        `${token} `,
        `${token}\n`,
        `${content} ${signature}`,
        `${content}${signature.replaceAll('-', '+').replaceAll('_', '/')}=`,
        `${content}${Buffer.from(signature, 'base64url').toString('base64')}`,
      ];
      for (const other of others) assert.equal(await judge(other), 'invalid', JSON.stringify(other));
      assert.equal(await judge(token), 'accepted');
      for (const other of others) assert.equal(await judge(other), 'invalid', 'also when the token is known');
    }
  });

  it('keeps its claims, whatever a caller does with them', async () => {
    const { verifier, issue } = await start();
    const token = await issue();
    const claims = await verifier.verify(token);
    assert.throws(() => Object.assign(claims, { sub: '1' }), TypeError);
    assert.throws(() => Reflect.apply(Array.prototype.push, claims.roles, ['Administrator']), TypeError);
    assert.deepEqual((await verifier.verify(token)).roles, ['Clerk']);
  });
});

describe('a token of an application', () => {
  const nobody: Record<string, undefined> = {
    auth_time: undefined,
    amr: undefined,
    preferred_username: undefined,
    name: undefined,
    roles: undefined,
  };

  it('is accepted for its audience, and what it does not say gives no right', async () => {
    const { verifier, issue, judge, script, revoke } = await start();
    const sid = crypto.randomUUID();
    const own = await issue({ ...nobody, sid, sub: 'robot', client_id: 'robot', scope: '' });
    const { scope, sub, preferred_username: userName, name, roles, amr, auth_time: at } = await verifier.verify(own);
    assert.deepEqual([scope, sub, userName, name, roles, amr, at], ['', 'robot', '', '', [], [], 0]);
    const forPerson = await issue({ sid, scope: 'openid roles', client_id: 'shop-web' });
    assert.deepEqual((await verifier.verify(forPerson)).roles, ['Clerk']);
    assert.equal(await judge(await issue({ scope: 'openid', aud: 'other' })), 'invalid');
    await revoke({ sid, generation: 2_147_483_647 });
    assert.deepEqual([await judge(own), await judge(forPerson)], ['revoked', 'revoked']);
    assert.equal(script.keys.length, 1);
  });

  const wrong: Record<string, Record<string, unknown>> = {
    'no scope, and so must have all claims': { ...nobody },
    'a scope that is no text': { scope: null },
    'a list of scopes': { scope: ['openid'] },
    'roles that are no list': { scope: 'roles', roles: 'Administrator' },
    'a name that is no text': { scope: 'profile', name: null },
    'no generation': { scope: 'openid', gen: undefined },
    'no grant': { scope: 'openid', sid: undefined },
    'no client': { scope: 'openid', client_id: undefined },
    'no id': { scope: 'openid', jti: undefined },
    'no end': { scope: 'openid', exp: undefined },
  };
  for (const [name, claims] of Object.entries(wrong)) {
    it(`is invalid with ${name}`, async () => {
      const { judge, issue, script } = await start();
      assert.equal(await judge(await issue(claims)), 'invalid');
      assert.equal(await judge(await issue({ ...nobody, scope: 'openid' })), 'accepted');
      assert.equal(script.keys.length, 1);
    });
  }
});
