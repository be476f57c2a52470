// Deliveries: each claimed event is posted to its webhook, signed by Standard Webhooks 1.0, and settled or put off.
import type { AuditTrail, ChainStore } from '../audit/index.ts';
import { type Clock, toIsoString, toNumericDate } from '../foundation/clock.ts';
import { type Attempt, createDispatcher, type Dispatcher } from '../foundation/dispatcher.ts';
import { drain, type Egress, EgressRefusal } from '../foundation/egress.ts';
import type { Random } from '../foundation/random.ts';
import { UnsealError } from '../foundation/secrets.ts';
import { TimeLimitError } from '../foundation/time-limit.ts';
import type { Database } from '../storage/database.ts';
import type { Delivery, StoredWebhook, TryResult, WebhookStore } from './store.sql.ts';
import { HEAD_EVENT, nextTry, readRetryAfter, sign } from './webhook.ts';
import type { Webhooks } from './webhooks.ts';

/** How many events a node sends to one webhook at the same time. */
// Mutation: `10` becomes `11`. A bound of load: one more at the same time.
const SLOTS = 10;

/** How many events a node sends at the same time beyond one to each webhook: a hundred in all to fifty webhooks. */
// Mutation: `50` becomes `51`. As above.
const SHARED = 50;

/** A receiver must answer within this time. */
const ANSWER_SECONDS = 15;

/** The receiver wants no more events (RFC 9110, 15.5.11). */
const GONE = 410;

/** Parts of a random number. */
// Mutation: `1000` becomes `1001`. The chance differs by a thousandth at most.
const CHANCES = 1000;

type Tried = { readonly result: TryResult; readonly isDelivered: boolean; readonly asked?: number | undefined };

export function createDeliveries(deps: {
  database: Database;
  store: WebhookStore;
  webhooks: Webhooks;
  audit: AuditTrail;
  chainStore: ChainStore;
  egress: Egress;
  clock: Clock;
  random: Random;
  /** Receives why the dispatcher itself failed. A failed try is in the list of deliveries. */
  onFailure: (error: unknown) => void;
}): Dispatcher<string> {
  const { database, store, webhooks, audit, chainStore, egress, clock, random, onFailure } = deps;

  /** Returns the body, or `undefined` if the audit entry is not kept any more. */
  async function render({ type, auditId, createdAt }: Delivery): Promise<string | undefined> {
    const at = toIsoString(createdAt);
    if (auditId === null) return JSON.stringify({ type, timestamp: at, data: {} });
    if (type === HEAD_EVENT) {
      const link = await chainStore.findLink(auditId);
      return link && JSON.stringify({ type, timestamp: at, data: { ...link, at } });
    }
    const entry = await audit.find(auditId);
    if (!entry) return undefined;
    const { userId, userName } = entry;
    const timestamp = toIsoString(entry.at);
    const account = userId === null ? null : { id: userId, userName };
    return JSON.stringify({ type, timestamp, data: { ...entry, at: timestamp, account } });
  }

  function toHeaders(webhook: StoredWebhook, id: string, body: string) {
    const timestamp = toNumericDate(clock.now());
    return {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Latchkey',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': sign(webhooks.openSecrets(webhook), { id, timestamp, body }),
    };
  }

  async function post(webhook: StoredWebhook, { eventId }: Delivery, body: string, attempt: Attempt): Promise<Tried> {
    const beganAt = clock.elapsed();
    const end = (more: Pick<TryResult, 'status' | 'error'>): TryResult => ({
      durationMs: Math.round(clock.elapsed() - beganAt),
      ...more,
    });
    try {
      const headers = toHeaders(webhook, eventId, body);
      const answer = await attempt.within(ANSWER_SECONDS, async (signal) =>
        drain(await egress.fetch(webhook.url, { method: 'POST', headers, body, signal, keepsConnection: true })),
      );
      const { status, ok: isDelivered } = answer;
      const asked = readRetryAfter(answer.headers.get('retry-after'), clock.now());
      const error = isDelivered ? null : `The receiver answered ${status}.`;
      return { result: end({ status, error }), isDelivered, asked };
    } catch (error) {
      return { result: end({ status: null, error: describe(error) }), isDelivered: false };
    }
  }

  async function settle(webhook: StoredWebhook, delivery: Delivery, { result, isDelivered, asked }: Tried) {
    const now = clock.now();
    // Mutation: `0` becomes `1`, `isDelivered ? 0 : 1` becomes `1`. Failures count only while it waits.
    const failures = delivery.failures + (isDelivered ? 0 : 1);
    // Mutation: `isDelivered ? undefined : nextTry(failures, asked, random.below(CHANCES) / CHANCES, now)` becomes `nextTry(failures, asked, random.below(CHANCES) / CHANCES, now)`. So does the time when it is due.
    const dueAt = isDelivered ? undefined : nextTry(failures, asked, random.below(CHANCES) / CHANCES, now);
    const isGone = result.status === GONE;
    const state = isDelivered ? 'sent' : dueAt === undefined || isGone ? 'failed' : 'queued';
    if (!(await store.settle(delivery, { state, failures, dueAt }, result))) return;
    await webhooks.noteOutcome(webhook, isDelivered ? 'delivered' : isGone ? 'gone' : 'failed');
  }

  async function deliver(delivery: Delivery, attempt: Attempt) {
    const webhook = await store.find(database.sql, delivery.webhookId);
    if (!webhook?.isEnabled) return;
    const body = await render(delivery);
    const missing = { status: null, durationMs: 0, error: 'The audit trail does not keep this event any more.' };
    if (body === undefined) return void (await store.settle(delivery, { ...delivery, state: 'failed' }, missing));
    const tried = await post(webhook, delivery, body, attempt);
    // A stop of this service is no failure of the receiver. Another node, or the next start, tries again at once.
    if (attempt.isAborted() && !tried.isDelivered) return store.putOff(delivery, clock.now());
    await settle(webhook, delivery, tried);
  }

  return createDispatcher<string, Delivery>({
    kind: {
      slots: SLOTS,
      shared: SHARED,
      async findDestinations(now) {
        await webhooks.measureBacklogs();
        const due: string[] = [];
        // Mutation: `await store.hasDue(id, now)` becomes `true`. It then finds none to claim.
        for (const { id } of webhooks.listEnabled()) if (await store.hasDue(id, now)) due.push(id);
        return due;
      },
      claim: store.claim,
      renew: store.putOff,
      deliver,
    },
    clock,
    onFailure,
  });
}

/** Uses only names and codes of errors: their messages may quote addresses inside the network. */
function describe(error: unknown): string {
  if (error instanceof EgressRefusal) return error.message;
  // Mutation: `!(error instanceof Error)` becomes `false`. Nothing else is thrown: only for the compiler.
  if (!(error instanceof Error)) return 'The receiver cannot be reached.';
  if (error instanceof UnsealError)
    return 'The stored secret was sealed with another LATCHKEY_SECRET: give the webhook another secret.';
  if (error.name === 'AbortError' || error instanceof TimeLimitError)
    return `The receiver did not answer within ${ANSWER_SECONDS} s.`;
  return `The receiver cannot be reached: ${'code' in error ? error.code : error.name}.`;
}
