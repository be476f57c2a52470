// better-auth as its documentation sets it up: e-mail and password, sessions in SQLite, rate limits off.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { verify } from '@node-rs/argon2';
import { betterAuth } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';
import { toNodeHandler } from 'better-auth/node';

/** @type {[{ databaseFile: string, accounts: number, sessions: number, password: string, argon2Hash: string | null, cookieCache: boolean }]} */
const [{ databaseFile, accounts, sessions, password, argon2Hash, cookieCache }] = await once(process, 'message');

const database = new DatabaseSync(databaseFile);
database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');

const server = createServer();
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address();

/** Without a hash of ours: its own, scrypt. */
const ours = argon2Hash && { hash: async () => argon2Hash, verify: ({ hash, password: typed }) => verify(hash, typed) };

function configure(passwords) {
  return {
    database,
    baseURL: `http://127.0.0.1:${port}`,
    secret: 'not a secret: this database lives as long as the benchmark',
    emailAndPassword: { enabled: true, ...(passwords && { password: passwords }) },
    session: { cookieCache: { enabled: cookieCache, maxAge: 3600 } },
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: { disabled: true },
  };
}

const emailOf = (n) => `user${n}@example.com`;

async function addAccounts() {
  const { internalAdapter, password: passwords } = await betterAuth(configure(ours)).$context;
  const hash = await passwords.hash(password);
  for (let n = 0; n < accounts; n++) {
    const user = await internalAdapter.createUser({ email: emailOf(n), name: `User ${n}`, emailVerified: true });
    await internalAdapter.linkAccount({
      userId: user.id,
      accountId: user.id,
      providerId: 'credential',
      password: hash,
    });
  }
}

/** Signs in without the price of hashing. @returns the cookies of each session. */
async function openSessions() {
  const { api } = betterAuth(configure({ hash: async () => '', verify: async () => true }));
  const cookies = [];
  for (let n = 0; n < sessions; n++) {
    const body = { email: emailOf(n % accounts), password };
    const answer = await api.signInEmail({ body, asResponse: true });
    cookies.push(
      answer.headers
        .getSetCookie()
        .map((cookie) => cookie.split(';')[0])
        .join('; '),
    );
  }
  return cookies;
}

const options = configure(ours);
const startedEmpty = database.prepare("SELECT count(*) AS n FROM sqlite_schema WHERE name = 'user'").get().n === 0;
if (startedEmpty) {
  const { runMigrations } = await getMigrations(options);
  await runMigrations();
  await addAccounts();
}
const cookies = await openSessions();
server.on('request', toNodeHandler(betterAuth(options)));
process.send({ port, cookies });
