// Source maps: stack traces of the bundle name the sources. The option of Node would read all maps at the start, which takes
// 30 ms and 10 MB. Here a map is read when an error has a position that is not known yet.
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';

/** The folder of this module. In a package it holds the bundle, with a map beside each file. */
const folder = new URL('.', import.meta.url);
const POSITION = new RegExp(`${RegExp.escape(folder.href)}([\\w~-]+\\.js):(\\d+):\\d+`, 'g');

/** Maps take some 50 ms to read, so the most recent positions are kept. */
const MAX_KNOWN = 1000;
const known = new Map<string, string>();

/** Returns the stack with the source and line of each position in the bundle. Positions without a map stay as they are. */
export function nameSources(stack: string): string {
  const maps = new Map<string, SourceMap | undefined>();
  return stack.replace(POSITION, (position, file: string, line: string) => {
    const found = known.get(position) ?? findSource(maps, file, Number(line) - 1) ?? position;
    if (known.size === MAX_KNOWN) known.clear();
    known.set(position, found);
    return found;
  });
}

/** @param line counted from 0. */
function findSource(maps: Map<string, SourceMap | undefined>, file: string, line: number): string | undefined {
  if (!maps.has(file)) maps.set(file, readMap(file));
  const entry = maps.get(file)?.findEntry(line, 0);
  if (!entry || !('originalSource' in entry) || !entry.originalSource) return undefined;
  return `${entry.originalSource}:${entry.originalLine + 1}`;
}

function readMap(file: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(new URL(`${file}.map`, folder), 'utf8')));
  } catch {
    return undefined;
  }
}
