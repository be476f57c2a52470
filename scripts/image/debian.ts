// The image's part of Debian: shared libraries of the system that builds the image, and what must come with them.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { TarEntry } from 'modern-tar';
import { Refusal } from '../layout.mjs';
import { file, symlink } from './layer.ts';

/**
 * Returns the libraries, with the licences and the records of the Debian packages that they belong to. Vulnerability
 * scanners read these records.
 * @param libraries absolute paths on this machine.
 * @throws Refusal if a library belongs to no Debian package.
 */
export function librariesOfDebian(libraries: readonly string[]): TarEntry[] {
  const packages = [...new Set(libraries.map(packageOf))];
  return [
    symlink('/lib', 'usr/lib'),
    symlink('/lib64', 'usr/lib64'),
    ...libraries.map((path) => file(`/usr${withoutUsr(path)}`, readFileSync(path), 0o755)),
    file('/etc/os-release', readFileSync('/etc/os-release')),
    ...packages.flatMap((name) => [
      file(`/var/lib/dpkg/status.d/${name}`, queryPackages('--status', name)),
      file(`/usr/share/doc/${name}/copyright`, readFileSync(`/usr/share/doc/${name}/copyright`)),
    ]),
  ];
}

/** In Debian 12, /lib is a link to /usr/lib, but some packages still name their files below /lib. */
const withoutUsr = (path: string) => path.replace(/^\/usr/, '');

function packageOf(path: string): string {
  const bare = withoutUsr(path);
  const [, name] = /^([a-z0-9.+-]+)(?::\w+)?: \//m.exec(queryPackages('--search', bare, `/usr${bare}`)) ?? [];
  if (name !== undefined) return name;
  throw new Refusal(`${path} is of no Debian package. Build the image on Debian or a system made from it.`);
}

/** Returns what `dpkg-query` prints; nothing if it is not there. */
function queryPackages(...args: string[]): string {
  return spawnSync('dpkg-query', args, { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } }).stdout ?? '';
}
