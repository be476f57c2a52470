// A package as a stranger has it: packed, and installed by npm into an empty folder, without a network and as an ordinary user.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { root } from './guide.ts';
import { findFreePort } from './ports.ts';
import { isReady } from './process.ts';

const execute = promisify(execFile);
const LOOK_MS = 20;

/** The packages with native code that the package depends on, with the one for this platform. */
const natives = join(root, 'node_modules/@node-rs');

/** The folders of what an installation of the service needs, and of what one of the SDK needs. */
export const packages = {
  service: [join(root, 'dist/package'), ...readdirSync(natives).map((name) => join(natives, name))],
  sdk: [join(root, 'dist/package/sdk')],
};

/** An ordinary user. The tests of continuous integration run as root, which may read and write every file. */
const user = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : undefined;

export type Ended = { code: number | null; out: string; err: string };

export interface Installation {
  /** What npm wrote on its error stream while it installed. */
  readonly warnings: string;
  /** Its folder: package.json and node_modules, and what the commands write. */
  readonly folder: string;
  /** Runs a program in the folder as the ordinary user, with only these variables besides PATH and HOME. */
  run(program: string, args: readonly string[], env?: Record<string, string>): Promise<Ended>;
  /** Starts `latchkey serve` in the folder, and waits until it is ready. */
  serve(env?: Record<string, string>): Promise<RunningService>;
  /** Starts it by npx, which then gets the signal of `stop`. */
  serveByNpx(env?: Record<string, string>): Promise<RunningService>;
  /** Starts it on a terminal, with this command. Words of the command have no spaces. */
  serveOnTerminal(command: string, env?: Record<string, string>): Promise<RunningService>;
  remove(): void;
}

export interface RunningService {
  readonly url: string;
  /** Its output so far, on both streams. */
  output(): string;
  /** Stops it with SIGTERM, and on a terminal with Ctrl+C. @returns its exit code. */
  stop(): Promise<number | null>;
}

const CTRL_C = '\u0003';

/** Installs packages. @param npmEnv more variables for npm while it installs. */
export async function install(
  folders: readonly string[],
  npmEnv: Readonly<Record<string, string>> = {},
): Promise<Installation> {
  const top = mkdtempSync(join(tmpdir(), 'latchkey-installed-'));
  const [tarballs, home, folder] = ['tarballs', 'home', 'site'].map((name) => join(top, name)) as [
    string,
    string,
    string,
  ];
  for (const one of [tarballs, home, folder]) mkdirSync(one);
  const env = { PATH: [dirname(process.execPath), process.env.PATH].join(delimiter), HOME: home };
  await execute('npm', ['pack', '--silent', '--pack-destination', tarballs, ...folders], { cwd: top });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  if (user) for (const one of [top, home, folder, join(folder, 'package.json')]) chownSync(one, user.uid, user.gid);
  const options = { cwd: folder, ...user };
  const files = readdirSync(tarballs).map((name) => join(tarballs, name));
  const { stderr: warnings } = await execute('npm', ['install', '--offline', '--no-audit', '--no-fund', ...files], {
    ...options,
    env: { ...env, ...npmEnv },
  });

  function start(program: string, args: readonly string[], more: Record<string, string>, stdin: 'ignore' | 'pipe') {
    const child = spawn(program, args, { ...options, env: { ...env, ...more }, stdio: [stdin, 'pipe', 'pipe'] });
    const written = { out: '', err: '' };
    child.stdout?.setEncoding('utf8').on('data', (chunk) => {
      written.out += chunk;
    });
    child.stderr?.setEncoding('utf8').on('data', (chunk) => {
      written.err += chunk;
    });
    return { child, written, ended: once(child, 'close').then(([code]) => ({ code, ...written })) };
  }

  async function serve(
    [program = '', ...args]: readonly string[],
    more: Record<string, string>,
    stopBy: (child: ChildProcess) => void,
  ): Promise<RunningService> {
    const port = await findFreePort();
    const { child, written, ended } = start(program, args, { LATCHKEY_PORT: String(port), ...more }, 'pipe');
    const url = `http://127.0.0.1:${port}`;
    const output = () => written.out + written.err;
    while (!(await isReady(url))) {
      if (child.exitCode !== null) throw new Error(`The service ended at its start: ${output()}`);
      await sleep(LOOK_MS);
    }
    return {
      url,
      output,
      async stop() {
        stopBy(child);
        return (await ended).code;
      },
    };
  }

  return {
    warnings,
    folder,
    run: (program, args, more = {}) => start(program, args, more, 'ignore').ended,
    serve: (more = {}) => serve([join(folder, 'node_modules/.bin/latchkey'), 'serve'], more, (child) => child.kill()),
    serveByNpx: (more = {}) => serve(['npx', '--offline', 'latchkey', 'serve'], more, (child) => child.kill()),
    // script(1) gives the command a terminal, and passes its input on. Its shell must not answer Ctrl+C itself.
    serveOnTerminal: (command, more = {}) =>
      serve(['script', '--quiet', '--return', '--command', `exec ${command} serve`, '/dev/null'], more, (child) =>
        child.stdin?.write(CTRL_C),
      ),
    remove: () => rmSync(top, { recursive: true, force: true }),
  };
}
