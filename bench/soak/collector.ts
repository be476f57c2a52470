// What a leak would add to: by its inspector, the service forgets the tokens that it has verified, and collects all garbage.
import { once } from 'node:events';

export interface Collector {
  /** Empties the caches of verified tokens and collects all garbage. @returns what is left on the heap, in bytes. */
  collect(): Promise<number>;
  stop(): Promise<void>;
}

/**
 * Of its kind, the caches alone are so large: a smaller map may hold callers who wait. The prototypes of classes that extend `Map` are
 * found too, and are no maps.
 */
const forgetTokens = `function () {
  const { isMap } = process.getBuiltinModule('util').types;
  for (const map of this.filter(isMap)) {
    const [key] = map.keys();
    if (map.size >= 500 && typeof key === 'string' && key.startsWith('eyJ')) map.clear();
  }
}`;

type Answer = {
  readonly result: { result?: Found; objects?: Found; usedSize?: number; exceptionDetails?: object };
  readonly error?: object;
};
type Found = { readonly objectId: string };

/** @param port where the inspector of the process listens, on this machine. */
export async function openCollector(port: number): Promise<Collector> {
  const targets = await (await fetch(`http://127.0.0.1:${port}/json/list`)).json();
  const [{ webSocketDebuggerUrl }] = targets as [{ webSocketDebuggerUrl: string }];
  const socket = new WebSocket(webSocketDebuggerUrl);
  await once(socket, 'open');

  /** @throws Error if the command, or the code that it runs, has failed. */
  async function ask(method: string, params: Readonly<Record<string, unknown>> = {}): Promise<Answer['result']> {
    const answered = once(socket, 'message');
    socket.send(JSON.stringify({ id: 1, method, params }));
    const [{ data }] = (await answered) as [{ data: string }];
    const { result, error = result.exceptionDetails } = JSON.parse(data) as Answer;
    if (error) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return result;
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
      return (await ask('Runtime.getHeapUsage')).usedSize ?? Number.NaN;
    },
    async stop() {
      socket.close();
    },
  };
}
