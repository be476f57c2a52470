// Mail and SMS gateways that are down, slow or hostile: same answers, every message arrives, at most one duplicate.
// In the long form alone: its gateways are slow, and the tests beside delivery have their faults one by one.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { often } from '../support/scale.ts';
import { createChance } from './chance.ts';
import { findViolations } from './checks.ts';
import type { Deed, Ledger } from './ledger.ts';
import { callApi, type Person, paths } from './person.ts';
import { createRegistrants, type Registrants } from './registrants.ts';
import { report } from './report.ts';
import { startWorld, type World, waitFor } from './world.ts';

const MESSAGES = often(4, 15);

/** How long each fault lasts: long enough for one or a few delivery attempts. */
const LASTS_MS = often(1500, 20_000);
const LONGEST_LIFE_MS = 1500;

/** A claim that is not renewed ends, and its message is sent again, within this time. */
const CLAIM_MS = 10_000;

/** Sends garbage to every client that connects to this port. */
async function startNonsense(port: number, speak: (socket: Socket) => void): Promise<Server> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', () => {});
    speak(socket);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** Writes the same bytes endlessly, as fast as the client reads them. */
function flood(socket: Socket, text: string) {
  const chunk = Buffer.from(text.repeat(Math.ceil(65_536 / text.length)));
  const write = () => {
    while (socket.writable && socket.write(chunk));
  };
  socket.on('drain', write);
  write();
}

const nonsense = {
  'binary noise': (socket: Socket) => void socket.write(Buffer.alloc(4096, 0xf7)),
  'a line without an end': (socket: Socket) => flood(socket, '2'),
  'lines without an end': (socket: Socket) => flood(socket, '220-and more\r\n'),
  'an answer before the question': (socket: Socket) => void socket.write('250 ok\r\n250 ok\r\nHTTP/1.1 200 OK\r\n\r\n'),
  'headers without an end': (socket: Socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    flood(socket, 'x: y\r\n');
  },
  'a body without an end': (socket: Socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 99999999999\r\n\r\n');
    flood(socket, 'x');
  },
};

describe('gateways', () => {
  let world: World;
  let people: Person[];
  let registrants: Registrants;
  before(async () => {
    world = await startWorld('sqlite');
    people = await world.createPeople(often(16, 200));
    registrants = createRegistrants(world);
  });
  after(() => world?.close());

  const deliveries = () => [...world.mail.messages.flatMap(({ to }) => to), ...world.sms.messages.map(({ to }) => to)];

  /** Requests messages of both kinds, each for a recipient who gets no other. */
  async function askForAll(ledger: Ledger, { isSmsCertain = true } = {}) {
    for (let turn = 0; turn < MESSAGES; turn += 1) await registrants.ask();
    for (const { userName, mobileNumber } of people.splice(0, 2)) {
      const deed: Deed = { call: 'ask for a pin', caller: userName, ...(isSmsCertain && { promises: mobileNumber }) };
      const body = { userNameOrMobileNo: userName };
      await ledger.record(deed, () => callApi(world.url(), 'POST', paths.sendPin, { body, caller: userName }));
    }
  }

  async function arrivalOfAll() {
    await waitFor('every message', () => {
      const arrived = new Set(deliveries());
      return world.ledger.entries.every(({ promises, outcome }) => {
        return promises === undefined || outcome !== 'done' || arrived.has(promises);
      });
    });
  }

  async function conclude(fault: string, start: number, injections: number) {
    const { entries } = world.ledger;
    report(fault, { entries: entries.slice(start) }, injections, findViolations(entries, { deliveries: deliveries() }));
  }

  type Fault = {
    begin(): Promise<unknown> | unknown;
    end(): Promise<unknown> | unknown;
    /** False: the gateway reads the text message each time, so that the service cannot know whether it was accepted. */
    isSmsCertain?: boolean;
  };

  function nonsenseFault(speak: (socket: Socket) => void): Fault {
    let servers: Server[] = [];
    const sockets = new Set<Socket>();
    return {
      isSmsCertain: false,
      async begin() {
        await Promise.all([world.mail.stop(), world.sms.stop()]);
        const speakAndKeep = (socket: Socket) => {
          sockets.add(socket);
          speak(socket);
        };
        servers = [
          await startNonsense(world.mail.port, speakAndKeep),
          await startNonsense(world.sms.port, speakAndKeep),
        ];
      },
      async end() {
        for (const server of servers) server.close();
        for (const socket of sockets) socket.destroy();
        await Promise.all(servers.map((server) => once(server, 'close')));
        await Promise.all([world.mail.start(), world.sms.start()]);
      },
    };
  }

  const recover = () => {
    world.mail.recover();
    world.sms.recover();
  };
  const both = (mail: () => unknown, sms: () => unknown): Fault => ({
    begin: () => [mail(), sms()],
    end: recover,
  });
  const faults: Record<string, () => Fault> = {
    'are down': () => ({
      begin: () => Promise.all([world.mail.stop(), world.sms.stop()]),
      end: () => Promise.all([world.mail.start(), world.sms.start()]),
    }),
    'say that they are busy': () =>
      both(
        () => world.mail.failAt('content', 451),
        () => world.sms.fail(503),
      ),
    'drop the connection when they have the message': () =>
      both(
        () => world.mail.failAt('content', 'drop'),
        () => world.sms.fail('drop'),
      ),
    'drop the connection before': () =>
      both(
        () => world.mail.failAt('sender', 'drop'),
        () => world.sms.fail(429),
      ),
    'never answer': () =>
      both(
        () => world.mail.failAt('content', 'hang'),
        () => world.sms.fail('hang'),
      ),
    ...Object.fromEntries(
      Object.entries(nonsense).map(([name, speak]) => [`speak ${name}`, () => nonsenseFault(speak)]),
    ),
  };

  /** The short form tries a few: the ones that end soon. */
  const chosen = Object.entries(faults).slice(0, often(3, Number.POSITIVE_INFINITY));

  it('delay messages when they fail in any way, and neither lose them nor send them three times', async () => {
    for (const [how, createFault] of chosen) {
      const start = world.ledger.entries.length;
      const fault = createFault();
      await fault.begin();
      await askForAll(world.ledger, fault);
      await sleep(LASTS_MS);
      assert.equal((await fetch(`${world.url()}/health/ready`)).status, 200, how);
      await fault.end();
      await arrivalOfAll();
      const asked = world.ledger.entries.slice(start);
      assert.deepEqual(
        asked.filter(({ outcome }) => outcome !== 'done'),
        [],
        how,
      );
      await conclude(`gateways ${how}`, start, 1);
    }
  });

  it('lose nothing when the service is killed while it delivers', async () => {
    const start = world.ledger.entries.length;
    const chance = createChance('delivery');
    const kills = often(1, 12);
    for (let round = 0; round < kills; round += 1) {
      await askForAll(world.ledger);
      await sleep(chance() * LONGEST_LIFE_MS);
      await world.kill();
      await world.start();
      await arrivalOfAll();
    }
    await sleep(CLAIM_MS);
    await conclude('kill -9 while messages are delivered', start, kills);
  });
});
