// The tarball that npm publishes and installs.
import { readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { create } from 'tar';

/** The time that npm gives all files of a package. */
const FILE_TIME = new Date('1985-10-26T08:15:00Z');

/**
 * Packs a folder. The bytes depend only on the names and contents of the files: not on the user's npm, umask, or the time.
 * @param folder the package
 * @param programs files that may be executed, relative to `folder`
 * @param file the tarball
 */
export function pack(folder: string, programs: readonly string[], file: string): void {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const names = entries.map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/'));
  const mode = (name: string) => (programs.includes(name) ? 0o755 : 0o644);
  create(
    {
      sync: true,
      file,
      cwd: folder,
      prefix: 'package',
      gzip: { level: 9 },
      // Without owners, devices and the system's mark in the header of gzip.
      portable: true,
      mtime: FILE_TIME,
      onWriteEntry: (entry) => {
        if (entry.stat) entry.stat.mode = mode(entry.path);
      },
    },
    names.sort(),
  );
}
