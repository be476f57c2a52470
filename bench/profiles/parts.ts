// The parts of a program in its CPU profile: how the main thread's time divides between libraries, Node and the service.
import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

type Frame = { readonly functionName: string; readonly url: string; readonly lineNumber: number };

/** A file that `node --cpu-prof` writes. Times are in microseconds. */
export type Profile = {
  readonly nodes: readonly { readonly id: number; readonly callFrame: Frame; readonly children?: readonly number[] }[];
  /** The node that ran at each sample, and the time since the sample before. */
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
  readonly startTime: number;
  readonly endTime: number;
};

/** Returns each part's share of the time in which the main thread worked, of the last `seconds`; their sum is 1. */
export function partsOf(profile: Profile, seconds: number): Map<string, number> {
  const partOf = partsOfNodes(profile);
  const times = new Map<string, number>();
  let now = profile.startTime;
  for (const [index, node] of profile.samples.entries()) {
    now += profile.timeDeltas[index] ?? 0;
    const part = partOf.get(node) ?? '';
    if (part === IDLE || now < profile.endTime - seconds * 1e6) continue;
    // A sample stands for the time until the next one.
    times.set(part, (times.get(part) ?? 0) + (profile.timeDeltas[index + 1] ?? 0));
  }
  const whole = times.values().reduce((a, b) => a + b, 0);
  return new Map(times.entries().map(([part, time]) => [part, time / whole]));
}

const IDLE = '(idle)';

/** What the profiler calls time outside any function. */
const outside: Readonly<Record<string, string>> = {
  '(garbage collector)': 'garbage collection',
  '(program)': 'event loop and engine',
  '(root)': 'event loop and engine',
};

function partsOfNodes({ nodes }: Profile): Map<number, string> {
  const parts = new Map<number, string>();
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  // A parent stands before its children.
  for (const { id, callFrame } of nodes) {
    const caller = parts.get(parents.get(id) ?? 0) ?? outside['(root)'];
    parts.set(id, callFrame.url ? partOfModule(callFrame) : partOfNative(callFrame.functionName, caller as string));
  }
  return parts;
}

const SOCKET_WRITES = /^write(v|Buffer|[A-Z]\w*String)$/;

/** A native function has no file: it counts for its caller. */
function partOfNative(name: string, caller: string): string {
  if (name === IDLE) return IDLE;
  if (outside[name]) return outside[name];
  if (SOCKET_WRITES.test(name)) return 'writing to the socket';
  return caller;
}

const ofNode: readonly (readonly [RegExp, string])[] = [
  [/^node:(_http|internal\/http)/, "Node's HTTP"],
  [/^node:(net|stream|internal\/streams|internal\/stream_base_commons)/, "Node's sockets and streams"],
  [/crypto/, "Node's cryptography"],
];

function partOfModule({ url, lineNumber }: Frame): string {
  if (url.startsWith('node:')) return ofNode.find(([pattern]) => pattern.test(url))?.[1] ?? 'Node, other';
  const file = sourceOf(url, lineNumber);
  const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1];
  if (name) return `\`${name}\``;
  // The profiler counts the work of SQLite for the function that calls it.
  return SQLITE.test(file) ? 'SQLite and its driver' : 'its own code';
}

const SQLITE = /src\/storage\/sqlite/;

const sourceMaps = new Map<string, SourceMap | undefined>();

/** Returns the file that a line of a bundle comes from, or the file itself if it has no source map. */
function sourceOf(url: string, line: number): string {
  if (!sourceMaps.has(url)) {
    const path = url.startsWith('file:') ? `${fileURLToPath(url)}.map` : '';
    sourceMaps.set(url, existsSync(path) ? new SourceMap(JSON.parse(readFileSync(path, 'utf8'))) : undefined);
  }
  const entry = sourceMaps.get(url)?.findEntry(line, 0);
  return entry && 'originalSource' in entry ? entry.originalSource : url;
}
