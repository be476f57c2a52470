// The npm packages whose code is in a build, and what the lock file says of them.
import { readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { LogLevel } from 'rolldown';
import { root } from '../layout.mjs';

/** An installed package. `folder` is relative to the checkout; `integrity` is the hash of its tarball, as in the lock file. */
export type Package = {
  readonly folder: string;
  readonly name: string;
  readonly version: string;
  readonly license: string | undefined;
  readonly integrity: string;
  readonly isOptional: boolean;
};

type Locked = {
  name?: string;
  version: string;
  license?: string;
  integrity: string;
  optional?: boolean;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
};

/** What a bundler writes: chunks, which list their modules, and assets. */
type Output = { readonly type: string; readonly modules?: Readonly<Record<string, unknown>> };

const lock: Record<string, Locked> = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;

/** Fails the build. An import that does not resolve, for one, would fail only where the package is installed. */
export function failOnWarning(level: LogLevel, { message }: { message: string }): void {
  if (level === 'warn') throw new Error(message);
}

/** Returns the folders of the packages whose code a bundler put into `output`, the bundler's own code included. */
export function packagesIn(output: readonly Output[]): string[] {
  const modules = output.flatMap(({ modules = {} }) => Object.keys(modules));
  return [...new Set(modules.flatMap((module) => packageOf(module) ?? []))];
}

/** Returns the folder of the package that a module belongs to, or `undefined` for a module of this project. */
export function packageOf(module: string): string | undefined {
  // A bundler's own modules have no file: NUL, its name, their path.
  const path = module.startsWith('\0')
    ? `node_modules/${module.slice(1)}`
    : relative(root, module).replaceAll(sep, '/');
  const folder = /^(.*\/)?node_modules\/(@[^/]+\/)?[^/]+/.exec(path)?.[0];
  if (folder !== undefined && !lock[folder])
    throw new Error(`The lock file has no ${folder}, which ${module} belongs to.`);
  return folder;
}

/** Returns what the lock file says of the package in `folder`. */
export function readPackage(folder: string): Package {
  const locked = lock[folder];
  if (!locked) throw new Error(`The lock file has no ${folder}.`);
  const { name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length) } = locked;
  const { version, license, integrity, optional: isOptional = false } = locked;
  return { folder, name, version, license, integrity, isOptional };
}

/** Returns the folders of the packages that the package or workspace in `folder` depends on, if the lock file has them. */
export function dependenciesOf(folder: string): string[] {
  const { dependencies, devDependencies, peerDependencies, optionalDependencies } = lock[folder] ?? {};
  const all = { ...dependencies, ...devDependencies, ...peerDependencies, ...optionalDependencies };
  return Object.keys(all).flatMap((name) => resolve(folder, name) ?? []);
}

/** Returns where Node finds the package `name` from `folder`: inside it or further up. */
function resolve(folder: string, name: string): string | undefined {
  for (let place = folder; ; place = place.slice(0, Math.max(0, place.lastIndexOf('/')))) {
    const found = `${place}${place && '/'}node_modules/${name}`;
    if (lock[found]) return found;
    if (place === '') return undefined;
  }
}
