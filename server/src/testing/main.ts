// The test server as a process: a service with a database in memory, a clock that tests move, and messages that are kept.
import { once } from 'node:events';
import { flushCompileCache } from 'node:module';
import { createServer as createPort, type Server } from 'node:net';
import { finished } from 'node:stream/promises';
import type { Logger } from 'pino';
import { outboxChannels } from '../app/channels.ts';
import { composeService, type Service } from '../app/compose.ts';
import { dutiesOf, startWorks } from '../app/duties.ts';
import { createFirstAdministrator, generatePassword } from '../app/first-start.ts';
import { createLogger } from '../app/log.ts';
import { createServer } from '../app/server.ts';
import { createShutdown } from '../app/shutdown.ts';
import { type Environment, EnvironmentError } from '../config/environment.ts';
import type { Variables } from '../config/variables.ts';
import { OFF } from '../delivery/index.ts';
import { noAdditions } from '../extensions/additions.ts';
import { systemClock } from '../foundation/clock.ts';
import { errorCodeOf } from '../foundation/errors.ts';
import { systemRandom } from '../foundation/random.ts';
import { openDatabase } from '../storage/open.ts';
import { createTestClock, type TestClock } from './clock.ts';
import { registerControl } from './control.ts';
import { createTestEgress } from './egress.ts';
import { type Place, readTestEnvironment, readTestKey } from './environment.ts';
import { answerLoopbackOnly } from './loopback.ts';
import { createMailbox, type Mailbox } from './messages.ts';
import { parseOptions, readOptionsFile, type TestOptions } from './options.ts';
import { configure, createUsers, requirePossiblePin } from './set-up.ts';

/** Hashes that take no time: their database ends with the process. */
const CHEAP = { memoryKib: 64, passes: 1 };

/** A database that no other process can open. */
const IN_MEMORY = 'sqlite::memory:';

/** What names standard input in place of a file. */
const STANDARD_INPUT = '-';

/**
 * Runs a test server until SIGTERM or SIGINT. Prints one line of JSON when it is ready.
 * @param path the file of the options. `-`: the first line of standard input, whose end also ends the server. It then listens
 * only on loopback, at a free port unless the options name one.
 * @throws EnvironmentError, ConfigurationError
 */
export async function runTestServer(path: string | undefined, variables: Variables): Promise<void> {
  const isDriven = path === STANDARD_INPUT;
  const input = isDriven ? readStandardInput() : undefined;
  const shutdown = createShutdown(systemClock, input?.ended);
  // Before anything else: a real installation is refused even if the options are wrong.
  readTestEnvironment(variables, {});
  const options = input || path === undefined ? parseOptions((await input?.line) ?? '') : readOptionsFile(path);
  const { host, port } = readTestEnvironment(variables, toPlace(options, isDriven));
  const reserved = await reserve(host, port);
  const url = options.publicUrl ?? (isDriven ? undefined : variables.LATCHKEY_PUBLIC_URL?.trim() || undefined);
  const publicUrl = url ?? `http://localhost:${portOf(reserved)}`;
  const environment = readTestEnvironment(variables, { host, port: portOf(reserved), publicUrl });
  const announcement = await start(environment, options, variables, reserved);
  process.stdout.write(`${JSON.stringify(announcement)}\n`);
  // Node would write the compiled modules only at the end of the process, which may be killed.
  flushCompileCache();
  await shutdown.signal;
}

const toPlace = ({ port, publicUrl }: TestOptions, isDriven: boolean): Place => ({
  ...(isDriven && { host: '127.0.0.1', port: 0 }),
  ...(port !== undefined && { port }),
  ...(publicUrl !== undefined && { publicUrl }),
});

/** Reads the first line, and tells when the input ends, as it does when the process at its other end ends in any way. */
function readStandardInput() {
  const input = process.stdin.setEncoding('utf8');
  const ended = finished(input, { writable: false }).catch(() => {});
  const { promise: line, resolve } = Promise.withResolvers<string>();
  let text = '';
  // Not by `node:readline`, for which JSON has other ends of lines in its texts: U+2028 and U+2029.
  input.on('data', (chunk) => {
    text += chunk;
    if (chunk.includes('\n')) resolve(text.slice(0, text.indexOf('\n')));
  });
  return { ended, line: Promise.race([line, ended.then(() => text)]) };
}

/** Listens before there is a server: its address is a part of what the service is composed from. */
async function reserve(host: string, port: number): Promise<Server> {
  const reserved = createPort((socket) => socket.destroy()).listen({ host, port });
  await once(reserved, 'listening').catch((error) => {
    if (errorCodeOf(error) !== 'EADDRINUSE') throw error;
    throw new EnvironmentError(
      `Port ${port}`,
      'is in use by another program: stop that program, or choose another port.',
    );
  });
  return reserved;
}

function portOf(reserved: Server): number {
  const address = reserved.address();
  // Only a pipe has an address that is a text.
  return typeof address === 'object' && address ? address.port : 0;
}

/** Starts the service. @returns what its callers need to know. */
async function start(environment: Environment, options: TestOptions, variables: Variables, reserved: Server) {
  const log = createLogger(environment.logLevel, process.stderr);
  const clock = createTestClock();
  const mailbox = createMailbox(systemRandom, options.pin);
  const service = await compose(environment, { clock, mailbox, log });
  const { adminUser: userName, adminPassword: password = generatePassword(systemRandom) } = environment;
  const administrator = { userName, password, isFinal: true, mustMeetPolicy: false };
  await createFirstAdministrator(service, administrator, systemRandom);
  await service.keys.applyHeaderType();
  const secrets = await configure(service, options, environment.configuration, variables);
  requirePossiblePin(service, options);
  await createUsers(service, options);

  const key = readTestKey(variables) ?? systemRandom.bytes(32).toString('base64url');
  const state = { url: environment.publicUrl, admin: { userName, password }, secrets };
  const app = await createServer(service, { ...environment, clock }, log);
  registerControl(app, { service, clock, mailbox, key, state });
  await app.ready();
  answerLoopbackOnly(app.server);
  app.server.listen(reserved);
  const onError = (error: unknown) => log.error({ err: error }, 'work in the background failed');
  startWorks([...service.background, ...dutiesOf(service, clock, onError)]);
  // The public URL may be that of a proxy which does not run yet.
  return { ...state, key, local: `http://localhost:${environment.port}` };
}

async function compose(
  { publicUrl, corsOrigins, relyingParty, egressAllowance, smtp, sms }: Environment,
  { clock, mailbox, log }: { clock: TestClock; mailbox: Mailbox; log: Logger },
): Promise<Service> {
  const means = outboxChannels(() => {}, { smtp, sms });
  return composeService({
    database: await openDatabase(IN_MEMORY, { clock }),
    secret: systemRandom.bytes(32).toString('base64url'),
    issuer: publicUrl,
    corsOrigins,
    relyingParty,
    hashThreads: 2,
    hashCost: CHEAP,
    egress: createTestEgress(egressAllowance),
    channels: {
      email: smtp === OFF ? means.email : mailbox.channels.email,
      sms: sms === OFF ? means.sms : mailbox.channels.sms,
    },
    additions: noAdditions,
    clock,
    random: systemRandom,
    drawPin: mailbox.drawPin,
    log,
  });
}
