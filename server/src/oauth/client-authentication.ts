// Client authentication: an application proves that it is the registered one (RFC 6749, 2.3; RFC 7523).
import type { Application, Applications } from '../applications/index.ts';
import type { Clock } from '../foundation/clock.ts';
import { addSeconds, toInstant } from '../foundation/clock.ts';
import { UniqueViolation } from '../foundation/errors.ts';
import type { Secrets } from '../foundation/secrets.ts';
import type { RateLimits } from '../rate-limits/index.ts';
import { OAuthError } from './oauth-error.ts';
import type { Parameters } from './parameters.ts';
import type { AssertionStore } from './store.sql.ts';

const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** An assertion may be valid for this long, in seconds: it is kept until then, so that it is used once. */
const MAX_ASSERTION_SECONDS = 3600;
const CLOCK_SKEW_SECONDS = 30;

/** The claims of a client assertion whose signature was verified. */
export type AssertionClaims = { readonly jti: string; readonly exp: number; readonly aud: string | readonly string[] };

/** Verifies the signature of an assertion, its issuer and subject, with the application's keys. @throws if it is not valid. */
export type VerifyAssertion = (application: Application, assertion: string) => Promise<AssertionClaims>;

/** What a request presents: one way to authenticate. */
export type Presented =
  | { readonly way: 'secret'; readonly clientId: string; readonly secret: string }
  | { readonly way: 'assertion'; readonly clientId: string; readonly assertion: string }
  | { readonly way: 'none'; readonly clientId: string };

const failed = (retryAfterSeconds?: number) =>
  new OAuthError('invalid_client', 'The client is unknown, or it did not prove who it is.', retryAfterSeconds);

export interface ClientAuthentication {
  /**
   * Returns the application that sends a request.
   * @param from what the caller's budgets are counted by.
   * @throws OAuthError `invalid_client`, with a time to wait when too many have failed from there.
   */
  authenticate(presented: Presented, from: string): Promise<Application>;
}

export function createClientAuthentication(deps: {
  applications: Applications;
  store: AssertionStore;
  verifyAssertion: VerifyAssertion;
  /** The audiences that an assertion may name: the issuer and the endpoints. */
  audiences: readonly string[];
  rateLimits: RateLimits;
  secrets: Secrets;
  clock: Clock;
}): ClientAuthentication {
  const { applications, store, verifyAssertion, audiences, rateLimits, secrets, clock } = deps;

  async function hasProven(application: Application, presented: Presented): Promise<boolean> {
    const { authentication } = application;
    if (presented.way === 'none') return authentication === 'none';
    if (presented.way === 'secret') {
      return authentication === 'secret' && applications.verifySecret(application, presented.secret);
    }
    return authentication === 'private_key_jwt' && useAssertion(application, presented.assertion);
  }

  /** Accepts an assertion once. */
  async function useAssertion(application: Application, assertion: string): Promise<boolean> {
    let claims: AssertionClaims;
    try {
      claims = await verifyAssertion(application, assertion);
    } catch {
      return false;
    }
    // A time may have fractions of a second (RFC 7519, 2), of which PostgreSQL stores whole milliseconds.
    const expiresAt = toInstant(Math.floor(claims.exp * 1000));
    const latest = addSeconds(clock.now(), MAX_ASSERTION_SECONDS + CLOCK_SKEW_SECONDS);
    const isForUs = [claims.aud].flat().some((audience) => audiences.includes(audience));
    if (!isForUs || expiresAt <= clock.now() || expiresAt > latest) return false;
    try {
      const mac = secrets.mac('client-assertion', `${application.id} ${claims.jti}`);
      await store.use(mac, addSeconds(expiresAt, CLOCK_SKEW_SECONDS));
      return true;
    } catch (error) {
      if (error instanceof UniqueViolation) return false;
      throw error;
    }
  }

  return {
    async authenticate(presented, from) {
      const application = applications.find(presented.clientId);
      // Failures of unknown clients share a budget: their names are made up.
      const subject = `${application?.id ?? 'unknown'} ${from}`;
      const refusal = rateLimits.findRefusal('client', subject);
      if (refusal) throw failed(refusal.retryAfterSeconds);
      if (application?.isEnabled && (await hasProven(application, presented))) return application;
      const { allowed, retryAfterSeconds } = await rateLimits.countFailure('client', subject);
      throw allowed ? failed() : failed(retryAfterSeconds);
    },
  };
}

/** Returns what a request presents. @throws OAuthError `invalid_client` for none, `invalid_request` for two. */
export function readPresented(authorization: string | undefined, parameters: Parameters): Presented {
  const basic = readBasic(authorization);
  const clientId = parameters.get('client_id');
  const secret = parameters.get('client_secret');
  const assertion = parameters.get('client_assertion');
  if ([basic, secret, assertion].filter((one) => one !== undefined).length > 1) {
    throw new OAuthError('invalid_request', 'Authenticate in one way: Basic, client_secret or client_assertion.');
  }
  if (basic) {
    if (clientId !== undefined && clientId !== basic.clientId) throw failed();
    // Some clients send Basic without a secret before they know that the application has none.
    return basic.secret === '' ? { way: 'none', clientId: basic.clientId } : { way: 'secret', ...basic };
  }
  if (assertion !== undefined) {
    if (parameters.get('client_assertion_type') !== ASSERTION_TYPE) throw failed();
    const subject = readSubject(assertion);
    if (subject === undefined || (clientId !== undefined && clientId !== subject)) throw failed();
    return { way: 'assertion', clientId: subject, assertion };
  }
  if (clientId === undefined) throw failed();
  return secret === undefined ? { way: 'none', clientId } : { way: 'secret', clientId, secret };
}

/** Reads HTTP Basic as RFC 6749 (2.3.1) means it: both parts are encoded like a form. */
function readBasic(authorization = ''): { clientId: string; secret: string } | undefined {
  const [, encoded] = /^basic +([\w+/-]+=*) *$/i.exec(authorization) ?? [];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 0) throw failed();
  return { clientId: decode(text.slice(0, colon)), secret: decode(text.slice(colon + 1)) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** Returns the subject that an assertion names. Nothing of it is verified. */
function readSubject(assertion: string): string | undefined {
  try {
    const { sub } = JSON.parse(Buffer.from(assertion.split('.')[1] ?? '', 'base64url').toString('utf8'));
    return typeof sub === 'string' ? sub : undefined;
  } catch {
    return undefined;
  }
}
