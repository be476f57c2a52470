// Webhooks: what sign-in costs while a receiver gets each event at once, or takes it and never answers.
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createAuthority } from '../server/test/support/authority.ts';
import type { Arena } from './arena.ts';
import { type Contestant, throughput } from './contestants.ts';
import { ACCOUNTS, createLatchkey, openAdministration, paths, signIns } from './latchkey.ts';
import { CONNECTIONS, post } from './load.ts';
import type { Figure } from './report.ts';

/** Sign-in with a webhook reaches 0.97 of that without. */
const BOUND = { ratio: { atMost: 1.03 } } as const;

const answering: RequestListener = (asked, answer) => {
  asked.resume().once('end', () => answer.writeHead(204).end());
};
const hanging: RequestListener = (asked) => void asked.resume();

/** The service with a webhook for every sign-in, or without one. */
async function signingIn(arena: Arena, name: string, listener?: RequestListener): Promise<Contestant> {
  const folder = arena.newFile();
  mkdirSync(folder);
  const authority = createAuthority(folder, 'bench');
  const latchkey = createLatchkey(arena.newFile(), {
    LATCHKEY_EGRESS_ALLOW: 'localhost',
    NODE_EXTRA_CA_CERTS: authority.certificate,
  });
  await latchkey.prepare(0);
  const server = arena.keep(await latchkey.start());
  if (listener) {
    const { certificate, key } = authority.issue('receiver');
    const receiver = createServer({ cert: readFileSync(certificate), key: readFileSync(key) }, listener);
    await once(receiver.listen(0, 'localhost'), 'listening');
    arena.keep({
      async stop() {
        receiver.closeAllConnections();
        receiver.close();
      },
    });
    const { port } = receiver.address() as AddressInfo;
    const administrate = await openAdministration(server);
    const webhook = { url: `https://localhost:${port}/`, actions: ['signIn.password'] };
    await administrate('/api/services/app/Webhook/Create', webhook);
  }
  return throughput(name, {
    server,
    driver: arena.driver,
    load: ({ seconds }) => post(server.url + paths.authenticate, signIns, seconds),
    ...(listener && { compared: BOUND }),
  });
}

export const webhooks: Figure = {
  name: 'webhooks',
  title: 'Sign-in with a webhook',
  unit: 'per second',
  about: `As sign-in above: ${CONNECTIONS} connections, ${ACCOUNTS} accounts. Each sign-in is an event of the webhook. The receiver shares the cores. It gets its events over https, and answers at once, or takes the request and never answers. *ratio* compares sign-in without a webhook.`,
  rounds: 'hashes',
  contestants: 3,
  preparing: 60,
  open: async (arena) => [
    await signingIn(arena, 'Latchkey without a webhook'),
    await signingIn(arena, 'with one whose receiver answers', answering),
    await signingIn(arena, 'with one whose receiver hangs', hanging),
  ],
};
