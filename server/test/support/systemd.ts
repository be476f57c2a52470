// systemd as process 1 of its own namespaces, so that a unit runs with all of its restrictions.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const BOOT = join(import.meta.dirname, '../deploy/boot-systemd.sh');
const PATIENCE_MS = 30_000;
const LOOK_MS = 50;

export interface Systemd {
  /** Runs a shell script as root beside systemd. Returns its output. Rejects with it if it fails. */
  run(script: string): Promise<string>;
  stop(): Promise<void>;
}

/** Boots systemd on a copy of this machine's root with the files of this folder. It shares the network. Needs root. */
export async function bootSystemd(files: string): Promise<Systemd> {
  assert.equal(process.getuid?.(), 0, 'This test boots systemd: run it as root.');
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-systemd-'));
  const group = createControlGroup();
  const namespaces = ['--mount', '--pid', '--fork', '--kill-child', '--uts', '--ipc', '--cgroup'];
  const script = 'echo $$ >"$0/cgroup.procs" && exec unshare "$@"';
  const child = spawn('sh', ['-c', script, group, ...namespaces, 'sh', BOOT, folder, files], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk) => {
      output += chunk;
    });
  }
  const closed = new Promise((resolve) => child.once('close', resolve));

  async function run(command: string): Promise<string> {
    const { stdout: init } = await promisify(execFile)('ps', ['-o', 'pid=', '--ppid', String(child.pid)]);
    const inside = ['-t', init.trim(), '-m', '-p', '-u', '-i', '-C', '-r', '-w'];
    const { stdout, stderr } = await promisify(execFile)('nsenter', [...inside, 'sh', '-euc', command], {
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
    });
    return stdout + stderr;
  }
  async function stop() {
    child.kill('SIGKILL');
    await closed;
    await removeControlGroup(group);
    rmSync(folder, { recursive: true, force: true });
  }

  const deadline = Date.now() + PATIENCE_MS;
  const hasBooted = () => run('systemctl is-active basic.target').catch(() => undefined);
  while ((await hasBooted()) === undefined) {
    if (child.exitCode !== null || Date.now() > deadline) {
      await stop();
      throw new Error(`systemd does not boot here: ${output}`);
    }
    await sleep(LOOK_MS);
  }
  return { run, stop };
}

/** Creates a group for the processes of a test in the hierarchy of cgroup v2. */
function createControlGroup(): string {
  const mounts = readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' '));
  const place = mounts.find(([, , type]) => type === 'cgroup2')?.[1];
  assert.ok(place, 'This test boots systemd: it needs cgroup v2.');
  const group = join(place, `latchkey-test-${process.pid}`);
  mkdirSync(group);
  return group;
}

/** Removes a group whose processes end, and the groups in it. */
async function removeControlGroup(group: string): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while (readFileSync(join(group, 'cgroup.events'), 'utf8').includes('populated 1') && Date.now() < deadline) {
    await sleep(LOOK_MS);
  }
  const remove = (path: string) => {
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      if (entry.isDirectory()) remove(join(path, entry.name));
    }
    rmdirSync(path);
  };
  remove(group);
}
