// Builds the container image into a folder: an OCI image layout, made without a base image.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Refusal, root, say } from '../layout.mjs';
import { readContents, USER_ID } from './contents.ts';
import { type Image, writeLayout } from './layout.ts';

const [target = 'dist/image'] = process.argv.slice(2);

/** The names that Go, and so container registries, have for architectures. */
const architectures: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

/** In nanoseconds. */
const SECOND = 1e9;
const MINUTE = 60 * SECOND;

/** @param folder the built package. */
function describeImage(folder: string): Image {
  const { name, version, description, rollsFrom } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const { runtime, service } = readContents(folder);
  return {
    name,
    version,
    architecture: architectures[process.arch] ?? process.arch,
    layers: [
      { entries: runtime, about: `Node ${process.versions.node} and its libraries` },
      { entries: service, about: `Latchkey ${version}` },
    ],
    config: {
      User: `${USER_ID}:${USER_ID}`,
      ExposedPorts: { '8080/tcp': {} },
      Env: [
        'PATH=/usr/bin',
        'LATCHKEY_HOST=0.0.0.0',
        'LATCHKEY_DATA_DIR=/data',
        'NODE_COMPILE_CACHE=/data/compiled',
        // SQLite sorts large tables in temporary files, and imports have some. No other folder is writable on a read-only file system.
        'TMPDIR=/data',
      ],
      Entrypoint: ['/usr/bin/latchkey'],
      Cmd: ['serve'],
      Volumes: { '/data': {} },
      WorkingDir: '/',
      StopSignal: 'SIGTERM',
      // Docker's addition to the OCI configuration. The service answers when the database is migrated.
      Healthcheck: {
        Test: ['CMD', 'latchkey', 'doctor', '--live'],
        Interval: 30 * SECOND,
        Timeout: 10 * SECOND,
        StartPeriod: 30 * MINUTE,
      },
      Labels: {
        'org.opencontainers.image.title': 'Latchkey',
        'org.opencontainers.image.description': description,
        'org.opencontainers.image.version': version,
        // The version whose nodes may run beside this one's.
        'io.latchkey.rolls-from': `${rollsFrom.version} (${rollsFrom.commit})`,
        'org.opencontainers.image.licenses': 'MIT AND LGPL-2.1-or-later AND (GPL-3.0-or-later WITH GCC-exception-3.1)',
      },
    },
  };
}

const fresh = mkdtempSync(join(tmpdir(), 'latchkey-image-'));
try {
  execFileSync(process.execPath, ['scripts/bundle/main.ts', fresh], { cwd: root, stdio: 'inherit' });
  const image = describeImage(fresh);
  const folder = resolve(root, target);
  if (existsSync(folder) && !existsSync(join(folder, 'oci-layout'))) {
    throw new Refusal(`${folder} holds something else than an image. Name a folder that does not exist yet.`);
  }
  rmSync(folder, { recursive: true, force: true });
  const { digest, size } = await writeLayout(folder, image);
  say(`${image.name}:${image.version} for linux/${image.architecture}, ${(size / 1e6).toFixed(1)} MB, ${digest}`);
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  say(error.message);
  process.exitCode = 1;
} finally {
  rmSync(fresh, { recursive: true, force: true });
}
