// The lock file: complete for every platform, and without the address of any registry.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

type Package = { resolved?: string; link?: boolean; optionalDependencies?: Record<string, string> };

const file = join(import.meta.dirname, '../../../package-lock.json');
const { packages } = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, Package> };

/** Where a package at `path` finds the dependency `name`: beside it or further up. */
function isLocked(path: string, name: string): boolean {
  for (let place = path; ; place = place.slice(0, Math.max(0, place.lastIndexOf('node_modules') - 1))) {
    if (packages[`${place}${place && '/'}node_modules/${name}`]) return true;
    if (place === '') return false;
  }
}

describe('the lock file', () => {
  it('holds the packages of every platform: without them `npm ci` fails elsewhere', () => {
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter((name) => !isLocked(path, name)),
    );
    assert.deepEqual(missing, [], 'make it anew: remove node_modules and package-lock.json, then `npm install`');
  });

  it('holds no address of a registry: each user brings their own', () => {
    const addresses = Object.values(packages).flatMap(({ resolved, link }) => (resolved && !link ? [resolved] : []));
    assert.deepEqual(addresses, []);
  });
});
