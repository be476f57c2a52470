// Logout tokens: each claimed sign-out is posted to its application, and settled or put off.
import type { Application, Applications } from '../applications/index.ts';
import { type Clock, toNumericDate } from '../foundation/clock.ts';
import { type Attempt, createDispatcher, type Dispatcher } from '../foundation/dispatcher.ts';
import { type Egress, EgressRefusal } from '../foundation/egress.ts';
import type { Random } from '../foundation/random.ts';
import type { IdTokens } from '../tokens/index.ts';
import { nextTry, readAnswer, type SignOut } from './sign-out.ts';
import type { SignOutStore } from './store.sql.ts';

/** How many logout tokens a node sends to one application at the same time. */
const SLOTS = 5;

/** How many it sends beyond one to each application. */
const SHARED = 25;

/** An application must answer within this time. */
const ANSWER_SECONDS = 15;

/** A logout token is valid for so long, in seconds (Back-Channel Logout, 4). */
const TOKEN_SECONDS = 120;

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/** Parts of a random number. */
const CHANCES = 1000;

export function createSignOutDeliveries(deps: {
  store: SignOutStore;
  applications: Applications;
  idTokens: IdTokens;
  egress: Egress;
  clock: Clock;
  random: Random;
  /** Receives why the dispatcher itself failed. */
  onFailure: (error: unknown) => void;
  /** Receives that an application cannot be told, because of its address. */
  onRefusal: (clientId: string, refusal: EgressRefusal) => void;
}): Dispatcher<string> {
  const { store, applications, idTokens, egress, clock, random, onFailure, onRefusal } = deps;

  /** Makes a logout token. Receivers refuse a `jti` that they know, so each try has another one. */
  function makeToken({ accountId, grantId }: SignOut, { clientId, idTokenAlgorithm }: Application): Promise<string> {
    const iat = toNumericDate(clock.now());
    const about = { sub: String(accountId), sid: grantId, events: { [EVENT]: {} } };
    const claims = { aud: clientId, iat, exp: iat + TOKEN_SECONDS, jti: random.uuid(), ...about };
    return idTokens.sign({ typ: 'logout+jwt', claims, algorithm: idTokenAlgorithm });
  }

  /** @returns what the application answers; `undefined` if it is to be tried again. */
  async function post(
    { clientId }: Application,
    uri: string,
    token: string,
    attempt: Attempt,
  ): Promise<'confirmed' | 'refused' | undefined> {
    try {
      const headers = { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'Latchkey' };
      const body = new URLSearchParams({ logout_token: token }).toString();
      const answer = await attempt.within(ANSWER_SECONDS, (signal) =>
        egress.fetch(uri, { method: 'POST', headers, body, signal, allowsLoopback: true }),
      );
      await answer.body?.cancel().catch(() => {});
      return readAnswer(answer.status);
    } catch (error) {
      if (error instanceof EgressRefusal) onRefusal(clientId, error);
      return undefined;
    }
  }

  async function deliver(signOut: SignOut, attempt: Attempt): Promise<void> {
    const application = applications.findById(signOut.applicationId);
    const uri = application?.backchannelLogoutUri;
    if (!application || !uri) return store.settle(signOut, { state: 'unreachable' });
    const token = await makeToken(signOut, application);
    const answer = await post(application, uri, token, attempt);
    const now = clock.now();
    // A stop of this service is no failure of the application.
    if (answer === undefined && attempt.isAborted()) return store.putOff(signOut, now);
    if (answer !== undefined) return store.settle(signOut, { state: answer, settledAt: now });
    const failures = signOut.failures + 1;
    const dueAt = nextTry(failures, random.below(CHANCES) / CHANCES, now);
    return store.settle(signOut, dueAt ? { failures, dueAt } : { failures, state: 'failed', settledAt: now });
  }

  return createDispatcher<string, SignOut>({
    kind: {
      slots: SLOTS,
      shared: SHARED,
      findDestinations: async (now) => (applications.isUsed() ? store.listDue(now) : []),
      claim: store.claim,
      renew: store.putOff,
      deliver,
    },
    clock,
    onFailure,
  });
}
