// Client assertions: the keys of an application, which it has registered, or which its address answers.
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { createManualClock, type ManualClock } from '../../test/support/clock.ts';
import type { Application } from '../applications/index.ts';
import { toNumericDate } from '../foundation/clock.ts';
import { createEgress, parseEgressAllowance } from '../foundation/egress.ts';
import { systemRandom } from '../foundation/random.ts';
import { createVerifyAssertion } from './assertions.ts';
import type { VerifyAssertion } from './client-authentication.ts';

const CLIENT = 'robot';
const AUDIENCE = 'https://latchkey.example.com';

type Pair = { readonly privateKey: CryptoKey; readonly jwk: JWK };

async function makePair(): Promise<Pair> {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  return { privateKey, jwk: await exportJWK(publicKey) };
}

const toJson = (answer: readonly JWK[] | { json: unknown }) => ('json' in answer ? answer.json : { keys: answer });

describe('the keys of a client assertion', () => {
  let server: Server;
  /** What the address of the keys answers: a status, keys, or JSON of another shape. */
  let answer: number | readonly JWK[] | { json: unknown };
  let asked: number;
  let clock: ManualClock;
  let failures: unknown[];
  let verify: VerifyAssertion;
  let [first, second, third]: Pair[] = [];

  before(async () => {
    [first, second, third] = await Promise.all([makePair(), makePair(), makePair()]);
    server = createServer((_, response) => {
      asked += 1;
      if (typeof answer === 'number') response.writeHead(answer).end();
      else response.setHeader('content-type', 'application/json').end(JSON.stringify(toJson(answer)));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() => {
    asked = 0;
    clock = createManualClock();
    failures = [];
    verify = createVerifyAssertion({
      egress: createEgress({ allowance: parseEgressAllowance(''), isDevelopment: true }),
      clock,
      onFailure: (clientId, error) => void failures.push([clientId, String(error)]),
    });
  });

  const addressOfKeys = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks.json`;
  const registered = (...pairs: (Pair | undefined)[]) =>
    ({ id: 'id', clientId: CLIENT, jwks: { keys: keysOf(...pairs) }, jwksUri: null }) as unknown as Application;
  const atAddress = () =>
    ({ id: 'id', clientId: CLIENT, jwks: null, jwksUri: addressOfKeys() }) as unknown as Application;
  const keysOf = (...pairs: (Pair | undefined)[]): JWK[] => pairs.flatMap((pair) => (pair ? [pair.jwk] : []));
  const sign = (pair: Pair | undefined, kid?: string): Promise<string> =>
    new SignJWT({ jti: systemRandom.uuid() })
      .setProtectedHeader({ alg: 'ES256', ...(kid !== undefined && { kid }) })
      .setIssuer(CLIENT)
      .setSubject(CLIENT)
      .setAudience(AUDIENCE)
      .setExpirationTime(toNumericDate(clock.now()) + 60)
      .sign(pair?.privateKey ?? assert.fail('no key'));
  const passes = async (application: Application, assertion: Promise<string>) =>
    verify(application, await assertion).then(
      ({ aud }) => aud === AUDIENCE,
      () => false,
    );

  it('are tried one after the other where they have no id', async () => {
    const application = registered(first, second);
    assert.equal(await passes(application, sign(first)), true);
    assert.equal(await passes(application, sign(second)), true);
    assert.equal(await passes(application, sign(third)), false);
    answer = keysOf(first, second);
    assert.equal(await passes(atAddress(), sign(second)), true);
  });

  it('are asked for once in five minutes, and earlier for one that is not known', async () => {
    answer = keysOf(first);
    const application = atAddress();
    assert.equal(await passes(application, sign(first)), true);
    answer = keysOf(second);
    clock.advance(29);
    assert.equal(await passes(application, sign(second)), false);
    assert.equal(asked, 1);
    clock.advance(1);
    assert.equal(await passes(application, sign(second)), true);
    clock.advance(299);
    assert.equal(await passes(application, sign(second)), true);
    assert.equal(asked, 2);
    clock.advance(1);
    assert.equal(await passes(application, sign(second)), true);
    assert.equal(asked, 3);
  });

  it('are asked for also where another one has the id of the former', async () => {
    const named = (pair: Pair | undefined): JWK[] => keysOf(pair).map((jwk) => ({ ...jwk, kid: 'current' }));
    answer = named(first);
    assert.equal(await passes(atAddress(), sign(first, 'current')), true);
    answer = named(second);
    clock.advance(30);
    assert.equal(await passes(atAddress(), sign(second, 'current')), true);
  });

  it('stay in use for an hour while their address does not answer, of which the operator is told', async () => {
    answer = keysOf(first);
    assert.equal(await passes(atAddress(), sign(first)), true);
    answer = 502;
    for (let minutes = 0; minutes < 55; minutes += 5) {
      clock.advance(300);
      assert.equal(await passes(atAddress(), sign(first)), true, `after ${minutes + 5} minutes`);
    }
    assert.equal(failures.length, 11);
    assert.deepEqual(failures[0], [CLIENT, 'Error: The keys of the application are answered with 502.']);
    clock.advance(300);
    assert.equal(await passes(atAddress(), sign(first)), false);
    answer = keysOf(first);
    clock.advance(30);
    assert.equal(await passes(atAddress(), sign(first)), true);
  });

  it('stay in use while their address answers no key set', async () => {
    answer = keysOf(first);
    assert.equal(await passes(atAddress(), sign(first)), true);
    for (const json of [{}, { keys: {} }, { keys: [null] }, { keys: [[]] }, [], null, 'maintenance']) {
      answer = { json };
      clock.advance(300);
      assert.equal(await passes(atAddress(), sign(first)), true, JSON.stringify(json));
    }
    assert.equal(failures.length, 7);
    const told = 'Error: The address of the keys of the application answers no key set.';
    assert.deepEqual(failures[0], [CLIENT, told]);
    answer = { json: {} };
    clock.advance(3600);
    assert.equal(await passes(atAddress(), sign(first)), false);
    answer = keysOf(first);
    clock.advance(30);
    assert.equal(await passes(atAddress(), sign(first)), true);
    answer = [];
    clock.advance(300);
    assert.equal(await passes(atAddress(), sign(first)), false, 'the application has withdrawn its key');
  });

  it('are refused that no address has ever answered', async () => {
    answer = 500;
    assert.equal(await passes(atAddress(), sign(first)), false);
    assert.equal(asked, 1);
  });
});
