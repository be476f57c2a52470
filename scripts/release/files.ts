// Builds the files of a release from nothing but the sources: the tarballs, their SBOM, and their hashes.
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
 * @returns the paths of the tarballs: of the service, and of the SDK
 */
export async function buildReleaseFiles(target: string): Promise<string[]> {
  mkdirSync(target, { recursive: true });
  for (const name of readdirSync(target)) if (isReleaseFile(name)) rmSync(join(target, name));
  const work = mkdtempSync(join(target, '.release-'));
  try {
    await buildPagesInto(join(work, 'pages'), root);
    const folder = join(work, 'package');
    const bundled = await buildPackage(folder, join(work, 'pages'));
    const manifest = readManifest(folder);
    const tarballs = [folder, join(folder, 'sdk')].map((one) => packInto(target, one));
    writeFileSync(join(target, SBOM), createSbom(manifest, bundled));
    const sums = [...tarballs, SBOM].map((name) => `${sha256(join(target, name))}  ${name}\n`);
    writeFileSync(join(target, SUMS), sums.join(''));
    return tarballs.map((name) => join(target, name));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function readManifest(folder: string) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

/** Packs the package in `folder` into the folder `target`. @returns the name of the tarball. */
function packInto(target: string, folder: string): string {
  const { name, version, bin = {} } = readManifest(folder);
  const tarball = `${name}-${version}.tgz`;
  pack(folder, Object.values(bin), join(target, tarball));
  return tarball;
}

function isReleaseFile(name: string): boolean {
  return [SBOM, SUMS].includes(name) || /^latchkey(-sdk)?-\d.*\.tgz$/.test(name);
}

function sha256(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

if (import.meta.main) await buildReleaseFiles(resolve(process.argv[2] as string));
