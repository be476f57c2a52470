// Builds the files of a release from nothing but the sources: the tarball, its SBOM, and their hashes.
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildPackage } from '../bundle/main.ts';
import { root } from '../layout.mjs';
import { buildPagesInto } from '../pages.mjs';
import { createSbom } from './sbom.ts';
import { pack } from './tarball.ts';

const SBOM = 'sbom.cdx.json';
const SUMS = 'SHA256SUMS';

/**
 * Fills the folder `target` with the files of the release, and removes those of earlier versions.
 * @returns the path of the tarball
 */
export async function buildReleaseFiles(target: string): Promise<string> {
  mkdirSync(target, { recursive: true });
  for (const name of readdirSync(target)) if (isReleaseFile(name)) rmSync(join(target, name));
  const work = mkdtempSync(join(target, '.release-'));
  try {
    await buildPagesInto(join(work, 'pages'), root);
    const folder = join(work, 'package');
    const bundled = await buildPackage(folder, join(work, 'pages'));
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const tarball = `${manifest.name}-${manifest.version}.tgz`;
    pack(folder, Object.values(manifest.bin), join(target, tarball));
    writeFileSync(join(target, SBOM), createSbom(manifest, bundled));
    writeFileSync(
      join(target, SUMS),
      [tarball, SBOM].map((name) => `${sha256(join(target, name))}  ${name}\n`).join(''),
    );
    return join(target, tarball);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function isReleaseFile(name: string): boolean {
  return [SBOM, SUMS].includes(name) || /^latchkey-\d.*\.tgz$/.test(name);
}

function sha256(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

if (import.meta.main) await buildReleaseFiles(resolve(process.argv[2] as string));
