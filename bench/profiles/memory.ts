// The resident memory of a process, by what it holds.
import { readFileSync } from 'node:fs';

/** The mapping of a running argon2id hash in kB: the memory of its parameter m, with what comes with it. */
const HASH_KB = { least: 19 * 1024, most: 21 * 1024 };

const MAPPING = /^[0-9a-f]+-[0-9a-f]+ \S+ \S+ \S+ \d+ *(.*)\nSize: +(\d+) kB\n(?:.*\n)*?Rss: +(\d+) kB/gm;

/** Returns MB of 1,000,000 bytes by part, from /proc (Linux). */
export function readMemory(pid: number): Map<string, number> {
  const parts = new Map<string, number>();
  for (const [, name = '', size, resident] of readFileSync(`/proc/${pid}/smaps`, 'utf8').matchAll(MAPPING)) {
    const part = partOf(name, Number(size));
    parts.set(part, (parts.get(part) ?? 0) + (Number(resident) * 1024) / 1e6);
  }
  return parts;
}

function partOf(name: string, size: number): string {
  if (name.endsWith('/node')) return "Node's own program";
  if (name.startsWith('/')) return 'libraries and other files';
  if (name === '' && size >= HASH_KB.least && size <= HASH_KB.most) return 'hashes that run';
  return 'heap, code, stacks and other allocations';
}

export const sumOf = (parts: ReadonlyMap<string, number>): number => parts.values().reduce((a, b) => a + b, 0);
