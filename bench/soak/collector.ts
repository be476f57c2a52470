// Full collections of the service's garbage, by its inspector: what is in use right after one is what a leak would add to.
import { once } from 'node:events';

/** Collects all garbage of a process, and resolves when it has. */
export interface Collector {
  collect(): Promise<void>;
  stop(): Promise<void>;
}

/** @param port where the inspector of the process listens, on this machine. */
export async function openCollector(port: number): Promise<Collector> {
  const targets = await (await fetch(`http://127.0.0.1:${port}/json/list`)).json();
  const [{ webSocketDebuggerUrl }] = targets as [{ webSocketDebuggerUrl: string }];
  const socket = new WebSocket(webSocketDebuggerUrl);
  await once(socket, 'open');
  return {
    async collect() {
      const answer = once(socket, 'message');
      socket.send(JSON.stringify({ id: 1, method: 'HeapProfiler.collectGarbage' }));
      await answer;
    },
    async stop() {
      socket.close();
    },
  };
}
