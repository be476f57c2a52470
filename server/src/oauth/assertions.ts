// Client assertions: an application signs that it is the client, with a key that it has registered (RFC 7523, 3).
import type { JSONWebKeySet } from 'jose';
import type { Application } from '../applications/index.ts';
import type { Clock, Instant } from '../foundation/clock.ts';
import { addSeconds } from '../foundation/clock.ts';
import type { Egress } from '../foundation/egress.ts';
import { isRecord } from '../foundation/object.ts';
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

/** While the address does not answer, its last keys are used for so long, in seconds. */
const LAST_KEYS_SECONDS = 3600;

/** Keys without `kid` cannot be told apart. So many are tried. */
const MOST_TRIED = 10;

type Answered = { readonly keys: JSONWebKeySet; readonly at: Instant };
type Fetched = { readonly uri: string; readonly answer: Promise<Answered>; readonly at: Instant };

/** Whether an answer is a key set. Another answer must not replace the last keys. */
const isKeySet = (value: unknown): value is JSONWebKeySet =>
  isRecord(value) && Array.isArray(value.keys) && value.keys.every(isRecord);

export function createVerifyAssertion(deps: {
  egress: Egress;
  clock: Clock;
  /** Receives why the keys of an application could not be fetched. */
  onFailure: (clientId: string, error: unknown) => void;
}): VerifyAssertion {
  const { egress, clock, onFailure } = deps;
  const fetched = new Map<string, Fetched>();

  async function ask(uri: string): Promise<Answered> {
    const signal = AbortSignal.timeout(FETCH_MS);
    const headers = { accept: 'application/json' };
    const response = await egress.fetch(uri, { method: 'GET', headers, signal, allowsLoopback: true });
    if (!response.ok) throw new Error(`The keys of the application are answered with ${response.status}.`);
    const keys: unknown = await response.json();
    if (!isKeySet(keys)) throw new Error('The address of the keys of the application answers no key set.');
    return { keys, at: clock.now() };
  }

  /**
   * Returns the keys of an application. Its address is asked once for all who wait, and a failure counts for a while like an
   * answer: whoever sends forged assertions makes the service ask no more often.
   * @param maxAge in seconds.
   */
  async function fetchKeys({ id, clientId, jwksUri }: Application, maxAge: number): Promise<JSONWebKeySet> {
    const uri = jwksUri ?? '';
    const found = fetched.get(id);
    const known = found?.uri === uri ? found : undefined;
    if (known && clock.now() < addSeconds(known.at, maxAge)) return (await known.answer).keys;
    const answer = ask(uri).catch(async (error) => {
      onFailure(clientId, error);
      const last = await known?.answer;
      if (!last || clock.now() >= addSeconds(last.at, LAST_KEYS_SECONDS)) throw error;
      return last;
    });
    fetched.set(id, { uri, answer, at: clock.now() });
    return (await answer).keys;
  }

  return async (application, assertion) => {
    const { createLocalJWKSet, errors, jwtVerify } = await import('jose');
    const { clientId, jwks } = application;
    const options = {
      algorithms: [...ASSERTION_ALGORITHMS],
      issuer: clientId,
      subject: clientId,
      requiredClaims: ['jti', 'exp', 'aud'],
      clockTolerance: CLOCK_SKEW_SECONDS,
      currentDate: new Date(clock.now()),
    };
    const verify = async (keys: JSONWebKeySet): Promise<AssertionClaims> => {
      const { payload } = await jwtVerify(assertion, createLocalJWKSet(keys), options).catch(async (error) => {
        if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
        let [failure, tried]: [unknown, number] = [error, 0];
        for await (const key of error) {
          tried += 1;
          if (tried > MOST_TRIED) break;
          try {
            return await jwtVerify(assertion, key, options);
          } catch (refused) {
            failure = refused;
          }
        }
        throw failure;
      });
      const { jti = '', exp = 0, aud = [] } = payload;
      return { jti, exp, aud };
    };
    if (jwks !== null) return verify({ keys: jwks.keys.map((key) => ({ ...key })) });
    try {
      return await verify(await fetchKeys(application, KEYS_SECONDS));
    } catch (error) {
      // Another key, also under the former `kid`, or no answer the last time.
      const isOfKey = [errors.JWKSNoMatchingKey, errors.JWSSignatureVerificationFailed].some(
        (kind) => error instanceof kind,
      );
      if (error instanceof errors.JOSEError && !isOfKey) throw error;
      return verify(await fetchKeys(application, UNKNOWN_KEY_SECONDS));
    }
  };
}
