// A service as in production, with real peers. A test kills it, restarts it, and reads the final state.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDatabaseUrl, createMigratedUrl, type Engine } from '../support/databases.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { findFreePort } from '../support/ports.ts';
import { type ProcessOptions, startProcess, type TestProcess } from '../support/process.ts';
import { ADMIN_PASSWORD, TEST_SECRET, USER_PASSWORD } from '../support/service.ts';
import { type SmsGateway, startSmsGateway } from '../support/sms-gateway.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { type CallInput, callApi, createPerson, type Person, paths } from './person.ts';

const UPDATE = '/api/services/app/Settings/UpdateValue';
const CREATE_USER = '/api/services/app/User/Create';

/** Longer than anything that a test waits for, on any machine. */
const PATIENCE_MS = 90_000;
const LOOK_MS = 25;

/** Settings under which a test may call without throttling, and people register by e-mail. */
const SETTINGS = {
  'Latchkey.RateLimiting': { loginPermitLimit: 100_000, otpPermitLimit: 100_000 },
  'Shesha.Otp': { resendCooldown: 0, dailyLimitPerRecipient: 1000, dailyAttemptsPerAccount: 1000 },
  'Shesha.UserManagement': { supportedRegistrationMethods: 2 },
};

export interface World {
  readonly engine: Engine;
  readonly ledger: Ledger;
  readonly mail: MailServer;
  readonly sms: SmsGateway;
  /** Where its database is. */
  readonly databaseUrl: string;
  readonly dataDir: string;
  /** The running process. */
  process(): TestProcess;
  url(): string;
  /** All nodes in turn. */
  nextUrl(): string;
  /** Kills it at once, by SIGKILL. */
  kill(): Promise<void>;
  /** Starts it again in the same place; `env` applies only this time. */
  start(env?: Record<string, string>): Promise<void>;
  /** Starts another node on the same database. */
  startNode(): Promise<TestProcess>;
  /** Kills the other node at once, and starts it again in the same place. */
  restartNode(): Promise<void>;
  /**
   * Replaces all nodes by those of another program, one after another: the new one starts before the old one stops, and
   * gets no more calls while it stops.
   */
  roll(program?: string): Promise<void>;
  /** How often it was killed. */
  kills(): number;
  /** Calls as an administrator who never signs off. Rejects unless the answer is 200. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape.
  admin(method: 'GET' | 'POST', path: string, body?: unknown): Promise<any>;
  set(name: string, value: unknown): Promise<void>;
  /** Creates accounts with a mobile number. */
  createPeople(count: number): Promise<Person[]>;
  /** The pin in this person's next unread text message. */
  readPin(person: Person): Promise<string>;
  /** The mail to this address, and the pin in it. */
  readMailedPin(address: string): Promise<string>;
  close(): Promise<void>;
  /** Whether it was closed. */
  isOver(): boolean;
}

export type WorldOptions = {
  /** Where the database is; absent: a new one. */
  databaseUrl?: string;
  /** The command line of its nodes. Absent: this version's. */
  program?: string;
  env?: Record<string, string>;
};

let worlds = 0;

/** Polls, and resolves to the first defined value. */
export async function waitFor<Value>(what: string, look: () => Promise<Value | undefined> | Value | undefined) {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (performance.now() > deadline) throw new Error(`In vain: ${what}.`);
    await sleep(LOOK_MS);
  }
}

/** Starts peers and service; the caller closes the world. */
export async function startWorld(engine: Engine, options: WorldOptions = {}): Promise<World> {
  worlds += 1;
  const canary = (number: number) => `canary-${worlds}x${number}`;
  const dataDir = mkdtempSync(join(tmpdir(), 'latchkey-faults-'));
  const [mail, sms] = await Promise.all([startMailServer(), startSmsGateway()]);
  const sqliteUrl = `sqlite:${join(dataDir, 'latchkey.db')}`;
  const databaseUrl =
    options.databaseUrl ??
    (engine === 'sqlite' ? sqliteUrl : await (options.program ? createDatabaseUrl : createMigratedUrl)(engine));
  const { UV_THREADPOOL_SIZE, NODE_COMPILE_CACHE } = process.env;
  const env = {
    ...(UV_THREADPOOL_SIZE && { UV_THREADPOOL_SIZE }),
    ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }),
    LATCHKEY_MODE: 'production',
    LATCHKEY_PUBLIC_URL: 'https://id.example.org',
    LATCHKEY_SECRET: TEST_SECRET,
    LATCHKEY_ADMIN_PASSWORD: ADMIN_PASSWORD,
    LATCHKEY_ADMIN_PASSWORD_FINAL: 'true',
    LATCHKEY_DATABASE_URL: databaseUrl,
    LATCHKEY_SMTP_URL: mail.url,
    LATCHKEY_MAIL_FROM: 'no-reply@example.org',
    LATCHKEY_SMS_URL: sms.url,
    LATCHKEY_SMS_SECRET: TEST_SECRET,
    ...options.env,
  };
  const port = await findFreePort();
  const ledger = createLedger();
  const read = new Set<string>();
  let { program } = options;
  const startProgram = (more: ProcessOptions) => startProcess({ env, ...(program && { program }), ...more });
  let running = await startProgram({ dataDir, port });
  const others: TestProcess[] = [];
  let calls = 0;
  let kills = 0;
  let isOver = false;
  let people = 0;
  let adminToken = '';

  const post = (path: string, call: CallInput) => callApi(running.url, 'POST', path, call);
  const nextUrl = () => {
    calls += 1;
    return (others[calls % (others.length + 1)] ?? running).url;
  };

  const world: World = {
    engine,
    ledger,
    mail,
    sms,
    databaseUrl,
    dataDir,
    process: () => running,
    url: () => running.url,
    nextUrl,
    async kill() {
      await running.kill();
      kills += 1;
    },
    async start(more = {}) {
      running = await startProgram({ dataDir, port, env: { ...env, ...more } });
    },
    async startNode() {
      const node = await startProgram({});
      others.push(node);
      return node;
    },
    async restartNode() {
      const [node] = others;
      if (!node) throw new Error('There is no other node.');
      await node.kill();
      kills += 1;
      others[0] = await startProgram({ port: node.port });
    },
    async roll(to) {
      program = to;
      const old = running;
      running = await startProgram({});
      await old.stop();
      for (const [index, node] of others.entries()) {
        others[index] = await startProgram({});
        await node.stop();
      }
    },
    kills: () => kills,
    async admin(method, path, body) {
      const answer = await callApi(running.url, method, path, {
        token: adminToken,
        ...(body !== undefined && { body }),
      });
      if (answer.status !== 200) throw new Error(`${path}: ${answer.text}`);
      return answer.result;
    },
    set: (name, value) => world.admin('POST', UPDATE, { name, value }),
    async createPeople(count) {
      const made: Person[] = [];
      for (let index = 0; index < count; index += 1) {
        people += 1;
        const userName = canary(people);
        const mobileNumber = `+2782${String(1_000_000 + people)}`;
        const input = { userName, name: userName, surname: 'Nkosi', password: USER_PASSWORD, mobileNumber };
        await world.admin('POST', CREATE_USER, { ...input, isMobileConfirmed: true });
        made.push(createPerson({ ledger, url: nextUrl, userName, mobileNumber, password: USER_PASSWORD }));
      }
      return made;
    },
    async readPin({ mobileNumber }) {
      const found = await waitFor(`a message to ${mobileNumber}`, () =>
        sms.messages.findLast(({ id, to, text }) => to === mobileNumber && !read.has(id) && pinIn(text)),
      );
      for (const { id, to } of sms.messages) if (to === mobileNumber) read.add(id);
      return pinIn(found.text);
    },
    async readMailedPin(address) {
      return pinIn((await waitFor(`mail to ${address}`, () => mail.messages.find(({ to }) => to[0] === address))).text);
    },
    isOver: () => isOver,
    async close() {
      isOver = true;
      await running.kill();
      for (const node of others) await node.stop();
      await Promise.all([mail.stop(), sms.stop()]);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
  const body = { userNameOrEmailAddress: 'admin', password: ADMIN_PASSWORD };
  adminToken = (await post(paths.signIn, { body })).result.accessToken;
  for (const [name, value] of Object.entries(SETTINGS)) await world.set(name, value);
  return world;
}

/** The pin in a message; empty when it has none, as news of a changed password. */
function pinIn(text: string): string {
  return /\b\d{6}\b/.exec(text)?.[0] ?? '';
}
