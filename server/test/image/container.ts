// Containers of the image: built by the project's command, unpacked by umoci, run by runc in the network of this machine.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The user of the image. */
const USER_ID = 10_001;

/** How long `docker stop` waits before it kills. */
const STOP_PATIENCE_MS = 10_000;

type Variables = Readonly<Record<string, string>>;

type Ended = { code: number | null; out: string; err: string };

/** A container whose file system is read-only, whose user is that of the image, and who has no capability of root. */
export interface Container {
  hasEnded(): boolean;
  output(): string;
  /** Runs a command in it. */
  exec(...words: string[]): Promise<Ended>;
  /** Returns `/proc/PID/status` of its first process. */
  readStatus(): Promise<string>;
  /** Stops it as container runtimes do: SIGTERM, and after ten seconds SIGKILL. @returns its exit code. */
  stop(): Promise<number | null>;
}

export interface UnpackedImage {
  /** Creates an empty folder for /data. */
  createVolume(): Promise<string>;
  /** Runs a command in a new container without a volume. */
  run(...words: string[]): Promise<Ended>;
  /** Starts the service. @param volume without it, /data is read-only, too. @param command in place of `serve`. */
  start(env: Variables, volume?: string, command?: string): Container;
  remove(): Promise<void>;
}

/** Builds the image into a folder. @param before shell commands that change the environment of the build. */
export async function buildImage(folder: string, before = ':'): Promise<void> {
  const script = join(import.meta.dirname, '../../../scripts/image/main.ts');
  await must(['sh', '-c', `${before}; exec "$@"`, 'sh', process.execPath, script, folder]);
}

/** Unpacks the image of this layout with umoci, which checks the digests. */
export async function unpackImage(layout: string, version: string): Promise<UnpackedImage> {
  const { asRoot, leave } = await becomeRoot();
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-image-'));
  const unpacked = join(folder, 'unpacked');
  await must([...asRoot, 'umoci', 'unpack', '--image', `${layout}:${version}`, unpacked]);
  const runc = [...asRoot, 'runc', '--root', join(folder, 'state')];
  let count = 0;
  const begun: { name: string; child: ChildProcess }[] = [];

  function begin(env: Variables, words: readonly string[], volume?: string) {
    count += 1;
    const name = `latchkey-${process.pid}-${count}`;
    const bundle = join(folder, name);
    mkdirSync(bundle);
    writeFileSync(join(bundle, 'config.json'), JSON.stringify(configure(unpacked, env, words, volume)));
    const run = watch([...runc, 'run', '--bundle', bundle, name]);
    begun.push({ name, child: run.child });
    return { name, ...run };
  }

  return {
    async createVolume() {
      count += 1;
      const volume = join(folder, `volume-${count}`);
      await must([...asRoot, 'install', '-d', '-m', '700', '-o', `${USER_ID}`, '-g', `${USER_ID}`, volume]);
      return volume;
    },
    run: (...words) => begin({}, words).ended,
    start(env, volume, command = 'serve') {
      const { name, child, ended, output } = begin(env, [command], volume);
      return {
        hasEnded: () => child.exitCode !== null,
        output,
        exec: (...words) => watch([...runc, 'exec', name, ...words]).ended,
        async readStatus() {
          const { pid } = JSON.parse(await must([...runc, 'state', name]));
          return must([...asRoot, 'cat', `/proc/${pid}/status`]);
        },
        async stop() {
          child.kill('SIGTERM');
          const timer = setTimeout(() => watch([...runc, 'kill', name, 'KILL']), STOP_PATIENCE_MS);
          const { code } = await ended;
          clearTimeout(timer);
          return code;
        },
      };
    },
    async remove() {
      // A test that failed has not stopped its containers.
      for (const { name, child } of begun) {
        if (child.exitCode === null) await watch([...runc, 'delete', '--force', name]).ended;
      }
      await must([...asRoot, 'rm', '-rf', folder]);
      leave();
    },
  };
}

/**
 * Returns the words with which a command runs as root: none for root. For others, those that enter a user namespace in
 * which they are root and have further user ids.
 */
async function becomeRoot(): Promise<{ asRoot: readonly string[]; leave(): void }> {
  if (process.getuid?.() === 0) return { asRoot: [], leave() {} };
  const words = ['--user', '--map-root-user', '--map-auto', '--mount', 'sh', '-c', 'echo entered; exec cat'];
  const holder = spawn('unshare', words, { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(holder.stdout, 'data');
  const asRoot = ['nsenter', '--target', `${holder.pid}`, '--user', '--mount', '--setuid', '0', '--setgid', '0'];
  return { asRoot, leave: () => void holder.stdin.end() };
}

/** The part of an OCI runtime configuration that these tests change. */
type RuntimeConfiguration = {
  process: { terminal: boolean; args: string[]; env: string[]; capabilities: object };
  root: { path: string; readonly: boolean };
  mounts: { destination: string; type: string; source: string; options: string[] }[];
  linux: { namespaces: { type: string }[]; resources?: object };
};

/** Returns the configuration that umoci made of the image, with the restrictions of a careful operator. */
function configure(unpacked: string, env: Variables, words: readonly string[], volume?: string) {
  // umoci writes what the runtime specification defines.
  const made = JSON.parse(readFileSync(join(unpacked, 'config.json'), 'utf8')) as RuntimeConfiguration;
  const [entryPoint = ''] = made.process.args;
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const { resources: _, ...linux } = made.linux;
  return {
    ...made,
    process: {
      ...made.process,
      terminal: false,
      args: [entryPoint, ...words],
      env: [...made.process.env, ...variables],
      capabilities: {},
    },
    root: { path: join(unpacked, 'rootfs'), readonly: true },
    mounts: [
      ...made.mounts.filter(({ destination }) => /^\/(proc|dev)\b/.test(destination)),
      ...(volume ? [{ destination: '/data', type: 'bind', source: volume, options: ['bind', 'rw'] }] : []),
    ],
    linux: { ...linux, namespaces: linux.namespaces.filter(({ type }) => type !== 'network') },
  };
}

/** Runs a program. Its output is also there while it runs. */
function watch([program = '', ...args]: readonly string[]): {
  child: ChildProcess;
  output(): string;
  ended: Promise<Ended>;
} {
  // Debian installs runc for administrators.
  const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    out += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk) => {
    err += chunk;
  });
  const ended = once(child, 'close').then(([code]) => ({ code, out, err }));
  return { child, output: () => out + err, ended };
}

/** Runs a program that must not fail. @returns its output. */
async function must(words: readonly string[]): Promise<string> {
  const { code, out, err } = await watch(words).ended;
  assert.equal(code, 0, `${words.join(' ')}: ${err}`);
  return out;
}
