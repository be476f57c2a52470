// A proxy between a client and its server that cuts, delays or silences connections on demand.
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export interface TcpProxy {
  readonly port: number;
  /** Returns how many bytes clients have sent so far. */
  received(): number;
  /** Cuts every open connection, on both sides. @returns how many there were. */
  cut(): number;
  /** From now on, connections open and no data passes, in either direction. */
  swallow(): void;
  /** The connection with this number, counted from 1, opens, and no data passes. @returns whether there was one. */
  lose(number: number): () => boolean;
  /** From now on, data of the server arrives this many milliseconds late. */
  delay(milliseconds: number): void;
  /** Cuts each connection in the middle of the next data of the server, on both sides. */
  tear(): void;
  /** From now on, data passes again on new connections. The open ones are cut. */
  pass(): void;
  close(): Promise<void>;
}

/** Starts on its own port on 127.0.0.1. */
export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  const pairs = new Set<readonly [Socket, Socket]>();
  let isSwallowing = false;
  let isTearing = false;
  let delayMs = 0;
  let received = 0;
  let opened = 0;
  let lost: number | undefined;

  const server = createServer((client) => {
    opened += 1;
    const isLost = opened === lost;
    const target = connect(targetPort, '127.0.0.1');
    const pair = [client, target] as const;
    pairs.add(pair);
    for (const socket of pair) {
      socket.setNoDelay(true).on('error', () => {});
      socket.on('close', () => {
        for (const other of pair) other.destroy();
        pairs.delete(pair);
      });
    }
    client.on('data', (data) => {
      received += data.length;
      if (!isSwallowing && !isLost) target.write(data);
    });
    target.on('data', (data: Buffer) => {
      if (isSwallowing) return;
      if (isTearing) client.end(data.subarray(0, data.length / 2), () => client.destroy());
      else if (delayMs > 0) setTimeout(() => client.destroyed || client.write(data), delayMs);
      else client.write(data);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  function cut() {
    const count = pairs.size;
    for (const pair of pairs) for (const socket of pair) socket.destroy();
    return count;
  }
  return {
    port: (server.address() as { port: number }).port,
    received: () => received,
    cut,
    swallow() {
      isSwallowing = true;
    },
    lose(number) {
      lost = number;
      return () => opened >= number;
    },
    delay(milliseconds) {
      delayMs = milliseconds;
    },
    tear() {
      isTearing = true;
    },
    pass() {
      isSwallowing = false;
      isTearing = false;
      delayMs = 0;
      cut();
    },
    async close() {
      cut();
      if (!server.listening) return;
      server.close();
      await once(server, 'close');
    },
  };
}
