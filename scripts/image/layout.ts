// The image as an OCI image layout, which `docker load` reads, too.
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { TarEntry } from 'modern-tar';
import { packLayer } from './layer.ts';

/** One layer: its entries, and what `docker history` shows. */
export type Layer = { entries: readonly TarEntry[]; about: string };

/** What the image is, in the terms of the OCI image configuration. */
export type Image = {
  name: string;
  version: string;
  /** As Go names it: amd64, arm64. */
  architecture: string;
  layers: readonly Layer[];
  config: Readonly<Record<string, unknown>>;
};

/** The digest of an image, and the bytes that a registry sends for it. */
export type Written = { digest: string; size: number };

type Descriptor = { mediaType: string; digest: string; size: number };

const CREATED = '1970-01-01T00:00:00Z';

/** Writes the image into an empty folder. Its bytes depend on nothing but the image (OCI image layout 1.0). */
export async function writeLayout(
  folder: string,
  { name, version, architecture, layers, config }: Image,
): Promise<Written> {
  mkdirSync(join(folder, 'blobs/sha256'), { recursive: true });
  const archives = await Promise.all(layers.map(({ entries }) => packLayer(entries)));
  const packed = await Promise.all(archives.map((archive) => promisify(gzip)(archive)));
  const blobs = packed.map((bytes) => writeBlob(folder, 'application/vnd.oci.image.layer.v1.tar+gzip', bytes));
  const platform = { architecture, os: 'linux' };
  const configuration = writeJson(folder, 'application/vnd.oci.image.config.v1+json', {
    created: CREATED,
    ...platform,
    config,
    rootfs: { type: 'layers', diff_ids: archives.map(digestOf) },
    history: layers.map(({ about }) => ({ created: CREATED, created_by: about })),
  });
  const manifest = writeJson(folder, 'application/vnd.oci.image.manifest.v1+json', {
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.manifest.v1+json',
    config: configuration,
    layers: blobs,
  });
  const annotations = {
    'org.opencontainers.image.ref.name': version,
    // The name under which Docker and containerd load the image.
    'io.containerd.image.name': `docker.io/library/${name}:${version}`,
  };
  write(folder, 'oci-layout', { imageLayoutVersion: '1.0.0' });
  write(folder, 'index.json', {
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.index.v1+json',
    manifests: [{ ...manifest, platform, annotations }],
  });
  // Docker before version 25 reads this file instead.
  write(folder, 'manifest.json', [
    { Config: pathOf(configuration), RepoTags: [`${name}:${version}`], Layers: blobs.map(pathOf) },
  ]);
  const size = [manifest, configuration, ...blobs].reduce((sum, blob) => sum + blob.size, 0);
  return { digest: manifest.digest, size };
}

const digestOf = (bytes: Uint8Array) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

const pathOf = ({ digest }: Descriptor) => `blobs/${digest.replace(':', '/')}`;

function writeBlob(folder: string, mediaType: string, bytes: Uint8Array): Descriptor {
  const descriptor = { mediaType, digest: digestOf(bytes), size: bytes.length };
  writeFileSync(join(folder, pathOf(descriptor)), bytes);
  return descriptor;
}

const writeJson = (folder: string, mediaType: string, value: unknown) =>
  writeBlob(folder, mediaType, Buffer.from(JSON.stringify(value)));

const write = (folder: string, name: string, value: unknown) =>
  writeFileSync(join(folder, name), JSON.stringify(value));
