// What a leak would add to: by its inspector, the service forgets the tokens that it has verified, and collects all garbage.
import { once } from 'node:events';

/** Empties the caches of verified tokens of a process, collects all its garbage, and resolves when it has. */
export interface Collector {
  collect(): Promise<void>;
  stop(): Promise<void>;
}

/** Of its kind, the caches alone are so large: a smaller map may hold callers who wait. */
const forgetTokens = `function () {
  for (const map of this) {
    const [key] = map.keys();
    if (map.size >= 500 && typeof key === 'string' && key.startsWith('eyJ')) map.clear();
  }
}`;

type Answer = { readonly id: number; readonly result: { result?: Found; objects?: Found } };
type Found = { readonly objectId: string };

/** @param port where the inspector of the process listens, on this machine. */
export async function openCollector(port: number): Promise<Collector> {
  const targets = await (await fetch(`http://127.0.0.1:${port}/json/list`)).json();
  const [{ webSocketDebuggerUrl }] = targets as [{ webSocketDebuggerUrl: string }];
  const socket = new WebSocket(webSocketDebuggerUrl);
  await once(socket, 'open');

  async function ask(method: string, params: Readonly<Record<string, unknown>> = {}): Promise<Answer['result']> {
    const answered = once(socket, 'message');
    socket.send(JSON.stringify({ id: 1, method, params }));
    const [{ data }] = (await answered) as [{ data: string }];
    return (JSON.parse(data) as Answer).result;
  }

  return {
    async collect() {
      const objectGroup = 'maps';
      const { result: prototype } = await ask('Runtime.evaluate', { expression: 'Map.prototype', objectGroup });
      const { objects: maps } = await ask('Runtime.queryObjects', {
        prototypeObjectId: prototype?.objectId,
        objectGroup,
      });
      await ask('Runtime.callFunctionOn', { objectId: maps?.objectId, functionDeclaration: forgetTokens });
      await ask('Runtime.releaseObjectGroup', { objectGroup });
      await ask('HeapProfiler.collectGarbage');
    },
    async stop() {
      socket.close();
    },
  };
}
