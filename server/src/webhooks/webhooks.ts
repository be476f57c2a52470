// Webhooks: administrators name addresses that receive events. Each event is queued in the transaction of its audit entry.
import type { AuditTrail, ChainStore } from '../audit/index.ts';
import type { Manager } from '../foundation/authority.ts';
import { addSeconds, type Clock } from '../foundation/clock.ts';
import { type Egress, EgressRefusal } from '../foundation/egress.ts';
import { invalidMember } from '../foundation/errors.ts';
import type { Action } from '../foundation/events.ts';
import type { Random } from '../foundation/random.ts';
import type { Secrets } from '../foundation/secrets.ts';
import { afterSetBack } from '../foundation/set-back.ts';
import type { Database, Tx } from '../storage/database.ts';
import { webhookActions, webhookErrors } from './declarations.ts';
import type { Delivery, NewDelivery, StoredWebhook, WebhookStore } from './store.sql.ts';
import {
  fits,
  formatSecret,
  HEAD_EVENT,
  isFull,
  isGivenUp,
  isSecret,
  longestAskedWait,
  longestWaits,
  type Outcome,
  SECRET_BYTES,
  TEST_EVENT,
  type Webhook,
  type WebhookInput,
} from './webhook.ts';

const TOPIC = 'webhooks';

/** The label of the sealed secrets. */
const SEAL = 'webhook';

const SECRET_FORM =
  'A secret of a webhook is whsec_ and the base64 of 24 to 64 random bytes, as "openssl rand -base64 32" makes them.';

/** What an administrator chooses, and the secret that signs. Without one, the service makes it. */
export type NewWebhook = WebhookInput & { readonly secret?: string | undefined };

/** Each event is written once for each webhook that receives it. */
const MOST = 50;

/** After a rotation, the former secret also signs for this long, or until the next one: the receiver changes it meanwhile. */
const FORMER_SECONDS = 86_400;

/** How often the head of the chain is told. */
const HEAD_SECONDS = 3600;

/** Deliveries of a webhook that the service keeps and shows. */
const KEPT = 100;

/** Deliveries that one statement deletes. */
// Mutation: `2000` becomes `2001`. The next clean-up deletes what this one leaves.
const REMOVAL_BATCH = 2000;

/** Each node counts what waits for webhooks so often. */
const MEASURE_MS = 10_000;

/** The service gives up an older event once its next try is overdue. One that was queued again is not. In seconds. */
const KEPT_SECONDS = 7 * 86_400;
const OVERDUE_SECONDS = 86_400;

export interface Webhooks {
  /** Reads all webhooks, now and after each change on any node. */
  load(): Promise<void>;
  /** Returns all webhooks, the oldest first. @param tx a transaction, until whose end no other one changes them. */
  list(tx?: Tx): Promise<Webhook[]>;
  /** Returns the enabled ones, as this node knows. */
  listEnabled(): readonly Webhook[];
  /**
   * Makes a webhook.
   * @returns it, and the secret that signs. The secret is shown once.
   * @throws AuthError `request.invalid`, `webhook.tooMany`.
   */
  create(input: NewWebhook, by: Manager): Promise<{ webhook: Webhook; secret: string }>;
  /** Changes a webhook. While it is disabled, it gets no new events. @throws AuthError `request.invalid`, `webhook.notFound`. */
  update(id: string, input: Partial<WebhookInput>, by: Manager): Promise<Webhook>;
  /** Deletes a webhook and its deliveries. @throws AuthError `webhook.notFound`. */
  remove(id: string, by: Manager): Promise<void>;
  /** Gives a webhook another secret: the given one, or one that the service makes. @returns it. The former one also signs for a day, or until the next rotation. @throws AuthError `webhook.notFound`. */
  rotateSecret(id: string, by: Manager, given?: string): Promise<string>;
  /** Returns a text for each that changes with its secrets and reveals nothing of them, by id. */
  readSecretMarks(tx: Tx): Promise<ReadonlyMap<string, string>>;
  /** Whether this is the present secret, as stored now. */
  hasSecret(tx: Tx, id: string, secret: string): Promise<boolean>;
  /** Queues an event by which the receiver can be tried, before those that wait. @returns the delivery's id. @throws AuthError `webhook.notFound`, `webhook.disabled`. */
  sendTest(id: string, by: Manager): Promise<string>;
  /** Returns a delivery, unless it is not kept any more. */
  findDelivery(deliveryId: string): Promise<Delivery | undefined>;
  /** Returns the newest deliveries, newest first. @throws AuthError `webhook.notFound`. */
  listDeliveries(id: string): Promise<Delivery[]>;
  /** Lets a delivery be tried again, now. @throws AuthError `webhook.deliveryNotFound`, `webhook.disabled`. */
  redeliver(deliveryId: string, by: Manager): Promise<void>;
  /** Returns the secrets that sign for a webhook at this moment. */
  openSecrets(webhook: StoredWebhook): readonly string[];
  /**
   * Notes since when every try fails. Disables a webhook whose receiver is gone, or has failed for five days and at several tries
   * of an event that waits.
   * @param webhook as it was stored before the try.
   */
  noteOutcome(webhook: Webhook, outcome: Outcome): Promise<void>;
  /** Job: tells the head of the chain over the trail, once an hour whichever node runs it. */
  tellHead(): Promise<void>;
  /**
   * Counts the events that wait for each webhook, unless it has done so in the last ten seconds. A webhook for which too many
   * wait gets no new ones until fewer do.
   */
  measureBacklogs(): Promise<void>;
  /** Returns how many events wait for webhooks by their state, as this node has counted them last. */
  backlog(): Readonly<Record<'enabled' | 'failing' | 'disabled', number>>;
  /** Job: makes deliveries due that were put off by a clock that was ahead: at once on the node of that clock, or within an hour. */
  correctDueTimes(): Promise<void>;
  /** Cleanup job: deletes old settled deliveries, queued ones of more than a week that are overdue, and those of deleted webhooks. */
  deleteExpired(): Promise<void>;
}

export function createWebhooks(deps: {
  database: Database;
  store: WebhookStore;
  audit: AuditTrail;
  chainStore: ChainStore;
  egress: Egress;
  /** All actions of the audit trail. */
  actions: readonly Action[];
  secrets: Secrets;
  clock: Clock;
  random: Random;
}): Webhooks {
  const { database, store, audit, chainStore, egress, actions, secrets, clock, random } = deps;
  let all: readonly StoredWebhook[] = [];
  /** The webhooks whose tries fail, as this node knows. */
  let failing = new Set<string>();
  const disabling = new Set<string>();
  /** How many events wait for a webhook, as this node has counted last. */
  const queued = new Map<string, number>();
  let measuredAt: number | undefined;

  const events = [...actions.map(({ name }) => name), HEAD_EVENT];

  const listEnabled = () => all.filter(({ isEnabled }) => isEnabled);

  audit.subscribe(async (tx, entries) => {
    const enabled = listEnabled();
    const createdAt = clock.now();
    const deliveries = entries.flatMap(({ id: auditId, action }) => {
      const event = { eventId: random.uuid(), type: action, auditId, createdAt };
      const receiving = enabled.filter(
        ({ actions: patterns, fullSince }) => fullSince === null && fits(patterns, action),
      );
      return receiving.map(({ id }): NewDelivery => ({ id: random.uuid(), webhookId: id, ...event }));
    });
    await store.queue(tx.sql, deliveries);
  });

  /** @throws AuthError `request.invalid`. */
  function checkUrl(url: string) {
    try {
      egress.check(url);
    } catch (error) {
      // Mutation: `error instanceof EgressRefusal` becomes `true`. The guard throws nothing else.
      if (error instanceof EgressRefusal) throw invalidMember('url', error.message);
      // Mutation: `throw error;` becomes `;`. As above.
      throw error;
    }
  }

  /** @throws AuthError `request.invalid`. */
  function checkActions(patterns: readonly string[]) {
    const unknown = patterns.find((pattern) => !events.some((name) => fits([pattern], name)));
    if (unknown === undefined) return;
    const message = `No event is named "${unknown}". Name events as the audit trail does, such as signIn.password, or signIn.* for all of a group.`;
    throw invalidMember('actions', message);
  }

  /** @throws AuthError `webhook.notFound`. */
  async function requireWebhook(tx: Tx, id: string): Promise<StoredWebhook> {
    const webhook = await store.findForUpdate(tx.sql, id);
    if (!webhook) throw webhookErrors.notFound();
    return webhook;
  }

  async function record(
    tx: Tx,
    action: Action,
    { id, url }: Webhook,
    by?: Manager,
    more: Record<string, unknown> = {},
  ) {
    const details = { webhook: id, host: new URL(url).host, ...more };
    await audit.record(tx, {
      action,
      outcome: 'success',
      ...(by && { user: by.actor, origin: by.origin }),
      details,
    });
  }

  /** Runs a change of a webhook by an administrator, who is authorized first. */
  const change = <Result>(by: Manager, work: (tx: Tx) => Promise<Result>): Promise<Result> =>
    database.transaction(async (tx) => {
      await by.authorize(tx);
      await tx.announce(TOPIC);
      return work(tx);
    }, by);

  /** Disables a webhook, unless it has changed since the try, or another node has reached its receiver. */
  async function disable({ id, url }: Webhook, because: NonNullable<Webhook['disabledBecause']>) {
    // Of many deliveries that fail together, one is enough.
    // Mutation: `disabling.has(id)` becomes `false`. Another transaction finds nothing to do.
    if (disabling.has(id)) return;
    // Mutation: `disabling.add(id);` becomes `;`. As above.
    disabling.add(id);
    const done = database.transaction(async (tx) => {
      await tx.announce(TOPIC);
      const webhook = await store.findForUpdate(tx.sql, id);
      if (!webhook?.isEnabled || webhook.url !== url) return;
      const { failingSince } = webhook;
      if (because === 'failing') {
        const now = clock.now();
        if (failingSince === null || !isGivenUp(failingSince, now)) return;
        const isReached = await store.hasDelivered(tx.sql, id, failingSince);
        if (isReached) return store.replace(tx.sql, { ...webhook, failingSince: null });
        // The first failure after a time without tries begins the five days anew.
        if (!(await store.hasRetried(tx.sql, id))) return store.replace(tx.sql, { ...webhook, failingSince: now });
      }
      await store.replace(tx.sql, { ...webhook, isEnabled: false, disabledBecause: because });
      await record(tx, webhookActions.disabled, webhook, undefined, { cause: because });
    });
    await done.finally(() => disabling.delete(id));
  }

  async function measureBacklogs() {
    const now = clock.elapsed();
    if (measuredAt !== undefined && now < measuredAt + MEASURE_MS) return;
    measuredAt = now;
    for (const webhook of all) {
      const count = await store.countQueued(webhook.id);
      queued.set(webhook.id, count);
      const wasFull = webhook.fullSince !== null;
      if (isFull(count, wasFull) !== wasFull) await setFull(webhook.id, !wasFull);
    }
  }

  /** Notes whether a webhook is full, unless another node has done so. */
  const setFull = (id: string, isNowFull: boolean) =>
    database.transaction(async (tx) => {
      await tx.announce(TOPIC);
      const webhook = await store.findForUpdate(tx.sql, id);
      if (!webhook || (webhook.fullSince !== null) === isNowFull) return;
      await store.replace(tx.sql, { ...webhook, fullSince: isNowFull ? clock.now() : null });
      if (isNowFull) await record(tx, webhookActions.full, webhook);
    });

  /** Returns a secret, the given one or a new one. @throws AuthError `request.invalid`. */
  function newSecret(given?: string) {
    if (given !== undefined && !isSecret(given)) throw invalidMember('secret', SECRET_FORM);
    const secret = given ?? formatSecret(random.bytes(SECRET_BYTES));
    return { secret, sealedSecret: secrets.seal(SEAL, secret) };
  }

  return {
    load: () =>
      database.watch(TOPIC, async () => {
        all = await store.readAll();
        failing = new Set(all.filter(({ failingSince }) => failingSince !== null).map(({ id }) => id));
      }),
    async list(tx) {
      await tx?.announce(TOPIC);
      return store.readAll(tx?.sql);
    },
    listEnabled,

    async create({ secret: given, ...input }, by) {
      checkUrl(input.url);
      checkActions(input.actions);
      const { secret, sealedSecret } = newSecret(given);
      const created = {
        ...input,
        description: input.description ?? '',
        isEnabled: input.isEnabled ?? true,
        id: random.uuid(),
        disabledBecause: null,
        failingSince: null,
        fullSince: null,
        createdAt: clock.now(),
      };
      const webhook: StoredWebhook = { ...created, sealedSecret, sealedFormerSecret: null, formerUntil: null };
      await change(by, async (tx) => {
        if ((await store.countIn(tx.sql)) >= MOST) throw webhookErrors.tooMany();
        await store.add(tx.sql, webhook);
        await record(tx, webhookActions.created, webhook, by, { events: input.actions.join(' ') });
      });
      return { webhook, secret };
    },

    update: (id, input, by) =>
      change(by, async (tx) => {
        const known = await requireWebhook(tx, id);
        const chosen = { ...known, ...input };
        const { isEnabled, url } = chosen;
        // An address that was allowed once, or an event of another version, must not keep a webhook from being disabled.
        if (isEnabled || url !== known.url) checkUrl(url);
        checkActions(chosen.actions.filter((pattern) => !known.actions.includes(pattern)));
        const beginsAnew = url !== known.url || (isEnabled && !known.isEnabled);
        const webhook = {
          ...chosen,
          disabledBecause: isEnabled ? null : known.disabledBecause,
          failingSince: beginsAnew ? null : known.failingSince,
        };
        await store.replace(tx.sql, webhook);
        await record(tx, webhookActions.updated, webhook, by, { events: chosen.actions.join(' '), isEnabled });
        return webhook;
      }),

    remove: (id, by) =>
      change(by, async (tx) => {
        const removed = await store.remove(tx.sql, id);
        if (!removed) throw webhookErrors.notFound();
        await record(tx, webhookActions.deleted, removed, by);
      }),

    rotateSecret: (id, by, given) =>
      change(by, async (tx) => {
        const known = await requireWebhook(tx, id);
        const { secret, sealedSecret } = newSecret(given);
        const formerUntil = addSeconds(clock.now(), FORMER_SECONDS);
        await store.replace(tx.sql, { ...known, sealedSecret, sealedFormerSecret: known.sealedSecret, formerUntil });
        await record(tx, webhookActions.secretRotated, known, by);
        return secret;
      }),

    readSecretMarks: async (tx) =>
      new Map((await store.readAll(tx.sql)).map(({ id, sealedSecret }) => [id, sealedSecret])),

    async hasSecret(tx, id, secret) {
      const webhook = await store.find(tx.sql, id);
      return webhook !== undefined && secrets.opensTo(SEAL, webhook.sealedSecret, secret);
    },

    sendTest: (id, by) =>
      change(by, async (tx) => {
        const webhook = await requireWebhook(tx, id);
        if (!webhook.isEnabled) throw webhookErrors.disabled();
        const event = { eventId: random.uuid(), type: TEST_EVENT, auditId: null, createdAt: clock.now() };
        const delivery = { id: random.uuid(), webhookId: id, ...event };
        await store.queue(tx.sql, [delivery]);
        await record(tx, webhookActions.tested, webhook, by);
        return delivery.id;
      }),

    findDelivery: store.findDelivery,

    async listDeliveries(id) {
      if (!(await store.find(database.sql, id))) throw webhookErrors.notFound();
      return store.listDeliveries(id, KEPT);
    },

    redeliver: (deliveryId, by) =>
      change(by, async (tx) => {
        const delivery = await store.queueAgain(tx.sql, deliveryId, clock.now());
        if (!delivery) throw webhookErrors.deliveryNotFound();
        const webhook = await requireWebhook(tx, delivery.webhookId);
        if (!webhook.isEnabled) throw webhookErrors.disabled();
        await record(tx, webhookActions.redelivered, webhook, by, { type: delivery.type });
      }),

    openSecrets({ sealedSecret, sealedFormerSecret, formerUntil }) {
      const isFormerInUse = sealedFormerSecret !== null && formerUntil !== null && clock.now() < formerUntil;
      // One that was sealed with a lost LATCHKEY_SECRET must not keep the new one from signing.
      const former = isFormerInUse ? secrets.tryUnseal(SEAL, sealedFormerSecret) : undefined;
      const present = secrets.unseal(SEAL, sealedSecret);
      return former === undefined ? [present] : [present, former];
    },

    async noteOutcome(webhook, outcome) {
      const { id, failingSince } = webhook;
      if (outcome === 'delivered') {
        if (failing.delete(id) || failingSince !== null) await store.setFailing(id, null);
        return;
      }
      if (outcome === 'gone') return disable(webhook, 'gone');
      failing.add(id);
      if (failingSince === null) await store.setFailing(id, clock.now());
      // Mutation: `isGivenUp(failingSince, clock.now())` becomes `true`. The transaction asks again.
      else if (isGivenUp(failingSince, clock.now())) await disable(webhook, 'failing');
    },

    async tellHead() {
      const receiving = listEnabled().filter((webhook) => fits(webhook.actions, HEAD_EVENT));
      if (receiving.length === 0) return;
      const createdAt = clock.now();
      await database.transaction(async (tx) => {
        const auditId = await chainStore.takeHead(tx.sql, createdAt, addSeconds(createdAt, -HEAD_SECONDS));
        if (auditId === undefined) return;
        const event = { eventId: random.uuid(), type: HEAD_EVENT, auditId, createdAt };
        await store.queue(
          tx.sql,
          receiving.map(({ id }) => ({ id: random.uuid(), webhookId: id, ...event })),
        );
      });
    },

    measureBacklogs,

    backlog() {
      const sums = { enabled: 0, failing: 0, disabled: 0 };
      for (const { id, isEnabled } of all)
        sums[isEnabled ? (failing.has(id) ? 'failing' : 'enabled') : 'disabled'] += queued.get(id) ?? 0;
      return sums;
    },

    correctDueTimes: afterSetBack(clock, async (now) => {
      for (const { id } of listEnabled()) {
        await store.correctDueTimes(id, { waits: longestWaits, asked: longestAskedWait }, now);
      }
    }),

    async deleteExpired() {
      const now = clock.now();
      const [before, dueBefore] = [addSeconds(now, -KEPT_SECONDS), addSeconds(now, -OVERDUE_SECONDS)];
      let id = await store.findNextWithDeliveries('');
      for (; id !== undefined; id = await store.findNextWithDeliveries(id)) {
        if (await store.find(database.sql, id)) {
          await store.deleteSettled(id, KEPT, REMOVAL_BATCH);
          await store.deleteOld(id, before, dueBefore, REMOVAL_BATCH);
        } else await store.deleteDeliveries(id, REMOVAL_BATCH);
      }
    },
  };
}
