// The receiver of a soak: an https server that gets the events of a webhook, and the sign-outs that an application is told.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { text } from 'node:stream/consumers';
import type { Issued } from '../../server/test/support/authority.ts';
import { type Seen, summarize } from '../load.ts';

const receiverPaths = { events: '/events', signOuts: '/sign-outs' } as const;

/** The addresses of a receiver, of which the service knows before it runs. */
export const receiverUrls = (port: number) => ({
  events: `https://localhost:${port}${receiverPaths.events}`,
  signOuts: `https://localhost:${port}${receiverPaths.signOuts}`,
});

export type ReceiverOptions = Issued & { readonly port: number };

/** What came since the last sample. `events`: milliseconds from what happened to its delivery. */
export type Received = { readonly events: Seen; readonly signOuts: number };

/** Starts the receiver. @returns a function that sums up. */
export async function startReceiver({
  port,
  certificate,
  key,
}: ReceiverOptions): Promise<(seconds: number) => Received> {
  let delays: number[] = [];
  let signOuts = 0;
  const server = createServer({ cert: readFileSync(certificate), key: readFileSync(key) }, async (asked, answer) => {
    const body = await text(asked);
    if (asked.url === receiverPaths.events) delays.push(Date.now() - Date.parse(JSON.parse(body).timestamp));
    else signOuts += 1;
    answer.writeHead(200).end();
  });
  server.listen(port, 'localhost');
  await once(server, 'listening');
  return (seconds) => {
    const received = { events: summarize(delays, seconds, 0), signOuts };
    delays = [];
    signOuts = 0;
    return received;
  };
}
