// Client assertions: an application signs that it is the client, with a key that it has registered (RFC 7523, 3).
import type { JSONWebKeySet } from 'jose';
import type { Application } from '../applications/index.ts';
import type { Clock, Instant } from '../foundation/clock.ts';
import { addSeconds } from '../foundation/clock.ts';
import type { Egress } from '../foundation/egress.ts';
import type { AssertionClaims, VerifyAssertion } from './client-authentication.ts';

/** The algorithms that an application may sign with (RFC 7518, 3.1). */
export const ASSERTION_ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
];

const CLOCK_SKEW_SECONDS = 30;

/** The service asks for an application's keys again after this long, in seconds, and earlier for a key that it does not know. */
const KEYS_SECONDS = 300;
const UNKNOWN_KEY_SECONDS = 30;
const FETCH_MS = 5000;

type Fetched = { readonly uri: string; readonly keys: Promise<JSONWebKeySet>; readonly at: Instant };

export function createVerifyAssertion({ egress, clock }: { egress: Egress; clock: Clock }): VerifyAssertion {
  const fetched = new Map<string, Fetched>();

  async function ask(uri: string): Promise<JSONWebKeySet> {
    const signal = AbortSignal.timeout(FETCH_MS);
    const headers = { accept: 'application/json' };
    const response = await egress.fetch(uri, { method: 'GET', headers, signal, allowsLoopback: true });
    if (!response.ok) throw new Error(`The keys of the application are answered with ${response.status}.`);
    // `createLocalJWKSet` refuses what is no key set.
    return (await response.json()) as JSONWebKeySet;
  }

  /**
   * Returns the keys of an application. Its address is asked once for all who wait, and a failure counts for a while like an
   * answer: whoever sends forged assertions makes the service ask no more often.
   * @param maxAge in seconds.
   */
  function fetchKeys({ id, jwksUri }: Application, maxAge: number): Promise<JSONWebKeySet> {
    const uri = jwksUri ?? '';
    const known = fetched.get(id);
    if (known?.uri === uri && clock.now() < addSeconds(known.at, maxAge)) return known.keys;
    const keys = ask(uri);
    keys.catch(() => {});
    fetched.set(id, { uri, keys, at: clock.now() });
    return keys;
  }

  return async (application, assertion) => {
    const { createLocalJWKSet, errors, jwtVerify } = await import('jose');
    const { clientId, jwks } = application;
    const verify = async (keys: JSONWebKeySet): Promise<AssertionClaims> => {
      const { payload } = await jwtVerify(assertion, createLocalJWKSet(keys), {
        algorithms: [...ASSERTION_ALGORITHMS],
        issuer: clientId,
        subject: clientId,
        requiredClaims: ['jti', 'exp', 'aud'],
        clockTolerance: CLOCK_SKEW_SECONDS,
        currentDate: new Date(clock.now()),
      });
      const { jti = '', exp = 0, aud = [] } = payload;
      return { jti, exp, aud };
    };
    if (jwks !== null) return verify({ keys: jwks.keys.map((key) => ({ ...key })) });
    try {
      return await verify(await fetchKeys(application, KEYS_SECONDS));
    } catch (error) {
      // Another key, or no answer the last time.
      if (error instanceof errors.JOSEError && !(error instanceof errors.JWKSNoMatchingKey)) throw error;
      return verify(await fetchKeys(application, UNKNOWN_KEY_SECONDS));
    }
  };
}
