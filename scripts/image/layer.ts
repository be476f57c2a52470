// Layers: tar archives whose bytes depend on nothing but their entries.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packTar, type TarEntry } from 'modern-tar';

/** The time of all entries: two builds are identical. */
const mtime = new Date(0);

const root = { uid: 0, gid: 0 };

/** @param path absolute in the image, as everywhere here. */
export function file(path: string, content: string | Uint8Array, mode = 0o644): TarEntry {
  const body = Buffer.from(content);
  return { header: { name: path.slice(1), type: 'file', size: body.length, mode, mtime, ...root }, body };
}

export function directory(path: string, { mode = 0o755, owner = root } = {}): TarEntry {
  return { header: { name: `${path.slice(1)}/`, type: 'directory', size: 0, mode, mtime, ...owner } };
}

export function symlink(path: string, linkname: string): TarEntry {
  return { header: { name: path.slice(1), type: 'symlink', linkname, size: 0, mode: 0o777, mtime, ...root } };
}

/** Returns the files below a folder of this machine, for the folder `path` of the image. */
export function filesBelow(folder: string, path: string): TarEntry[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const source = join(folder, entry.name);
    const target = `${path}/${entry.name}`;
    return entry.isDirectory() ? filesBelow(source, target) : [file(target, readFileSync(source))];
  });
}

/** Returns the tar archive of the entries and of the directories above them, in the order of their names. */
export function packLayer(entries: readonly TarEntry[]): Promise<Uint8Array> {
  const parents = entries.flatMap(({ header }) => parentsOf(header.name));
  const byName = new Map(
    [...parents.map((path) => directory(path)), ...entries].map((entry) => [entry.header.name, entry]),
  );
  return packTar([...byName.keys()].sort().flatMap((name) => byName.get(name) ?? []));
}

/** Returns `/usr` and `/usr/bin` for `usr/bin/node`. */
function parentsOf(name: string): string[] {
  const above = name.split('/').filter(Boolean).slice(0, -1);
  return above.map((_, index) => `/${above.slice(0, index + 1).join('/')}`);
}
