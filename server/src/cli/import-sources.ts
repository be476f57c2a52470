// Files as sources that can be read any number of times: a folder stands for its files, and a pipe for a copy of what it gave.
import { readdirSync } from 'node:fs';
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Source } from 'latchkey-user-files';
import { errorCodeOf } from '../foundation/errors.ts';
import { CommandFailure } from './command.ts';
import { readStats } from './import-file.ts';
import { printProgress } from './output.ts';
import { fromCaller } from './paths.ts';

/** Entries after which the progress is printed. */
const PROGRESS_EVERY = 10_000;

const CHUNK_BYTES = 65_536;

export interface ImportSources {
  readonly paths: readonly string[];
  readonly sources: readonly Source[];
  /** @throws CommandFailure if a file was written to since it was opened: what was read twice may not fit together. */
  requireUnchanged(): Promise<void>;
  /** Yields what is read from the sources, and prints the progress of long ones. */
  withProgress<Item extends { kind: string }>(items: AsyncIterable<Item>): AsyncGenerator<Item>;
  close(): Promise<void>;
}

/** Returns the files at paths as the person typed them. @throws CommandFailure if one cannot be read. */
export async function openImportSources(given: readonly string[]): Promise<ImportSources> {
  const found = given.flatMap(listFiles);
  /** Bytes that were read since the last beginning of a file. */
  const read = new Map<string, number>();
  const opened = await Promise.all(
    found.map(async ({ path, name }) => {
      const handle = await openSeekable(path, name);
      return { path, name, handle, stats: await handle.stat() };
    }),
  );
  const sources = opened.map(
    ({ path, name, handle, stats: { size } }): Source => ({
      name,
      size,
      async *open() {
        read.set(path, 0);
        for await (const chunk of readChunks(handle)) {
          read.set(path, (read.get(path) ?? 0) + chunk.length);
          yield chunk;
        }
      },
    }),
  );
  const total = sources.reduce((sum, { size }) => sum + size, 0);
  return {
    paths: found.map(({ path }) => path),
    sources,
    async requireUnchanged() {
      for (const { name, handle, stats } of opened) {
        const { size, mtimeMs } = await handle.stat();
        if (size !== stats.size || mtimeMs !== stats.mtimeMs)
          throw new CommandFailure(
            `${name} changed while it was read. Wait until it is complete, and repeat the import with --update.`,
          );
      }
    },
    async *withProgress(items) {
      let count = 0;
      read.clear();
      for await (const item of items) {
        yield item;
        count += 1;
        if (count % PROGRESS_EVERY !== 0) continue;
        const done = [...read.values()].reduce((sum, bytes) => sum + bytes, 0);
        const share = total > 0 ? ` (${Math.floor((100 * done) / total)} %)` : '';
        printProgress(`${count.toLocaleString('en')} ${item.kind}s${share}`);
      }
    },
    async close() {
      for (const { handle } of opened) await handle.close();
    },
  };
}

/** A file that is named alone, or the files of a folder, such as an export of Keycloak. Hidden ones are left out. */
function listFiles(given: string): { path: string; name: string }[] {
  const path = fromCaller(given);
  if (!readStats(path, given).isDirectory()) return [{ path, name: given }];
  const files = readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map(({ name }) => ({ path: join(path, name), name }))
    .sort((one, other) => one.name.localeCompare(other.name, 'en', { numeric: true }));
  if (files.length === 0) throw new CommandFailure(`${given} is a folder without files.`);
  return files;
}

/** Opens a file that can be read more than once. A pipe is copied to a file without a name, which is gone when this process ends. */
async function openSeekable(path: string, given: string): Promise<FileHandle> {
  const file = await open(path);
  if ((await file.stat()).isFile()) return file;
  try {
    const folder = await mkdtemp(join(tmpdir(), 'latchkey-import-'));
    const copy = await open(join(folder, 'copy'), 'wx+', 0o600);
    await rm(folder, { recursive: true });
    await copy.writeFile(file.createReadStream());
    return copy;
  } catch (error) {
    await file.close();
    throw new CommandFailure(
      `Cannot copy ${given} to ${tmpdir()} (${errorCodeOf(error)}): set TMPDIR to a folder that is writable and has more space, or give a file instead of a pipe.`,
    );
  }
}

/** Yields the bytes of a file from its beginning. Unlike a stream, it leaves the file open. */
async function* readChunks(file: FileHandle): AsyncGenerator<Uint8Array> {
  for (let position = 0; ; ) {
    const { bytesRead, buffer } = await file.read({ buffer: Buffer.alloc(CHUNK_BYTES), position });
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}
