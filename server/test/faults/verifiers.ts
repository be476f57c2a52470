// Verifiers under faults: they follow a world's service through a proxy, and judge the tokens of people who come and go.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { createVerifier } from 'latchkey-sdk/verify';
import { often } from '../support/scale.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { startVerifierProcess, type VerifierProcess, verdictOf } from '../support/verifier.ts';
import { findViolations } from './checks.ts';
import { createLedger } from './ledger.ts';
import type { Held, Person } from './person.ts';
import { report } from './report.ts';
import { takeSession } from './single-use.ts';
import { type Fault, findVerifierViolations, longestAfterlife } from './verifier-checks.ts';
import { type World, waitFor } from './world.ts';

/** The bound of the verifiers. Without a choice it is five seconds. */
const BOUND_SECONDS = often(3, 5);

/** A verifier of the default bound may refuse live tokens for this long after a fault. */
const RECOVERY_MS = 5000;

/** Longer than the bound. */
export const LONG_MS = BOUND_SECONDS * 1000 + 700;

const HANGING_MS = 60_000;

/** What the process says of a revoked token. */
const REVOKED = /"The token is revoked\."/;

/** Between two rounds of questions to a verifier, and between two calls of a person. */
const PAUSE_MS = 60;

const REFRESHES = 4;

/** The tokens of the last seconds, and how many of them and of all others each round asks about. */
const RECENT = 300;
const ASKED = 4;

/** The newest tokens that are asked about at the end, and how many of them at once. */
const CONCLUDED = 2000;
const BATCH = 20;

export interface Verifiers {
  /** Between the service and its verifiers. */
  readonly proxy: TcpProxy;
  /** The process of `latchkey verifier`. */
  sidecar(): VerifierProcess;
  /** Starts it again after it was killed. */
  startSidecar(): Promise<void>;
  /** Breaks something and repairs it, while people work and verifiers are asked. */
  during(fault: () => Promise<void>): Promise<void>;
  /** Resolves when people work again and every verifier accepts a live token. */
  settle(): Promise<void>;
  /** Records that all tokens so far have ended, or may have ended. @param how does it, and returns whether it is certain. */
  endAll(call: string, how: () => Promise<boolean>): Promise<void>;
  /** Stops the people's work until `during` or `settle` is called. */
  rest(): Promise<void>;
  /**
   * Waits until the bound has passed, asks every verifier about every token, and reports what happened since the last call.
   * @returns how often a verifier could not judge a token.
   */
  conclude(fault: string, injections: number): Promise<number>;
  close(): Promise<void>;
}

type Judge = (token: string) => Promise<{ status: number; reason?: string | undefined; text: string }>;

/** Starts `latchkey verifier` and two verifiers in this process. @param people the first stays signed in, the others come and go. */
export async function startVerifiers(
  world: World,
  people: readonly Person[],
  sidecarEnv: Record<string, string> = {},
): Promise<Verifiers> {
  const [resident, ...visitors] = people as [Person, ...Person[]];
  const proxy = await startTcpProxy(world.process().port);
  const permissions = ['revocations', 'introspect'];
  const { key } = await world.admin('POST', '/api/services/app/ServiceKey/Create', { name: 'shop', permissions });
  const [issuer, serviceUrl] = ['https://id.example.org', `http://127.0.0.1:${proxy.port}`];
  const options = { issuer, serviceUrl, audience: 'latchkey', serviceKey: key, maxStaleSeconds: BOUND_SECONDS };
  const startSidecar = () =>
    startVerifierProcess({
      LATCHKEY_ISSUER: issuer,
      LATCHKEY_SERVICE_URL: serviceUrl,
      LATCHKEY_SERVICE_KEY: key,
      LATCHKEY_MAX_STALE_SECONDS: String(BOUND_SECONDS),
      ...sidecarEnv,
    });
  let sidecar = await startSidecar();
  const refusing = createVerifier(options);
  const asking = createVerifier({ ...options, whenStale: 'introspect' });
  await Promise.all([refusing.ready(), asking.ready()]);

  const judgeWith =
    (verifier: typeof refusing): Judge =>
    async (token) => {
      const reason = await verdictOf(verifier, token);
      if (reason === 'accepted') return { status: 204, text: '' };
      return { status: reason === 'stale' ? 503 : 401, reason, text: '' };
    };
  const judges: Record<string, Judge> = {
    'latchkey verifier': async (token) => {
      const headers = { authorization: `Bearer ${token}` };
      const answer = await fetch(`${sidecar.url}/verify`, { headers, signal: AbortSignal.timeout(HANGING_MS) });
      const text = await answer.text();
      return { status: answer.status, reason: REVOKED.test(text) ? 'revoked' : text, text };
    },
    'latchkey/verify': judgeWith(refusing),
    'latchkey/verify that introspects': judgeWith(asking),
  };

  const ledger = createLedger();
  const known: Held[] = [];
  const faults: Fault[] = [];
  let resting: Held = keep(await takeSession(resident));
  let work: { end(): Promise<unknown> } | undefined;
  let isOver = false;
  let reported = { entries: 0, verdicts: 0 };

  function keep(held: Held): Held {
    known.push(held);
    return held;
  }

  function ask(caller: string, { token, jti, sid }: Held) {
    const deed = { call: 'verify', caller, shows: [`token:${jti}`, `session:${sid}`] };
    return ledger.record(deed, () => (judges[caller] as Judge)(token));
  }
  const isAccepted = async (caller: string, held: Held) => (await ask(caller, held))?.status === 204;

  const draw = (held: readonly Held[]) => held[Math.floor(Math.random() * held.length)] ?? resting;

  async function askOnAndOn(caller: string) {
    while (!isOver) {
      const recent = known.slice(-RECENT);
      const drawn = Array.from({ length: ASKED }, () => [draw(recent), draw(known)]).flat();
      await Promise.all([resting, ...known.slice(-visitors.length), ...drawn].map((held) => ask(caller, held)));
      await sleep(PAUSE_MS);
    }
  }

  /** Signs people in, exchanges their tokens and signs them off, until it is ended. */
  function startWork() {
    let isDone = false;
    const visit = async (person: Person) => {
      let held = await person.signIn();
      for (let refreshes = 0; held && !isDone && refreshes < REFRESHES; refreshes += 1) {
        keep(held);
        await sleep(PAUSE_MS);
        ({ held } = await person.refresh(held));
      }
      if (held) await person.signOff(keep(held));
      await sleep(PAUSE_MS);
    };
    const visits = visitors.map(async (person) => {
      while (!isDone && !world.isOver()) await visit(person);
    });
    return {
      end() {
        isDone = true;
        return Promise.all(visits);
      },
    };
  }

  /** Resolves when people have exchanged a token and signed off since the call. */
  async function untilBusy() {
    work ??= startWork();
    const since = world.ledger.entries.length;
    await waitFor('people to come and go', () => {
      const done = world.ledger.entries.slice(since).filter(({ outcome }) => outcome === 'done');
      return ['refresh', 'sign off'].every((call) => done.some((entry) => entry.call === call));
    });
  }

  async function rest() {
    await work?.end();
    work = undefined;
  }

  const asked = Object.keys(judges).map(askOnAndOn);
  const verifiers: Verifiers = {
    proxy,
    sidecar: () => sidecar,
    async startSidecar() {
      sidecar = await startSidecar();
    },
    async during(fault) {
      await untilBusy();
      const startedAt = performance.now();
      // It counts while it lasts, too.
      const open = { startedAt, endedAt: Number.POSITIVE_INFINITY };
      faults.push(open);
      await fault();
      open.endedAt = performance.now();
    },
    async settle() {
      await untilBusy();
      if ((await resident.use(resting))?.status !== 200) resting = keep(await takeSession(resident));
      for (const caller of Object.keys(judges)) {
        await waitFor(`${caller} to accept a live token`, () => isAccepted(caller, resting));
      }
    },
    async endAll(call, how) {
      const ends = known.flatMap(({ jti, sid }) => [`token:${jti}`, `session:${sid}`]);
      const status = async () => ((await how()) ? 200 : 503);
      await world.ledger.record({ call, caller: 'operator', ends }, async () => ({ status: await status(), text: '' }));
    },
    rest,
    async conclude(fault, injections) {
      await rest();
      await sleep(LONG_MS);
      for (let at = Math.max(0, known.length - CONCLUDED); at < known.length; at += BATCH) {
        const batch = known.slice(at, at + BATCH);
        await Promise.all(Object.keys(judges).flatMap((caller) => batch.map((held) => ask(caller, held))));
      }
      const { entries } = world.ledger;
      const verdicts = ledger.entries.slice(reported.verdicts);
      const fresh = [...entries.slice(reported.entries), ...verdicts];
      reported = { entries: entries.length, verdicts: ledger.entries.length };
      const outcomes = new Set(fresh.map(({ call, outcome }) => `${call}: ${outcome}`));
      for (const outcome of ['refresh: done', 'sign off: done', 'verify: done', 'verify: refused']) {
        assert.ok(outcomes.has(outcome), `there was ${outcome}`);
      }
      const records = { entries, verdicts, faults };
      const afterlife = Math.ceil(longestAfterlife(records));
      process.stdout.write(`${fault}: accepted for at most ${afterlife} ms after the acknowledged end\n`);
      const broken = findVerifierViolations(records, { bound: BOUND_SECONDS * 1000, recovery: RECOVERY_MS });
      report(`verifiers: ${fault}`, { entries: fresh }, injections, [...findViolations(entries), ...broken]);
      return verdicts.filter(({ status }) => status === 503).length;
    },
    async close() {
      isOver = true;
      await rest();
      if (sidecar.child.exitCode === null && sidecar.child.signalCode === null) {
        sidecar.child.kill('SIGKILL');
        await once(sidecar.child, 'exit');
      }
      await Promise.all(asked);
      refusing.close();
      asking.close();
      await proxy.close();
    },
  };
  await verifiers.settle();
  return verifiers;
}
