// The verifier: accepts a token if the service signed it, it has not expired, and the feed has not revoked it.
import { type FeedDeps, followFeed } from './feed.ts';
import { createFreshness } from './freshness.ts';
import { TokenRejected, type Verifier, type VerifierOptions } from './interface.ts';
import { createKeySet } from './key-set.ts';
import { createRevocations } from './revocations.ts';
import { createService, ServiceFailure } from './service.ts';
import { createSignatures, type Signed } from './signatures.ts';
import { machine, type System } from './system.ts';

const DEFAULT_STALE_SECONDS = 5;

/** Between two signs of life two seconds pass, and a third is left for their way. */
const MIN_STALE_SECONDS = 3;
const MAX_STALE_SECONDS = 3600;

/** The service must say within this time whether a token is active, in milliseconds. */
const INTROSPECTION_MS = 2000;

/** Tokens in each of the two generations of the cache of verified signatures, of about 2 kB each. */
const CACHED_SIGNATURES = 5000;

/** What the verifier knows, for measurements. */
export interface ObservedVerifier extends Verifier {
  /** The number of sessions with revoked tokens, and the memory for them in bytes. */
  readonly sessions: { readonly size: number; readonly bytes: number };
}

/**
 * Returns a verifier, which begins to follow the service at once.
 * @param parts of the machine, and the size of the cache of signatures; 0 switches it off.
 * @throws TypeError if an option is wrong.
 */
export function createObservedVerifier(
  options: VerifierOptions,
  { system = machine, cached = CACHED_SIGNATURES }: { system?: System; cached?: number } = {},
): ObservedVerifier {
  const { issuer, audience, serviceKey, maxStaleSeconds = DEFAULT_STALE_SECONDS, whenStale = 'refuse' } = options;
  const { serviceUrl = issuer, onError = () => {} } = options;
  checkOptions({ issuer, audience, serviceKey, maxStaleSeconds, whenStale, serviceUrl });

  const service = createService(system, serviceUrl, serviceKey);
  const keys = createKeySet(service, system);
  const revocations = createRevocations(
    () => system.elapsed() / 1000,
    () => void keys.load().catch(report),
  );
  const freshness = createFreshness(system);
  const signatures = createSignatures({ issuer, audience, keys, isKeyRevoked: revocations.isKeyRevoked, cached });
  const isStale = () => service.closing.aborted || freshness.age() > maxStaleSeconds * 1000;

  let waiting: { resolve: () => void; reject: (error: unknown) => void }[] = [];
  let reported: 'outage' | 'refusal' | undefined;

  /** Tells those who wait that the verifier is ready. */
  function settle() {
    if (isStale()) return;
    for (const { resolve } of waiting) resolve();
    waiting = [];
  }

  function fail(error: unknown) {
    for (const { reject } of waiting) reject(error);
    waiting = [];
  }

  function tell(error: Error) {
    try {
      onError(error);
    } catch {
      // A logger that fails must not end the feed.
    }
  }

  function report(error: unknown) {
    const kind = error instanceof ServiceFailure && error.isRefusal ? 'refusal' : 'outage';
    // A withdrawn key first ends the stream. Only the next call shows that the service refuses it.
    const isNew = reported === undefined || (kind === 'refusal' && reported === 'outage');
    if (kind === 'refusal' && waiting.length > 0) fail(error);
    else if (isNew) tell(error instanceof Error ? error : new Error(String(error)));
    if (isNew) reported = kind;
  }

  const feed: FeedDeps = {
    service,
    system,
    freshness,
    prepare: keys.load,
    onItem: revocations.add,
    onCurrent() {
      reported = undefined;
      revocations.sweep();
      settle();
    },
    onFailure: report,
  };
  void followFeed(feed);

  /** Asks the service whether the token is active (RFC 7662). */
  async function introspect(token: string): Promise<void> {
    const headers = { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' };
    const init = { method: 'POST', headers, body: String(new URLSearchParams({ token })) };
    const answer = await service.readJson('/oauth/introspect', init, INTROSPECTION_MS).catch(() => undefined);
    const isActive = typeof answer === 'object' && answer !== null && 'active' in answer ? answer.active : undefined;
    if (isActive === true) return;
    throw isActive === false ? revoked() : stale();
  }

  /** Rejects what the verifier knows to be dead, without waiting. */
  function judge({ claims, kid }: Signed) {
    if (revocations.isKeyRevoked(kid) || revocations.isRevoked(claims)) throw revoked();
    const now = freshness.now();
    if (now === undefined) return;
    const { nbf, exp } = claims;
    if (now >= exp * 1000) throw new TokenRejected('expired', 'The token has expired.');
    if (now < nbf * 1000) throw new TokenRejected('invalid', 'The token is not valid yet.');
  }

  return {
    ready() {
      if (service.closing.aborted) return Promise.reject(service.closing.reason);
      const isReady = new Promise<void>((resolve, reject) => waiting.push({ resolve, reject }));
      settle();
      return isReady;
    },
    get isStale() {
      return isStale();
    },
    async verify(token) {
      const signed = await signatures.verify(token);
      judge(signed);
      if (!isStale()) return signed.claims;
      if (whenStale === 'refuse' || service.closing.aborted) throw stale();
      await introspect(token);
      judge(signed);
      return signed.claims;
    },
    close() {
      service.close();
      fail(service.closing.reason);
    },
    sessions: revocations.sessions,
  };
}

const revoked = () => new TokenRejected('revoked', 'The token is revoked.');
const stale = () => new TokenRejected('stale', 'The service does not say whether the token is revoked. Retry later.');

function checkOptions({ issuer, audience, serviceKey, maxStaleSeconds, whenStale, serviceUrl }: VerifierOptions) {
  for (const [name, url] of Object.entries({ issuer, serviceUrl })) {
    if (!/^https?:$/.test(URL.canParse(String(url)) ? new URL(String(url)).protocol : '')) {
      throw new TypeError(`${name} must be an address that begins with https:// or http://.`);
    }
  }
  for (const [name, text] of Object.entries({ audience, serviceKey })) {
    if (typeof text !== 'string' || text === '') throw new TypeError(`${name} must be a text that is not empty.`);
  }
  const seconds = Number(maxStaleSeconds);
  if (!(seconds >= MIN_STALE_SECONDS && seconds <= MAX_STALE_SECONDS)) {
    throw new TypeError(`maxStaleSeconds must be a number from ${MIN_STALE_SECONDS} to ${MAX_STALE_SECONDS}.`);
  }
  if (whenStale !== 'refuse' && whenStale !== 'introspect') {
    throw new TypeError('whenStale must be "refuse" or "introspect".');
  }
}
